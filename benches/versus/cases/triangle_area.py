"""Heron's formula."""

# bench: float exception
# fails: area(1.0, 1.0, 4.0)
import math


def area(a: float, b: float, c: float) -> float:
    """
    pre: 1.0 <= a <= 1000.0 and 1.0 <= b <= 1000.0 and 1.0 <= c <= 1000.0
    post: _ >= 0.0
    """
    if a > b + c or b > a + c:  # bug: the third side is not looked at
        return 0.0
    half = (a + b + c) / 2.0
    return math.sqrt(half * (half - a) * (half - b) * (half - c))
