"""Text that remembers where it came from.

A contract is read from the *value* of a docstring, but its errors, tracebacks and decisions must
point into the *source file*. Escapes, raw strings, line joins and implicit concatenation stand
between the two, so every character of the value is mapped to its place. What the text means is
none of this room's business.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from pef.contracts.errors import ContractError
from pef.records import record


@record(frozen=True)
class Place:
    """A spot in a source file: 1-based line, 1-based column in characters."""

    line: int
    column: int


@record(frozen=True)
class SourceText:
    """The lines of a file, or of the only part of it that is known."""

    file: str
    lines: tuple[str, ...]
    first_line: int = 1

    def line(self, number: int) -> str:
        """The text of one line; empty if the file does not have it."""
        index = number - self.first_line
        return self.lines[index] if 0 <= index < len(self.lines) else ""

    def place_of(self, line: int, byte_offset: int) -> Place:
        """The place `ast` means: it counts columns in UTF-8 bytes from 0."""
        before = self.line(line).encode()[:byte_offset]
        return Place(line, len(before.decode(errors="replace")) + 1)

    def byte_offset(self, place: Place) -> int:
        """The column `ast` and code objects use for a place."""
        return len(self.line(place.line)[: place.column - 1].encode())

    def error(self, message: str, place: Place, hint: str | None = None) -> ContractError:
        """An error about that place, with its line and a caret."""
        line = self.line(place.line)
        return ContractError(message, self.file, place.line, place.column, line, hint)


@record(frozen=True)
class PlacedText:
    """A piece of text whose characters know their places.

    `places` has one entry per character and one more for the end of the text; it never goes
    backwards.
    """

    text: str
    places: Sequence[Place]
    source: SourceText

    def cut(self, start: int, end: int) -> PlacedText:
        """The part from `start` to `end`."""
        return PlacedText(self.text[start:end], self.places[start : end + 1], self.source)

    def strip(self) -> PlacedText:
        """The text without surrounding white space."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))

    def place(self, index: int) -> Place:
        """Where the character at `index` stands; indices outside are moved to the nearest end."""
        return self.places[min(max(index, 0), len(self.text))]

    def place_after(self, index: int) -> Place:
        """Where the character before `index` ends."""
        if index <= 0:
            return self.place(0)
        last = self.place(min(index, len(self.text)) - 1)
        return Place(last.line, last.column + 1)

    def error(self, message: str, index: int = 0, hint: str | None = None) -> ContractError:
        """An error about the character at `index`."""
        return self.source.error(message, self.place(index), hint)


def unplaced(text: str, file: str, first_line: int) -> PlacedText:
    """Text without a source file: its own lines stand in for the missing ones."""
    lines = tuple(text.split("\n"))
    places = [
        Place(first_line + row, column + 1)
        for row, line in enumerate(lines)
        for column in range(len(line) + 1)
    ]
    return PlacedText(text, places, SourceText(file, lines, first_line))


def place_literal(
    source: SourceText, value: str, start: tuple[int, int], end: tuple[int, int]
) -> PlacedText | None:
    """Places for the value of a string literal (or several, joined) of the source.

    `start` and `end` are (line, byte offset) as in `ast`. None if the literal does not spell
    `value`, which would make every place a guess.
    """
    text = "\n".join(source.lines)
    starts = [0]
    for line in source.lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(position: tuple[int, int]) -> int:
        place = source.place_of(*position)
        return starts[place.line - 1] + place.column - 1

    finish = offset(end)
    offsets = _value_offsets(text, offset(start), finish)
    if offsets is None or len(offsets) != len(value) + 1:
        return None
    places = []
    for at in offsets:
        row = bisect_right(starts, at) - 1
        places.append(Place(row + 1, at - starts[row] + 1))
    return PlacedText(value, places, source)


_SIMPLE_ESCAPES = frozenset("\\'\"abfnrtv")
_HEX_ESCAPES = {"x": 2, "u": 4, "U": 8}
_OCTAL = frozenset("01234567")


def _value_offsets(text: str, start: int, end: int) -> list[int] | None:
    """The offset of each character of the value, and of the end of the last literal's body."""
    offsets: list[int] = []
    at = body_end = start
    while (at := _skip_between_literals(text, at, end)) < end:
        prefix = at
        while at < end and text[at].isalpha():
            at += 1
        raw = "r" in text[prefix:at].lower()
        quote = text[at : at + 3] if text[at : at + 3] in ('"""', "'''") else text[at]
        if quote[0] not in "\"'":
            return None
        at += len(quote)
        while not text.startswith(quote, at):
            if at >= end:
                return None
            length, produces = (1, 1) if raw else _escape(text, at)
            if raw and text[at] == "\\":
                offsets.append(at)
                at += 1
            offsets.extend([at] * produces)
            at += length
        body_end = at
        at += len(quote)
    return [*offsets, body_end]


def _skip_between_literals(text: str, at: int, end: int) -> int:
    while at < end and (text[at].isspace() or text[at] in "\\#"):
        at = text.find("\n", at) if text[at] == "#" else at + 1
        if at < 0:
            return end
    return at


def _escape(text: str, at: int) -> tuple[int, int]:
    """How many source characters stand here for how many characters of the value."""
    if text[at] != "\\":
        return 1, 1
    kind = text[at + 1]
    if kind == "\n":
        return 2, 0
    if kind in _SIMPLE_ESCAPES:
        return 2, 1
    if kind in _HEX_ESCAPES:
        return 2 + _HEX_ESCAPES[kind], 1
    if kind == "N":
        return text.index("}", at) + 1 - at, 1
    if kind in _OCTAL:
        length = 2
        while length < 4 and text[at + length] in _OCTAL:
            length += 1
        return length, 1
    return 1, 1
