"""A setting that may be absent."""

# bench: Optional int
# fails: effective(0, 0)
from typing import Optional


def effective(own: Optional[int], inherited: Optional[int]) -> int:
    """
    pre: own is None or own >= 0
    pre: inherited is None or inherited >= 0
    post: own is None or _ == own
    """
    return own or inherited or 30  # bug: zero means "do not wait", not "not set"
