"""Text made of several: `join` and `*`."""

from __future__ import annotations

import operator
from typing import Any

from pef._native import as_int, concrete, decide, is_symbolic, pinned
from pef.models.text.calling import Unfit, operand
from pef.models.text.terms import concat, empty, length, part

_MOST = 1 << 12
"""A number of copies beyond this is pinned."""


def join(text: Any, iterable: Any, /) -> Any:
    """`text.join(iterable)`"""
    try:
        iterator = iter(iterable)
    except TypeError:
        raise Unfit from None
    # Not the iterable itself: a list would ask it for its length.
    items = list(iterator)
    pieces: list[Any] = []
    for item in items:
        try:
            pieces += [text, operand(text, item)]
        except Unfit:
            _complain(text, items)
            raise
    return concat(text, pieces[1:])


def _complain(text: Any, items: list[Any]) -> None:
    """Lets CPython say which item is of what wrong type."""
    concrete(text).join([concrete(item) for item in items])


def repeated(text: Any, count: Any) -> Any:
    """`text * count`"""
    if not isinstance(count, int):
        answer = _reflected(text, count)
        if answer is not NotImplemented:
            return answer
        if not hasattr(type(count), "__index__"):
            # CPython knows the words for it.
            return NotImplemented
        count = operator.index(count)
    copies = as_int(count)
    if decide(copies <= 0, "domain"):
        return empty(text)
    if not is_symbolic(copies):
        return concat(text, [text] * _checked(text, copies))
    if is_symbolic(text):
        return concat(text, [text] * _counted(copies))
    return _copies_of_plain(text, copies)


def _reflected(text: Any, count: Any) -> Any:
    """The other operand's own idea of the product: `str` has none, so it goes first."""
    method = getattr(type(count), "__rmul__", None)
    return NotImplemented if method is None else method(count, text)


def _checked(text: Any, copies: int) -> int:
    """A plain number of copies; CPython refuses some."""
    if copies > _MOST:
        "x" * copies  # noqa: B018
        return pinned(copies, "*")
    return copies


def _counted(copies: Any) -> int:
    """The value of a positive number, told by decisions."""
    known = 1
    while decide(copies > known, "domain"):
        known += 1
        if known > _MOST:
            return int(pinned(copies, "*"))
    return known


def _copies_of_plain(text: Any, copies: Any) -> Any:
    """A part of more copies than needed."""
    enough = 8
    while not decide(copies <= enough, "domain"):
        enough *= 8
        if enough > _MOST:
            return concrete(text) * pinned(copies, "*")
    return part(concrete(text) * enough, 0, copies * length(text))
