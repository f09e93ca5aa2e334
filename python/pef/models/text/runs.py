"""Text whose characters change, most of them alike and some in a way of their own.

The special ones are found one after the other; whether there is one more is a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pef._native import CharClass, decide
from pef.models.text import tables
from pef.models.text.terms import concat, length, rest, span
from pef.models.text.terms import part as part_of

Ordinary = Callable[[Any], Any]
"""What becomes of a part without special characters."""

Special = Callable[[Any], Any]
"""What becomes of the special character at a position."""


def by_runs(text: Any, special: CharClass, ordinary: Ordinary, change: Special) -> Any:
    """The text with its characters changed."""
    if not special.ranges():
        return ordinary(text)
    between = tables.others(tables.kind_of(text), special)
    parts: list[Any] = []
    position: Any = 0
    while True:
        ahead = rest(text, position)
        run = span(ahead, between)
        if decide(run == length(ahead), "domain"):
            return concat(text, [*parts, ordinary(ahead)])
        parts += [ordinary(part_of(ahead, 0, run)), change(position + run)]
        position = position + run + 1
