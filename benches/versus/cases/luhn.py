"""The check digit of a card number."""

# bench: list int loop
# fails: completed([0, 5])
from typing import List


def completed(digits: List[int]) -> List[int]:
    """
    pre: 1 <= len(digits) <= 7
    pre: all(0 <= digit <= 9 for digit in digits)
    post: is_valid(_)
    """
    total = 0
    for position, digit in enumerate(digits):
        if position % 2 == 0:  # bug: the rule counts from the right
            digit *= 2
        total += digit - 9 if digit > 9 else digit
    return [*digits, -total % 10]


def is_valid(digits):
    total = 0
    for position, digit in enumerate(reversed(digits)):
        if position % 2:
            digit = digit * 2 - 9 if digit > 4 else digit * 2
        total += digit
    return total % 10 == 0
