"""A setting that may be absent, read with care."""

# bench: Optional correct
from typing import Optional


def effective(own: Optional[int], inherited: Optional[int]) -> int:
    """
    post: own is None or _ == own
    post: own is not None or inherited is None or _ == inherited
    """
    if own is not None:
        return own
    return 30 if inherited is None else inherited
