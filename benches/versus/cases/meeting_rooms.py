"""How many rooms a day of meetings needs."""

# bench: list tuple loop hard
# fails: rooms([(9, 10), (8, 9), (8, 9), (8, 9)])
from typing import List, Tuple


def rooms(meetings: List[Tuple[int, int]]) -> int:
    """
    pre: 1 <= len(meetings) <= 4
    pre: all(8 <= start < end <= 18 for start, end in meetings)
    post: _ == max(sum(s <= start < e for s, e in meetings) for start, _end in meetings)
    """
    ends: List[int] = []
    for start, end in sorted(meetings):
        free = [i for i, until in enumerate(ends) if until <= start]
        if free and len(ends) < 3:
            ends[free[0]] = end
        else:
            ends.append(end)  # bug: with three rooms none is used again
    return len(ends)
