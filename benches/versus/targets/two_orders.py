"""Quicksort of eight numbers in either order: 80,640 paths in one function."""

from typing import List


def quicksort(numbers):
    if len(numbers) <= 1:
        return numbers
    pivot = numbers[0]
    smaller = [number for number in numbers[1:] if number < pivot]
    others = [number for number in numbers[1:] if number >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(others)


def in_order(numbers: List[int], descending: bool) -> List[int]:
    """
    pre: len(numbers) == 8
    post: True
    """
    ascending = quicksort(numbers)
    return ascending[::-1] if descending else ascending
