"""Undo and redo of an editor."""

# bench: class invariant list
# fails: History.undo(History([0], 1), 2)
from typing import List


class History:
    """
    inv: 0 <= self.position <= len(self.states)
    """

    def __init__(self, states: List[int], position: int) -> None:
        """
        pre: 0 <= position <= len(states)
        """
        self.states = states
        self.position = position

    def __repr__(self) -> str:
        return f"History({self.states!r}, {self.position!r})"

    def push(self, state: int) -> None:
        """post: self.position == len(self.states)"""
        del self.states[self.position :]
        self.states.append(state)
        self.position += 1

    def undo(self, steps: int) -> int:
        """
        pre: steps > 0
        post: True
        """
        if self.position == 0:
            return 0
        self.position -= steps  # bug: more steps than there are states
        return self.position
