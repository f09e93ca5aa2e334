"""Parts of text by position: `text[i:j:k]`, `reversed`, iteration.

Bounds stay terms; which end they count from is decided, and with a step, whether there is one more
character.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from pef._native import as_int, concrete, decide
from pef.models.text.terms import code, concat, length, part


def slice_of(text: Any, bounds: slice) -> Any:
    """`text[bounds]`"""
    step = 1 if bounds.step is None else _index(bounds.step)
    if decide(step == 0, "domain"):
        raise ValueError("slice step cannot be zero")
    start = None if bounds.start is None else _index(bounds.start)
    stop = None if bounds.stop is None else _index(bounds.stop)
    if decide(step > 0, "domain"):
        window = part(text, _place(text, start, 0), _place(text, stop, length(text)))
        return window if decide(step == 1, "domain") else _every(window, step)
    # The first character is the one at `start`, so the window ends behind it.
    first = 0 if stop is None else _place(text, stop, 0) + 1
    end = length(text) if start is None else _place(text, start, 0) + 1
    return _every(part(text, first, end), step)


def _index(value: Any) -> Any:
    if isinstance(value, int):
        return as_int(value)
    if hasattr(type(value), "__index__"):
        return operator.index(value)
    raise TypeError("slice indices must be integers or None or have an __index__ method")


def _place(text: Any, bound: Any, default: Any) -> Any:
    """A bound counted from the start; before the text it may be negative."""
    if bound is None:
        return default
    if decide(bound < 0, "domain"):
        return length(text) + bound
    return bound


def _every(text: Any, step: Any) -> Any:
    """The first character and every `step`-th after it; from the end if the step is negative."""
    parts: list[Any] = []
    if decide(step > 0, "domain"):
        position: Any = 0
        while decide(position < length(text), "domain"):
            parts.append(part(text, position, position + 1))
            position = position + step
    else:
        position = length(text) - 1
        while decide(position >= 0, "domain"):
            parts.append(part(text, position, position + 1))
            position = position + step
    return concat(text, parts)


def item_of(text: Any, index: Any) -> Any:
    """`text[index]` where the index is no int."""
    if hasattr(type(index), "__index__"):
        return text[operator.index(index)]
    return concrete(text)[concrete(index)]


def iterate(text: Any) -> Iterator[Any]:
    """`iter(text)`: whether there is one more character is a decision each time."""
    position = 0
    while decide(length(text) > position, "for"):
        yield _item(text, position)
        position += 1


def backwards(text: Any) -> Iterator[Any]:
    """`reversed(text)`"""
    position = length(text) - 1
    while decide(position >= 0, "for"):
        yield _item(text, position)
        position = position - 1


def _item(text: Any, position: Any) -> Any:
    """What iteration gives: a text of one character, or a number."""
    return part(text, position, position + 1) if isinstance(text, str) else code(text, position)
