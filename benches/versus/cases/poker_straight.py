"""Whether five cards are a straight; the ace counts as fourteen or as one."""

# bench: list set hard
# fails: is_straight([2, 3, 4, 5, 14])
from typing import List


def is_straight(ranks: List[int]) -> bool:
    """
    pre: len(ranks) == 5
    pre: all(2 <= rank <= 14 for rank in ranks)
    post: _ or len(set(ranks)) < 5 or sorted(1 if rank == 14 else rank for rank in ranks)[4] != 5
    """
    row = sorted(ranks)
    return all(row[i] + 1 == row[i + 1] for i in range(4))  # bug: the ace is never a one
