"""Which endings of a path are errors (and which are behaviour).

A violated contract is an error. Where no contract speaks of the exception, it is an error if nobody
in the project raised it on purpose: the interpreter did, a C function, a library, or an `assert`.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Any

from pef.records import NamedTuple
from pef.replay.call import is_project_file
from pef.replay.evidence import innermost, is_raise


class Project:
    """The files whose own `raise` statements are behaviour."""

    def __init__(self, roots: Iterable[str]) -> None:
        self.roots = list(roots)
        self._known: dict[str, bool] = {}

    def has(self, file: str) -> bool:
        """Whether the file is part of the project."""
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = is_project_file(file, self.roots)
        return known

    def place_of(self, problem: BaseException) -> tuple[str, int]:
        """Where the project had to do with an exception last; else where it came from."""
        place = last = ("", 0)
        traceback = problem.__traceback__
        while traceback is not None:
            last = (traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
            if self.has(last[0]):
                place = last
            traceback = traceback.tb_next
        return place if place[0] else last

    def raised(self, problem: BaseException) -> bool:
        """Whether a `raise` of the project is where the exception came from."""
        if problem.__traceback__ is None:
            return False
        origin: TracebackType = innermost(problem.__traceback__)
        return is_raise(origin) and self.has(origin.tb_frame.f_code.co_filename)


def is_error(kinds: Iterable[str], explicit: bool, all_exceptions: bool) -> bool:
    """Whether an exception that no contract speaks of is an error.

    `kinds` are the qualified names of its classes, most special first.
    """
    names = list(kinds)
    if "AssertionError" in names:
        return True
    # Leaving through `sys.exit()` is always somebody's intention.
    return all_exceptions or (not explicit and "Exception" in names)


class Cause(NamedTuple):
    """What makes two failures the same: where, what, and which promise."""

    place: tuple[str, int]
    exception: str
    contract: str


def kinds_of(problem: BaseException) -> list[str]:
    """The qualified names of an exception's classes, most special first."""
    from pef.replay.call import type_name

    return [type_name(kind) for kind in type(problem).__mro__[:-1]]


def clause_of(violated: Any) -> dict[str, Any]:
    """A violated clause as data."""
    return {
        "kind": violated.kind.value,
        "text": violated.text,
        "file": violated.file,
        "line": violated.line,
    }
