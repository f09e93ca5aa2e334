"""Who has won a game of noughts and crosses."""

# bench: list int hard
# fails: winner([2, 0, 1, 0, 1, 2, 1, 0, 0])
from typing import List

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8)]
# bug: the other diagonal, (2, 4, 6)


def winner(board: List[int]) -> int:
    """
    pre: len(board) == 9
    pre: all(0 <= cell <= 2 for cell in board)
    pre: sum(cell == 1 for cell in board) == sum(cell == 2 for cell in board) + 1
    post: _ != 0 or not (board[2] == board[4] == board[6] == 1 and board[0] == 2)
    """
    for a, b, c in LINES:
        if board[a] == board[b] == board[c] != 0:
            return board[a]
    return 0
