"""The date of Easter, by Gauss's rule without its exceptions."""

# bench: int hard
# fails: easter(1981)
def easter(year: int) -> int:
    """
    pre: 1900 <= year <= 2099
    post: _ <= 56
    """
    a, b, c = year % 19, year % 4, year % 7
    d = (19 * a + 24) % 30
    e = (2 * b + 4 * c + 6 * d + 5) % 7
    return 22 + d + e  # bug: never later than 25 April, which is day 56 of March
