"""The digits of a symbolic number, and text made as wide as asked: what every way of printing shares.

Digits are one term (`from_int`), padding is a slice of plain filling whose start is the length of the text: neither asks
anything. What asks is what changes the layout: the sign, the number of digits where they are grouped, and CPython's
limit on the digits it converts.
"""

from __future__ import annotations

import sys
from typing import Any

from pef import _native
from pef._native import apply, decide

WIDEST = 2_000
"""A field that is wider is not built as a term."""


def digit_limit() -> int:
    """How many digits CPython converts to or from decimal; 0 if there is no limit."""
    limit = getattr(sys, "get_int_max_str_digits", None)
    return limit() if limit is not None else 0


def decimal(number: Any) -> Any:
    """`str(number)` of an int, with the error for one that is too long."""
    limit = digit_limit()
    if limit and _native.is_symbolic(number):
        bound = 10**limit
        if decide((number >= bound) | (number <= -bound), "domain"):
            return str(_native.concrete(number))
    return apply("from_int", number, table=10)


def sign_and_size(number: Any) -> tuple[bool, Any]:
    """Whether the number is negative, as a decision, and its absolute value."""
    negative = decide(number < 0, "domain")
    return negative, -number if negative else number


def digits(size: Any, base: int) -> Any:
    """The digits of a number that is not negative."""
    return decimal(size) if base == 10 else apply("from_int", size, table=base)


def count_of_digits(size: Any, base: int) -> int:
    """How many digits a number that is not negative has, one decision per digit."""
    count = 1
    while decide(size >= base**count, "domain"):
        count += 1
    return count


def concat(*parts: Any) -> Any:
    """The parts one after the other, without the empty ones."""
    kept = [part for part in parts if _native.is_symbolic(part) or part]
    if len(kept) < 2:
        return kept[0] if kept else ""
    return apply("concat", *kept)


def filling(fill: str, text: Any, width: Any) -> Any:
    """What is missing from `text` to be `width` wide, in characters of `fill`."""
    length = apply("length", text)
    return _filling(fill, length, settled_width(length, width))


def _filling(fill: str, length: Any, width: int) -> Any:
    if not _native.is_symbolic(length):
        return fill * (width - length)
    return apply("slice", fill * width, length, width)


def settled_width(length: Any, width: Any) -> int:
    """A plain width; for a symbolic one, how much wider than the text it is becomes decisions."""
    if not _native.is_symbolic(width):
        return width if width < WIDEST else int(_native.pinned(width, "format"))
    if decide(width <= length, "domain"):
        return 0
    known = 1
    while decide(width > known, "domain"):
        known += 1
    return known


def padded(text: Any, width: Any, fill: str, align: str) -> Any:
    """The text in a field, at the left (`<`), right (`>`) or middle (`^`) of it."""
    if not _native.is_symbolic(width) and width <= 0:
        return text
    missing = filling(fill, text, width)
    if align == "<":
        return concat(text, missing)
    if align == ">":
        return concat(missing, text)
    count = apply("length", missing)
    before = count // 2
    return concat(apply("slice", missing, 0, before), text, apply("slice", missing, before, count))
