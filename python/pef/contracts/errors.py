"""What can be wrong with a contract, said the way a compiler says it.

A bad contract is the user's mistake in the user's file, so every error carries a place in that
file. Lines and columns are 1-based and count characters, as editors do. Findings about the code
under analysis are not errors of this room.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pef.contracts.form import Clause


class ContractError(Exception):
    """A contract that cannot be read; `str()` is at most four lines, ready for the terminal."""

    is_missing_type = False
    """Whether nothing is wrong but that a parameter has no type."""

    def __init__(
        self,
        message: str,
        file: str,
        line: int,
        column: int,
        source_line: str = "",
        hint: str | None = None,
    ) -> None:
        super().__init__(message, file, line, column, source_line, hint)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.source_line = source_line
        self.hint = hint

    def __str__(self) -> str:
        lines = [f"{shown_path(self.file)}:{self.line}:{self.column}: error: {self.message}"]
        if self.source_line.strip():
            lines += [self.source_line, _caret(self.source_line, self.column)]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


def missing_type(parameter: str) -> str:
    """What is said of a parameter that nothing gives a type."""
    return f"parameter '{parameter}' has no type"


class ContractEvaluationError(Exception):
    """A clause that raised while it was evaluated: it is neither true nor false.

    The text is built only when asked for: an exception may hold symbolic values, and printing
    those loses information.
    """

    def __init__(self, clause: Clause, cause: BaseException) -> None:
        super().__init__(clause, cause)
        self.clause = clause
        self.cause = cause

    @property
    def is_mistake(self) -> bool:
        """Whether the clause is wrong whatever the values are: it mentions what does not exist."""
        return isinstance(self.cause, NameError)

    def __str__(self) -> str:
        clause = self.clause
        place = f"{shown_path(clause.file)}:{clause.line}:{clause.column}"
        raised = type(self.cause).__name__
        if detail := str(self.cause):
            raised += f": {detail}"
        return f"{place}: error: evaluating '{clause.shown}' raised {raised}"


class PreconditionBroken(BaseException):
    """A function was called against its contract; no handler of the program is meant for it."""

    def __init__(self, clause: Clause, callee: str) -> None:
        super().__init__(clause, callee)
        self.clause = clause
        self.callee = callee

    def __str__(self) -> str:
        return f"'{self.callee}' is called against '{self.clause.shown}'"


def shown_path(file: str) -> str:
    """The file as a user would type it: relative when it lies below the current directory."""
    here = os.path.join(os.path.abspath(os.curdir), "")
    return file[len(here) :] if file.startswith(here) else file


def did_you_mean(name: str, known: list[str], cutoff: float = 0.6) -> str | None:
    """A hint naming the closest known name, if one is close."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1, cutoff=cutoff)
    return f"did you mean '{close[0]}'?" if close else None


def _caret(source_line: str, column: int) -> str:
    before = source_line[: column - 1]
    if before.isascii():
        return "".join("\t" if char == "\t" else " " for char in before) + "^"
    from unicodedata import combining, east_asian_width

    def blank(char: str) -> str:
        if char == "\t" or combining(char):
            return "\t" if char == "\t" else ""
        return "  " if east_asian_width(char) in "WF" else " "

    return "".join(map(blank, before)) + "^"
