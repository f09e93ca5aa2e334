"""Keeping a whole number within limits."""

# bench: int correct
def clamp(value: int, low: int, high: int) -> int:
    """
    pre: low <= high
    post: low <= _ <= high
    post: _ in (value, low, high)
    """
    return max(low, min(value, high))
