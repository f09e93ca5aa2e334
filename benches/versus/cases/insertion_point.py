"""Where a score belongs in a ranking that is sorted from best to worst."""

# bench: list int loop
# fails: rank([0], 0)
from typing import List


def rank(scores: List[int], score: int) -> int:
    """
    pre: len(scores) <= 5
    pre: all(scores[i] >= scores[i + 1] for i in range(len(scores) - 1))
    post: all(s >= score for s in scores[:_]) and all(s < score for s in scores[_:])
    """
    low, high = 0, len(scores)
    while low < high:
        middle = (low + high) // 2
        if scores[middle] > score:  # bug: equals must stay in front
            low = middle + 1
        else:
            high = middle
    return low
