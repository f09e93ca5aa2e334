"""Adding minutes to a time of day."""

# bench: tuple int
# fails: later((0, 0), 1440)
from typing import Tuple


def later(time: Tuple[int, int], minutes: int) -> Tuple[int, int]:
    """
    pre: 0 <= time[0] < 24 and 0 <= time[1] < 60
    pre: 0 <= minutes <= 1440
    post: 0 <= _[0] < 24 and 0 <= _[1] < 60
    """
    total = time[0] * 60 + time[1] + minutes
    return total // 60 if total < 1500 else total // 60 % 24, total % 60  # bug: 24:10
