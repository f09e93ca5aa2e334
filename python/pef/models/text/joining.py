"""Text made of several: `join` and `*`."""

from __future__ import annotations

import operator
import sys
from types import FunctionType
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
    if decide((copies > sys.maxsize) | (copies < -sys.maxsize - 1), "domain"):
        raise OverflowError("cannot fit 'int' into an index-sized integer")
    if decide(copies <= 0, "domain"):
        return empty(text)
    if not is_symbolic(text):
        return _copies_of_plain(text, copies)
    known = _counted(copies) if is_symbolic(copies) else copies
    if known > _MOST:
        return pinned(text, "*") * known
    return concat(text, [text] * known)


def _reflected(text: Any, count: Any) -> Any:
    """The other operand's own idea of the product: `str` has none, so it goes first."""
    method = getattr(type(count), "__rmul__", None)
    # In C only numbers have one of their own, and they are ints.
    return method(count, text) if isinstance(method, FunctionType) else NotImplemented


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
