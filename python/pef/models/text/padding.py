"""Text of a certain width: `ljust`, `rjust`, `center`, `zfill`.

As many fill characters as needed are a part of a text that has more than enough, so that the length
of the text need not be known.
"""

from __future__ import annotations

from typing import Any

from pef._native import apply, as_int, decide, is_symbolic, pinned
from pef.models.text import tables
from pef.models.text.calling import Unfit, operand, size
from pef.models.text.terms import code, concat, is_in, length, part, rest

_MOST = 1 << 16
"""More fill characters than this are not symbolic."""

_SPACE = object()
"""No fill character was given."""


def filler(fill: Any, amount: Any) -> Any:
    """`fill`, one unit, as many times as `amount` says; none if that is negative."""
    if not is_symbolic(amount):
        return repeated_unit(fill, max(amount, 0))
    enough = 8
    while not decide(amount <= enough, "domain"):
        enough *= 16
        if enough > _MOST:
            return repeated_unit(fill, pinned(amount, "padding"))
    return part(repeated_unit(fill, enough), 0, amount)


def repeated_unit(fill: Any, count: int) -> Any:
    """`fill` a known number of times."""
    return concat(fill, [fill] * count) if is_symbolic(fill) else fill * count


def _filler_up_to(fill: Any, amount: Any, width: Any) -> Any:
    """As `filler`, for an amount that is at most `width`."""
    if is_symbolic(amount) and not is_symbolic(width) and 0 <= width <= _MOST:
        return part(repeated_unit(fill, width), 0, amount)
    return filler(fill, amount)


def ljust(text: Any, width: Any, fillchar: Any = _SPACE, /) -> Any:
    """`text.ljust(width, fillchar)`"""
    columns, fill = size(width), _fill(text, fillchar)
    return concat(text, [text, _filler_up_to(fill, columns - length(text), columns)])


def rjust(text: Any, width: Any, fillchar: Any = _SPACE, /) -> Any:
    """`text.rjust(width, fillchar)`"""
    columns, fill = size(width), _fill(text, fillchar)
    return concat(text, [_filler_up_to(fill, columns - length(text), columns), text])


def center(text: Any, width: Any, fillchar: Any = _SPACE, /) -> Any:
    """`text.center(width, fillchar)`"""
    columns, fill = size(width), _fill(text, fillchar)
    margin = columns - length(text)
    # Of an odd margin the larger half goes to the left if the width is odd, too.
    left = (margin + columns % 2) // 2
    before = _filler_up_to(fill, left, columns)
    return concat(text, [before, text, _filler_up_to(fill, margin - left, columns)])


def zfill(text: Any, width: Any, /) -> Any:
    """`text.zfill(width)`"""
    columns = size(width)
    zero = "0" if isinstance(text, str) else b"0"
    zeros = _filler_up_to(zero, columns - length(text), columns)
    signs = as_int(is_in(code(text, 0), tables.char_class(tables.kind_of(text), "sign")))
    return concat(text, [part(text, 0, signs), zeros, rest(text, signs)])


def _fill(text: Any, fillchar: Any) -> Any:
    if fillchar is _SPACE:
        return " " if isinstance(text, str) else b" "
    fill = operand(text, fillchar)
    if not decide(apply("length", fill) == 1, "domain"):
        if isinstance(text, bytes):
            raise Unfit
        raise TypeError("The fill character must be exactly one character long")
    return fill
