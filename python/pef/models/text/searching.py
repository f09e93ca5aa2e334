"""Where a text stands in another: `find`, `count`, `startswith`, `in` and their kin.

Positions are terms, so looking for something asks nothing; only its absence, where that is an
error, and the number of times are decided.
"""

from __future__ import annotations

from typing import Any

from pef._native import apply, decide
from pef.models.text.calling import Unfit, index, operand, sought
from pef.models.text.terms import find as first
from pef.models.text.terms import length, part, rest


def find(text: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    """`text.find(sub, start, end)`"""
    window, start = _window(text, start, end)
    return first(window, sought(text, sub), start)


def rfind(text: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    """`text.rfind(sub, start, end)`"""
    window, start = _window(text, start, end)
    found = apply("rfind", window, sought(text, sub), length(window))
    if _is_zero(start) or decide(found >= start, "domain"):
        return found
    return -1


def find_or_fail(text: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    """`text.index(sub, start, end)`"""
    return _present(text, find(text, sub, start, end))


def rfind_or_fail(text: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    """`text.rindex(sub, start, end)`"""
    return _present(text, rfind(text, sub, start, end))


def _present(text: Any, position: Any) -> Any:
    if decide(position < 0, "domain"):
        part_of = "substring" if isinstance(text, str) else "subsection"
        raise ValueError(f"{part_of} not found")
    return position


def count(text: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    """`text.count(sub, start, end)`: each further occurrence is a decision."""
    window, start = _window(text, start, end)
    pattern = sought(text, sub)
    width = length(pattern)
    if decide(width == 0, "domain"):
        return _gaps(window, start)
    found = 0
    position = first(window, pattern, start)
    while not decide(position < 0, "domain"):
        found += 1
        position = first(window, pattern, position + width)
    return found


def _gaps(window: Any, start: Any) -> Any:
    """How many times empty text stands at or after `start`."""
    if decide(start <= 0, "domain"):
        return length(window) + 1
    if decide(start > length(window), "domain"):
        return 0
    return length(window) - start + 1


def startswith(text: Any, prefix: Any, start: Any = None, end: Any = None, /) -> Any:
    """`text.startswith(prefix, start, end)`"""
    return _matches_one(text, prefix, start, end, "starts_with")


def endswith(text: Any, suffix: Any, start: Any = None, end: Any = None, /) -> Any:
    """`text.endswith(suffix, start, end)`"""
    return _matches_one(text, suffix, start, end, "ends_with")


def _matches_one(text: Any, wanted: Any, start: Any, end: Any, how: str) -> Any:
    window, start = _window(text, start, end)
    inside: Any = True
    if not _is_zero(start):
        inside = start <= length(window)
        window = rest(window, start)
    if not isinstance(wanted, tuple):
        return apply(how, window, operand(text, wanted)) & inside
    matches: Any = False
    for choice in wanted:
        try:
            choice = operand(text, choice)
        except Unfit:
            # Looked at only if nothing before it matches.
            if decide(matches & inside, "domain"):
                return True
            raise
        matches = apply(how, window, choice) | matches
    return matches & inside


def removeprefix(text: Any, prefix: Any, /) -> Any:
    """`text.removeprefix(prefix)`"""
    known = operand(text, prefix)
    if decide(apply("starts_with", text, known), "domain"):
        return rest(text, length(known))
    return text


def removesuffix(text: Any, suffix: Any, /) -> Any:
    """`text.removesuffix(suffix)`"""
    known = operand(text, suffix)
    if decide(apply("ends_with", text, known), "domain"):
        return part(text, 0, length(text) - length(known))
    return text


def contains(text: Any, sub: Any, /) -> Any:
    """`sub in text`"""
    return apply("contains", text, sought(text, sub))


def _window(text: Any, start: Any, end: Any) -> tuple[Any, Any]:
    """The text up to `end`, and where to start in it. A start beyond the end stays beyond it."""
    first_position = 0 if start is None else _position(text, start)
    window = text if end is None else part(text, 0, _position(text, end))
    return window, first_position


def _position(text: Any, value: Any) -> Any:
    """A position that counts from the end if it is negative."""
    position = index(value)
    return length(text) + position if decide(position < 0, "domain") else position


def _is_zero(position: Any) -> bool:
    return type(position) is int and position == 0
