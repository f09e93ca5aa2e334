"""The Gregorian calendar as arithmetic.

The twin of `datetime` looks the days of a month up in tables and asks whether a year is a leap
year. With a symbolic month that would be a decision per month; formulas ask nothing. They are exact
for all years from 1 on.
"""

from __future__ import annotations


def is_leap(year: int) -> bool:
    """Whether the year has 366 days."""
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def days_in_month(year: int, month: int) -> int:
    """The number of days of the month.

    >>> [days_in_month(2023, month) for month in range(1, 13)]
    [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    """
    return 30 + (month + month // 8) % 2 - (month == 2) * (2 - is_leap(year))


def days_before_month(year: int, month: int) -> int:
    """The number of days of the year before the first of the month."""
    return (367 * month - 362) // 12 - (month > 2) * (2 - is_leap(year))


def ordinal_of(year: int, month: int, day: int) -> int:
    """The number of the day, 1 being January 1 of year 1."""
    before = year - 1
    years = before * 365 + before // 4 - before // 100 + before // 400
    return years + days_before_month(year, month) + day


_DAYS_OF_400_YEARS = 146097
_DAYS_TO_MARCH = 305
"""From March 1 of year 0 to the day before January 1 of year 1."""


def date_of(ordinal: int) -> tuple[int, int, int]:
    """Year, month and day of a day number; years are counted from March on the way.

    >>> date_of(ordinal_of(2024, 2, 29))
    (2024, 2, 29)
    """
    cycle, day = divmod(ordinal + _DAYS_TO_MARCH, _DAYS_OF_400_YEARS)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day = day - (365 * year + year // 4 - year // 100)
    month = (5 * day + 2) // 153
    day = day - (153 * month + 2) // 5 + 1
    after = month >= 10
    return year + 400 * cycle + after, month + 3 - 12 * after, day
