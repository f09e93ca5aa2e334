"""`chr` and `ord`: between characters and their numbers."""

from __future__ import annotations

import sys
from typing import Any

from pef import _native
from pef._native import as_int, decide
from pef.models.text.digits import decimal, joined
from pef.models.text.terms import character, code, length

_LAST = 0x10FFFF
_C_INT = 1 << 31


def chr_of(*given: Any) -> Any:
    """`chr(number)`: whether there is such a character is a decision."""
    if len(given) != 1 or not _native.is_symbolic_number(given[0]):
        return chr(*given)
    number = as_int(given[0])
    if decide((number >= 0) & (number <= _LAST), "domain"):
        return character(number)
    if sys.version_info < (3, 13):
        # Which error it is depends on whether the number fits a C int.
        decide((number >= -_C_INT) & (number < _C_INT), "domain")
    return chr(_native.concrete(number))


def ord_of(*given: Any) -> Any:
    """`ord(text)`: whether it is one character is a decision."""
    if len(given) != 1 or not _native.is_symbolic(given[0]) or not _is_text(given[0]):
        return ord(*map(_native.concrete, given))
    text = given[0]
    size = length(text)
    if decide(size == 1, "domain"):
        return code(text, 0)
    message = "ord() expected a character, but string of length "
    raise TypeError(joined(message, decimal(size), " found"))


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, bytes))
