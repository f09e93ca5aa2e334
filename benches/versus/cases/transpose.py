"""Rows become columns."""

# bench: nested list
# fails: transpose([[0, 0]])
from typing import List


def transpose(rows: List[List[int]]) -> List[List[int]]:
    """
    pre: 1 <= len(rows) <= 3
    pre: all(len(row) == len(rows[0]) <= 3 for row in rows)
    post: len(_) == len(rows[0])
    """
    return [[row[i] for row in rows] for i in range(len(rows))]  # bug: counts the rows
