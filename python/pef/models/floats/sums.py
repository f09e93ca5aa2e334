"""Sums and products, which CPython accumulates in C.

Since 3.12 `sum` keeps the rounding errors of floats and adds them at the end. The error of one
addition is computed here without asking which operand is larger; it is the same number.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

from pef import _native
from pef._native import apply, decide, is_symbolic_number
from pef.models.floats.conditions import is_finite, negated

_COMPENSATED = sys.version_info >= (3, 12)


def sum_model(*arguments: Any, **named: Any) -> Any:
    """`sum`."""
    if len(arguments) == 2 and not named:
        return _sum(iter(arguments[0]), arguments[1])
    if len(arguments) == 1 and named.keys() <= {"start"}:
        return _sum(iter(arguments[0]), named.get("start", 0))
    return sum(*arguments, **named)


def _sum(items: Iterator[Any], total: Any) -> Any:
    if isinstance(total, (str, bytes, bytearray)):
        return sum(items, total)
    if _is_int(total):
        for item in items:
            total = total + item
            if not _is_int(total):
                break
    if _COMPENSATED and _is_float(total):
        total = _sum_of_floats(items, total)
    for item in items:
        total = total + item
    return total


def _is_int(value: object) -> bool:
    return is_symbolic_number(value) or type(value) in (int, bool)


def _is_float(value: object) -> bool:
    return isinstance(value, _native.SymFloat) or type(value) is float


def _sum_of_floats(items: Iterator[Any], total: Any) -> Any:
    """Adds floats and small ints up to the first item that is neither."""
    error: Any = 0.0
    for item in items:
        if _is_float(item):
            total, lost = _two_sum(total, item)
            error = apply("float_add", error, lost)
        elif _fits_a_long(item):
            if sys.version_info >= (3, 14):
                total, lost = _two_sum(total, item.__float__())
                error = apply("float_add", error, lost)
            else:
                total = total + item
        else:
            return _compensated(total, error) + item
    return _compensated(total, error)


def _fits_a_long(item: Any) -> bool:
    if not isinstance(item, int):
        return False
    return decide(item >= -(2**63), "domain") and decide(item < 2**63, "domain")


def _two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded sum and, if that is finite, its error."""
    total = apply("float_add", a, b)
    share = apply("float_sub", total, a)
    lost_of_a = apply("float_sub", a, apply("float_sub", total, share))
    return total, apply("float_add", lost_of_a, apply("float_sub", b, share))


def _compensated(total: Any, error: Any) -> Any:
    if decide(negated(apply("float_eq", error, 0.0)) & is_finite(error), "domain"):
        return apply("float_add", total, error)
    return total


def prod_model(*arguments: Any, **named: Any) -> Any:
    """`math.prod`: one multiplication after the other, ints and floats alike."""
    if len(arguments) != 1 or not named.keys() <= {"start"}:
        return math.prod(*arguments, **named)
    total = named.get("start", 1)
    for item in arguments[0]:
        total = total * item
    return total
