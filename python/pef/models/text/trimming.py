"""The `strip` family: text without some characters at its ends.

How many there are is a term, unless the set of characters is itself symbolic: then each is a
decision.
"""

from __future__ import annotations

from typing import Any

from pef._native import CharClass, apply, decide, is_symbolic
from pef.models.text import tables
from pef.models.text.calling import operand
from pef.models.text.terms import length, part, rspan, span


def strip(text: Any, chars: Any = None, /) -> Any:
    """`text.strip(chars)`"""
    return part(text, _leading(text, chars), length(text) - _trailing(text, chars))


def lstrip(text: Any, chars: Any = None, /) -> Any:
    """`text.lstrip(chars)`"""
    return part(text, _leading(text, chars), length(text))


def rstrip(text: Any, chars: Any = None, /) -> Any:
    """`text.rstrip(chars)`"""
    return part(text, 0, length(text) - _trailing(text, chars))


def _leading(text: Any, chars: Any) -> Any:
    members = _members(text, chars)
    if members is not None:
        return span(text, members)
    stripped = 0
    while _is_stripped(text, stripped, chars):
        stripped += 1
    return stripped


def _trailing(text: Any, chars: Any) -> Any:
    members = _members(text, chars)
    if members is not None:
        return rspan(text, members)
    stripped = 0
    while _is_stripped(text, length(text) - stripped - 1, chars):
        stripped += 1
    return stripped


def _members(text: Any, chars: Any) -> CharClass | None:
    """The characters to go, if they are known."""
    if chars is None:
        return tables.char_class(tables.kind_of(text), "space")
    given = operand(text, chars)
    if is_symbolic(given):
        return None
    return tables.of_units(map(ord, given) if isinstance(given, str) else given)


def _is_stripped(text: Any, position: Any, chars: Any) -> bool:
    inside = (length(text) > position) & (position >= 0)
    unit = part(text, position, position + 1)
    return decide(inside & apply("contains", chars, unit), "domain")
