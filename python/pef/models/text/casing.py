"""`upper`, `lower`, `title`...: characters in another case.

What each character becomes, one other or several (`ß`), is one term over the whole text and asks
nothing. Only the capital sigma depends on its neighbours; a term before says which form it takes.
"""

from __future__ import annotations

from typing import Any

from pef._native import apply, decide
from pef.models.text import tables
from pef.models.text.terms import concat, length, mapped, part, rest, span


def upper(text: Any, /) -> Any:
    """`text.upper()`"""
    return _changed(text, "upper")


def lower(text: Any, /) -> Any:
    """`text.lower()`"""
    return _changed(_with_final_sigmas(text), "lower")


def casefold(text: Any, /) -> Any:
    """`text.casefold()`"""
    return _changed(text, "casefold")


def swapcase(text: Any, /) -> Any:
    """`text.swapcase()`"""
    if isinstance(text, bytes):
        return _changed(text, "swapcase")
    # Final sigmas become capitals as others do. Made like them, they are told from those that
    # stand for a capital.
    return _changed(_with_final_sigmas(mapped(text, tables.alike_sigmas())), "swapcase")


def capitalize(text: Any, /) -> Any:
    """`text.capitalize()`"""
    others = _changed(rest(_with_final_sigmas(text), 1), "lower")
    return concat(text, [_changed(part(text, 0, 1), "title"), others])


def title(text: Any, /) -> Any:
    """`text.title()`: each further word is a decision."""
    kind = tables.kind_of(text)
    cased, uncased = tables.char_class(kind, "cased"), tables.outside(kind, "cased")
    settled = _with_final_sigmas(text)
    end = length(text)
    parts: list[Any] = []
    position: Any = 0
    while True:
        start = position + span(part(text, position, end), uncased)
        parts.append(part(text, position, start))
        if decide(start >= end, "domain"):
            return concat(text, parts)
        position = start + span(part(text, start, end), cased)
        parts.append(_changed(part(text, start, start + 1), "title"))
        parts.append(_changed(part(settled, start + 1, position), "lower"))


def _changed(text: Any, name: str) -> Any:
    """Every character in another case, by itself."""
    kind = tables.kind_of(text)
    case = tables.case(kind, name)
    return mapped(text, case[0]) if kind is bytes else apply("expand", text, table=case)


def _with_final_sigmas(text: Any) -> Any:
    """The text with capital sigmas at the ends of words already in lower case."""
    if isinstance(text, bytes):
        return text
    classes = (tables.char_class(str, "cased"), tables.char_class(str, "ignorable"))
    return apply("final_sigma", text, table=classes)
