"""The operations of the term language the models are written in, by name.

All of them take plain and symbolic operands, of `str` and `bytes` alike, and ask nothing. What they
mean outside the text is said in `crates/logic/src/operation.rs`: a part is clamped, a unit that is
not there is -1.
"""

from __future__ import annotations

from typing import Any

from pef._native import CharClass, CharMap, apply


def length(text: Any) -> Any:
    """`len(text)`, which may be symbolic."""
    return apply("length", text)


def part(text: Any, start: Any, stop: Any) -> Any:
    """The text from `start` up to `stop`, both clamped; a negative position is 0."""
    return apply("slice", text, start, stop)


def rest(text: Any, start: Any) -> Any:
    """The text from `start` on."""
    return apply("slice", text, start, apply("length", text))


def code(text: Any, position: Any) -> Any:
    """The character or byte at a position, as a number."""
    return apply("at", text, position)


def concat(text: Any, parts: list[Any]) -> Any:
    """All parts in order; `text` says of which kind if there are none."""
    if not parts:
        return empty(text)
    return parts[0] if len(parts) == 1 else apply("concat", *parts)


def find(text: Any, sought: Any, start: Any) -> Any:
    """The first position at or after `start`, or -1."""
    return apply("find", text, sought, start)


def span(text: Any, members: CharClass) -> Any:
    """How many units at the start are members."""
    return apply("span", text, table=members)


def rspan(text: Any, members: CharClass) -> Any:
    """How many units at the end are members."""
    return apply("rspan", text, table=members)


def is_in(unit: Any, members: CharClass) -> Any:
    """Whether a unit, as a number, is a member."""
    return apply("in_class", unit, table=members)


def mapped(text: Any, change: CharMap) -> Any:
    """The text with every unit changed."""
    return apply("map_text", text, table=change)


def character(unit: Any) -> Any:
    """The `str` of one code point."""
    return apply("from_code", unit)


def empty(text: Any) -> Any:
    """Empty text of the kind of `text`."""
    return "" if isinstance(text, str) else b""


def last_unit(text: Any) -> int:
    """The largest unit of the kind of `text`."""
    return 0x10FFFF if isinstance(text, str) else 0xFF
