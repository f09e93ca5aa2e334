"""The standard deviation by the formula that needs one pass."""

# bench: float list hard
# fails: deviation([93859.6, 93859.6, 93859.6])
import math
from typing import List


def deviation(values: List[float]) -> float:
    """
    pre: len(values) == 3
    pre: all(0.0 <= value <= 1e9 for value in values)
    post: _ >= 0.0
    """
    mean = sum(values) / 3
    squares = sum(value * value for value in values) / 3
    return math.sqrt(squares - mean * mean)  # bug: rounding may leave less than nothing
