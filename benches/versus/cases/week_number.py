"""Calendar weeks after ISO 8601."""

# bench: date int hard
# fails: week(date(2005, 1, 1))
from datetime import date


def week(day: date) -> int:
    """
    pre: 2001 <= day.year <= 2030
    post: _ == day.isocalendar()[1]
    """
    number = (day.timetuple().tm_yday - day.isoweekday() + 10) // 7
    if number == 0:
        return 52 if date(day.year - 1, 12, 31).isoweekday() != 4 else 53  # bug: Friday, too
    if number == 53 and date(day.year, 12, 31).isoweekday() < 4:
        return 1
    return number
