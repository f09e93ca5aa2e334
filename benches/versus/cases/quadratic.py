"""The smaller root of a quadratic equation, by the formula from school."""

# bench: float hard
# fails: root(10000000.0, 0.1)
import math


def root(b: float, c: float) -> float:
    """
    pre: 1.0 <= b <= 1e9 and 0.001 <= c <= 0.1
    post: abs(_ * _ - b * _ + c) < 1e-3
    """
    return (b - math.sqrt(b * b - 4.0 * c)) / 2.0  # bug: takes the difference of two near equals
