"""An integer square root that trusts floats."""

# bench: int float hard
# fails: root(1152921480984526784)
import math


def root(number: int) -> int:
    """
    pre: 0 <= number < 2**60
    post: _ * _ <= number < (_ + 1) * (_ + 1)
    """
    return int(math.sqrt(number))  # bug: 53 bits are not enough
