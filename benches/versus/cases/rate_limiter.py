"""A sliding window: at most `limit` requests in any `window` seconds."""

# bench: list int loop hard
# fails: admitted([-1, 0], 1, 2)
from typing import List


def admitted(times: List[int], limit: int, window: int) -> List[int]:
    """
    pre: len(times) <= 5
    pre: 1 <= limit <= 2
    pre: 2 <= window <= 60
    pre: all(times[i] <= times[i + 1] for i in range(len(times) - 1))
    post: all(sum(t <= u < t + window for u in _) <= limit for t in _)
    """
    passed: List[int] = []
    for now in times:
        recent = [t for t in passed if t > now - window + 1]  # bug: one second short
        if len(recent) < limit:
            passed.append(now)
    return passed
