"""Sorting five numbers with fixed exchanges."""

# bench: list int hard
# fails: in_order([2, 0, 0, 0, 1])
from typing import List

EXCHANGES = [(0, 1), (3, 4), (2, 4), (2, 3), (0, 3), (0, 2), (1, 4), (1, 2)]  # bug: (1, 3) is missing


def in_order(numbers: List[int]) -> List[int]:
    """
    pre: len(numbers) == 5
    post: all(_[i] <= _[i + 1] for i in range(4))
    """
    row = list(numbers)
    for low, high in EXCHANGES:
        if row[low] > row[high]:
            row[low], row[high] = row[high], row[low]
    return row
