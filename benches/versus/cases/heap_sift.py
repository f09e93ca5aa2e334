"""A binary heap: the smallest number is on top."""

# bench: list int loop
# fails: heap([0, 0, -1])
from typing import List


def heap(numbers: List[int]) -> List[int]:
    """
    pre: len(numbers) <= 5
    post: all(_[(i - 1) // 2] <= _[i] for i in range(1, len(_)))
    """
    row = list(numbers)
    for start in reversed(range(len(row) // 2)):
        parent = start
        while 2 * parent + 1 < len(row):
            child = 2 * parent + 1
            if child + 1 < len(row) - 1 and row[child + 1] < row[child]:  # bug: forgets the last
                child += 1
            if row[parent] <= row[child]:
                break
            row[parent], row[child] = row[child], row[parent]
            parent = child
    return row
