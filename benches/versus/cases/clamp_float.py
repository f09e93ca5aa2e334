"""Keeping a value within limits."""

# bench: float nan
# fails: clamp(float('nan'), 0.0, 0.0)
def clamp(value: float, low: float, high: float) -> float:
    """
    pre: low <= high
    post: low <= _ <= high
    """
    if value < low:
        return low
    if value > high:
        return high
    return value  # bug: NaN is neither
