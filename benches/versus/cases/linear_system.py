"""Two equations with two unknowns, by elimination."""

# bench: float tuple hard
# fails: solved(9, 9, 8, 8, 0, 0)
from typing import Tuple


def solved(a: int, b: int, c: int, d: int, p: int, q: int) -> Tuple[float, float]:
    """
    pre: all(-50 <= n <= 50 for n in (a, b, c, d, p, q))
    pre: a > 7 and b > 7 and c > 7 and d > 7 and (a, b) != (c, d)
    post: True
    """
    factor = c / a
    y = (q - factor * p) / (d - factor * b)  # bug: parallel lines
    return (p - b * y) / a, y
