"""The shortest way through a small network of roads."""

# bench: list tuple nested hard
# fails: distance([(1, 2, 1), (2, 3, 1), (0, 2, 1)])
from typing import List, Tuple


def distance(roads: List[Tuple[int, int, int]]) -> int:
    """
    pre: 3 <= len(roads) <= 4
    pre: all(0 <= a < b <= 3 and 1 <= length <= 9 for a, b, length in roads)
    post: _ == shortest(roads, 0, 3)
    """
    best = {0: 0}
    for a, b, length in roads:  # bug: roads come in any order, one round is not enough
        if a in best and best[a] + length < best.get(b, 99):
            best[b] = best[a] + length
    return best.get(3, 99)


def shortest(roads, start, goal):
    if start == goal:
        return 0
    ways = [length + shortest(roads, b, goal) for a, b, length in roads if a == start]
    return min([99, *ways])
