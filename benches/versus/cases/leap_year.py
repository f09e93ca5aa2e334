"""The Gregorian rule without its third line."""

# bench: int
# fails: is_leap(400)


def is_leap(year: int) -> bool:
    """
    pre: 1 <= year <= 9999
    post: _ == (year % 400 == 0 or (year % 4 == 0 and year % 100 != 0))
    """
    if year % 100 == 0:
        return False  # bug: 1600 and 2000 were leap years
    return year % 4 == 0
