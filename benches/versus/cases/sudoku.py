"""Whether a sudoku of four by four is solved."""

# bench: nested list hard
# fails: is_solved([[1, 2, 3, 4], [2, 3, 4, 1], [3, 4, 1, 2], [4, 1, 2, 3]])
from typing import List


def is_solved(rows: List[List[int]]) -> bool:
    """
    pre: len(rows) == 4 and all(len(row) == 4 for row in rows)
    pre: all(1 <= cell <= 4 for row in rows for cell in row)
    post: not _ or len({rows[0][0], rows[0][1], rows[1][0], rows[1][1]}) == 4
    """
    columns = [[row[i] for row in rows] for i in range(4)]
    return all(len(set(line)) == 4 for line in rows + columns)  # bug: the boxes are forgotten
