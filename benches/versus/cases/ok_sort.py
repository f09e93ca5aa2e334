"""Sorting by insertion."""

# bench: list correct
from typing import List


def in_order(numbers: List[int]) -> List[int]:
    """
    pre: len(numbers) <= 3
    post: all(_[i] <= _[i + 1] for i in range(len(_) - 1))
    """
    row: List[int] = []
    for number in numbers:
        place = len(row)
        while place > 0 and row[place - 1] > number:
            place -= 1
        row.insert(place, number)
    return row
