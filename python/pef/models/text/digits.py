"""The digits of a symbolic number, and text in a field: what every way of printing shares.

Digits are one term, and so is the filling of a field: neither asks anything. What asks is what
changes the layout: the sign, the number of digits where they are grouped, and CPython's limit on
the digits it converts.
"""

from __future__ import annotations

import sys
from typing import Any

from pef import _native
from pef._native import apply, decide
from pef.models.text.padding import filler
from pef.models.text.terms import length, part

WIDEST = 1 << 12
"""A field that is wider is filled by a plain number of characters."""


def digit_limit() -> int:
    """How many digits CPython converts to or from decimal; 0 if there is no limit."""
    limit = getattr(sys, "get_int_max_str_digits", None)
    return int(limit()) if limit is not None else 0


def decimal(number: Any) -> Any:
    """`str(number)` of an int, with CPython's complaint about one that is too long."""
    check_limit(number)
    return apply("from_int", number, table=10)


def too_many_digits(count: Any, base: int) -> ValueError:
    """CPython's complaint about text with this many digits, which may be symbolic."""
    sample = digit_limit() + 1
    try:
        int("1" * sample, base)
    except ValueError as problem:
        before, _, after = str(problem).partition(str(sample))
    return ValueError(joined(before, apply("from_int", count, table=10), after))


def check_limit(number: Any) -> None:
    """Complains as CPython does about a number with too many decimal digits: a decision."""
    limit = digit_limit()
    if limit and _native.is_symbolic(number):
        bound = 10**limit
        if not decide((number > -bound) & (number < bound), "domain"):
            str(_native.concrete(number))  # raises; the message is the same for all of them


def sign_and_size(number: Any) -> tuple[bool, Any]:
    """Whether the number is negative, as a decision, and its absolute value."""
    negative = not decide(number >= 0, "domain")
    return negative, -number if negative else number


def count_of_digits(size: Any, base: int) -> int:
    """How many digits a number that is not negative has: a decision for each."""
    count = 1
    while not decide(size < base**count, "domain"):
        count += 1
    return count


def joined(*parts: Any) -> Any:
    """The parts one after the other."""
    kept = [part for part in parts if _native.is_symbolic(part) or part]
    if len(kept) < 2:
        return kept[0] if kept else ""
    return apply("concat", *kept)


def missing(fill: str, size: Any, width: Any) -> Any:
    """What a text of this size lacks to be `width` wide."""
    if _native.is_symbolic(width) or width > WIDEST or not _native.is_symbolic(size):
        return filler(fill, width - size)
    return part(fill * width, size, width)


def padded(text: Any, width: Any, fill: str, align: str) -> Any:
    """The text in a field, at its left (`<`), right (`>`) or in the middle (`^`)."""
    if not _native.is_symbolic(width) and width <= 0:
        return text
    filling = missing(fill, length(text), width)
    if align == "<":
        return joined(text, filling)
    if align == ">":
        return joined(filling, text)
    count = length(filling)
    before = count // 2
    return joined(part(filling, 0, before), text, part(filling, before, count))
