"""From one text to its parts: `split`, `partition`, `splitlines`.

Whether there is one more separator is a decision; where it stands is a term. How many parts there
are is one question: the first answer costs a level of depth, the next few cost nothing, so that a
record of a few fields leaves depth for what is done with them.
"""

from __future__ import annotations

from typing import Any, Literal

from pef._native import apply, decide
from pef.models.text import tables
from pef.models.text.calling import allows, flag, limit, operand
from pef.models.text.terms import code, empty, find, length, part, rest, rspan, span

_PARTS_FOR_ONE = 4
"""Up to this many parts are one level of depth; each further one is another."""


def _price(parts: list[Any]) -> Literal["either"] | None:
    """What it costs to learn whether there is a part after these."""
    return "either" if 0 < len(parts) < _PARTS_FOR_ONE else None


def split(text: Any, /, sep: Any = None, maxsplit: Any = -1) -> list[Any]:
    """`text.split(sep, maxsplit)`"""
    most = limit(maxsplit)
    if sep is None:
        return _words(text, most)
    separator = _separator(text, sep)
    width = length(separator)
    parts: list[Any] = []
    position: Any = 0
    while allows(most, len(parts)):
        found = find(text, separator, position)
        if decide(found < 0, "domain", _price(parts)):
            break
        parts.append(part(text, position, found))
        position = found + width
    parts.append(rest(text, position) if parts else text)
    return parts


def rsplit(text: Any, /, sep: Any = None, maxsplit: Any = -1) -> list[Any]:
    """`text.rsplit(sep, maxsplit)`"""
    most = limit(maxsplit)
    if sep is None:
        return _last_words(text, most)
    separator = _separator(text, sep)
    width = length(separator)
    parts: list[Any] = []
    end = length(text)
    while allows(most, len(parts)):
        found = apply("rfind", text, separator, end)
        if decide(found < 0, "domain", _price(parts)):
            break
        parts.append(part(text, found + width, end))
        end = found
    parts.append(part(text, 0, end) if parts else text)
    parts.reverse()
    return parts


def _separator(text: Any, sep: Any) -> Any:
    separator = operand(text, sep)
    if decide(length(separator) == 0, "domain"):
        raise ValueError("empty separator")
    return separator


def _words(text: Any, most: Any) -> list[Any]:
    """The parts between white space, of which there may be none."""
    kind = tables.kind_of(text)
    space, word = tables.char_class(kind, "space"), tables.outside(kind, "space")
    end = length(text)
    words: list[Any] = []
    position: Any = 0
    while True:
        position = position + span(part(text, position, end), space)
        if decide(position >= end, "domain", _price(words)):
            return words
        if not allows(most, len(words)):
            return [*words, part(text, position, end)]
        start, position = position, position + span(part(text, position, end), word)
        words.append(part(text, start, position))


def _last_words(text: Any, most: Any) -> list[Any]:
    """As `_words`, from the end."""
    kind = tables.kind_of(text)
    space, word = tables.char_class(kind, "space"), tables.outside(kind, "space")
    end = length(text)
    words: list[Any] = []
    while True:
        end = end - rspan(part(text, 0, end), space)
        if decide(end <= 0, "domain", _price(words)):
            break
        if not allows(most, len(words)):
            words.append(part(text, 0, end))
            break
        stop, end = end, end - rspan(part(text, 0, end), word)
        words.append(part(text, end, stop))
    words.reverse()
    return words


def partition(text: Any, sep: Any, /) -> tuple[Any, Any, Any]:
    """`text.partition(sep)`"""
    separator = _separator(text, sep)
    found = find(text, separator, 0)
    if decide(found < 0, "domain"):
        return text, empty(text), empty(text)
    return part(text, 0, found), sep, rest(text, found + length(separator))


def rpartition(text: Any, sep: Any, /) -> tuple[Any, Any, Any]:
    """`text.rpartition(sep)`"""
    separator = _separator(text, sep)
    found = apply("rfind", text, separator, length(text))
    if decide(found < 0, "domain"):
        return empty(text), empty(text), text
    return part(text, 0, found), sep, rest(text, found + length(separator))


def splitlines(text: Any, /, keepends: Any = False) -> list[Any]:
    """`text.splitlines(keepends)`"""
    kept = flag(keepends)
    kind = tables.kind_of(text)
    in_line = tables.outside(kind, "line break")
    end = length(text)
    lines: list[Any] = []
    position: Any = 0
    while not decide(position >= end, "domain"):
        stop = position + span(part(text, position, end), in_line)
        if decide(stop >= end, "domain"):
            lines.append(part(text, position, end))
            break
        is_pair = (code(text, stop) == 13) & (code(text, stop + 1) == 10)
        after = stop + (2 if decide(is_pair, "domain") else 1)
        lines.append(part(text, position, after if kept else stop))
        position = after
    return lines
