"""The Gregorian rule, twice."""

# bench: int correct
def is_leap(year: int) -> bool:
    """
    pre: 1 <= year <= 9999
    post: _ == (year % 400 == 0 or (year % 4 == 0 and year % 100 != 0))
    """
    if year % 4:
        return False
    return year % 100 != 0 or year % 400 == 0
