"""Binary search that ends where it should."""

# bench: list loop correct
from typing import List


def contains(row: List[int], wanted: int) -> bool:
    """
    pre: len(row) <= 4
    pre: all(row[i] <= row[i + 1] for i in range(len(row) - 1))
    post: _ == (wanted in row)
    """
    low, high = 0, len(row) - 1
    while low <= high:
        middle = (low + high) // 2
        if row[middle] == wanted:
            return True
        if row[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return False
