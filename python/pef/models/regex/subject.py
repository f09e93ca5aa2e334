"""A symbolic text, as the matcher asks about it.

Each question is a decision in the name of the caller, unless the answer follows from earlier ones:
what is known about the length and about each character is kept, so that a matcher that comes back
to a character does not ask the solver again.
"""

from __future__ import annotations

from typing import Any

from pef._native import apply, decide
from pef.models.regex.units import Units, lowered, native


class SymbolicSubject:
    """Text that is asked about its characters one by one."""

    def __init__(self, text: Any, all_units: Units) -> None:
        self._text = text
        self._all_units = all_units
        self._least = 0
        self._most: int | None = None
        self._possible: dict[int, Units] = {}
        """The characters that may be at a position, where one is."""
        self._same: dict[tuple[int, int, str | None], bool] = {}

    def has(self, position: int) -> bool:
        """Whether there is a character at the position."""
        if position < self._least:
            return True
        if self._most is not None and position >= self._most:
            return False
        if decide(apply("length", self._text) > position, "domain"):
            self._least = position + 1
            return True
        self._most = position
        return False

    def holds(self, position: int, units: Units) -> bool:
        """Whether there is a character of the set at the position."""
        if self._most is not None and position >= self._most:
            return False
        possible = self._possible.get(position, self._all_units)
        wanted = possible & units
        if not wanted:
            return False
        if wanted == possible:
            return self.has(position)
        code = apply("at", self._text, position)
        if decide(apply("in_class", code, table=native(units)), "domain"):
            self._possible[position] = wanted
            self._least = max(self._least, position + 1)
            return True
        self._possible[position] = possible & units.others(self._all_units)
        return False

    def same(self, one: int, other: int, lower: str | None) -> bool:
        """Whether there are equal characters at two positions."""
        if not self.has(max(one, other)):
            return False
        key = (min(one, other), max(one, other), lower)
        if key not in self._same:
            codes = [apply("at", self._text, position) for position in key[:2]]
            if lower is not None:
                table = lowered(lower == "unicode")
                codes = [apply("map_code", code, table=table) for code in codes]
            self._same[key] = decide(codes[0] == codes[1], "domain")
        return self._same[key]
