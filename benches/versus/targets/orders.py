"""Quicksort of eight numbers in either order, whole or only the first: 161,280 paths."""

from typing import List


def quicksort(numbers):
    if len(numbers) <= 1:
        return numbers
    pivot = numbers[0]
    smaller = [number for number in numbers[1:] if number < pivot]
    others = [number for number in numbers[1:] if number >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(others)


def in_order(numbers: List[int], descending: bool, only_first: bool) -> List[int]:
    """
    pre: len(numbers) == 8
    post: True
    """
    ordered = quicksort(numbers)
    if descending:
        ordered = ordered[::-1]
    return ordered[:1] if only_first else ordered
