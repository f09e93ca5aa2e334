"""Booking adjacent seats in a row."""

# bench: bool tuple list
# fails: book([False, False, True, False, False], 3)
from typing import List


def book(taken: List[bool], party: int) -> int:
    """
    pre: len(taken) <= 6
    pre: 1 <= party <= 3
    post: _ == -1 or (_ + party <= len(taken) and not any(taken[_ : _ + party]))
    """
    free = 0
    for seat, occupied in enumerate(taken):
        if occupied:
            free = 0 if free < 2 else 1  # bug: a gap of two leaves a seat behind
        else:
            free += 1
        if free == party:
            return seat - party + 1
    return -1
