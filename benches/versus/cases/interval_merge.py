"""Merging overlapping intervals."""

# bench: list tuple
# fails: merge([(0, 0), (-1, 1)])
from typing import List, Tuple


def merge(spans: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    """
    pre: len(spans) <= 4
    pre: all(low <= high for low, high in spans)
    post: all(any(a <= low and high <= b for a, b in _) for low, high in spans)
    """
    merged: List[Tuple[int, int]] = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], high)  # bug: an interval inside the last one cuts it
        else:
            merged.append((low, high))
    return merged
