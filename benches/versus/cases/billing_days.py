"""Days to pay for, the first and the last included."""

# bench: date int hard
# fails: days(date(2020, 2, 29), date(2021, 2, 1))
from datetime import date


def days(first: date, last: date) -> int:
    """
    pre: 2020 <= first.year <= 2026 and 2020 <= last.year <= 2026
    pre: first <= last
    post: _ == last.toordinal() - first.toordinal() + 1
    """
    if (first.year, first.month) == (last.year, last.month):
        return last.day - first.day + 1
    count = 0
    year, month = first.year, first.month
    while (year, month) < (last.year, last.month):
        length = 31 if month in (1, 3, 5, 7, 8, 10, 12) else 30
        if month == 2:
            length = 28 if year % 4 else 29
        count += length
        month += 1
        if month > 12:
            year, month = year + 1, 1
    if first.month == 2 and first.day == 29 and last.month == 2:
        return count + last.day - first.day  # bug: from one 29 February into another February
    return count + last.day - first.day + 1
