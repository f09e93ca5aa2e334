"""The score of a game of bowling, from the pins of every roll."""

# bench: list int loop hard
# fails: score([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10])
from typing import List


def score(rolls: List[int]) -> int:
    """
    pre: 12 <= len(rolls) <= 21
    pre: all(0 <= pins <= 10 for pins in rolls)
    pre: is_complete(rolls)
    post: 0 <= _ <= 300
    """
    total, i = 0, 0
    for _frame in range(10):
        if rolls[i] == 10:
            total += 10 + rolls[i + 1] + rolls[i + 2]
            i += 1
        elif rolls[i] + rolls[i + 1] == 10:
            total += 10 + rolls[i + 2]
            i += 2
        else:
            total += rolls[i] + rolls[i + 1]
            i += 2
    if i < len(rolls) and rolls[i] == 10:
        total += rolls[i]  # bug: the extra rolls were counted already
    return total


def is_complete(rolls):
    i = 0
    for frame in range(10):
        if i >= len(rolls):
            return False
        if rolls[i] == 10:
            i += 1
            extra = 2
        else:
            if i + 1 >= len(rolls) or rolls[i] + rolls[i + 1] > 10:
                return False
            extra = 1 if rolls[i] + rolls[i + 1] == 10 else 0
            i += 2
        if frame == 9:
            i += extra
        elif i + extra > len(rolls):
            return False
    return i == len(rolls)
