"""Quicksort by list comprehensions, for lists of a fixed length: n! paths."""

from typing import List


def quicksort(numbers):
    if len(numbers) <= 1:
        return numbers
    pivot = numbers[0]
    smaller = [number for number in numbers[1:] if number < pivot]
    others = [number for number in numbers[1:] if number >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(others)


def sort_LENGTH(numbers: List[int]) -> List[int]:
    """
    pre: len(numbers) == LENGTH
    post: True
    """
    return quicksort(numbers)
