"""Queens on a board of five by five, one in each column: do two attack each other?"""

# bench: list int loop hard
# fails: is_peaceful([0, 4, 3, 2, 1])
from typing import List


def is_peaceful(rows: List[int]) -> bool:
    """
    pre: len(rows) == 5
    pre: all(0 <= row < 5 for row in rows)
    post: not _ or all(rows[i] - rows[j] != j - i for i in range(5) for j in range(i))
    """
    for i in range(5):
        for j in range(i):
            if rows[i] == rows[j] or rows[i] - rows[j] == i - j:
                return False  # bug: only one of the two diagonals
    return True
