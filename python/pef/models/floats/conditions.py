"""Conditions on floats, as truths that may be symbolic.

`&` and `|` of two truths ask nothing, so a condition built here is one decision at most.
"""

from __future__ import annotations

from typing import Any

from pef._native import apply, is_symbolic_number

INFINITY = float("inf")


def real(value: Any) -> Any:
    """The number as a float: `float(value)` of a float, int or bool, symbolic or not."""
    if is_symbolic_number(value):
        return value.__float__()
    # What `math` takes: anything with `__float__` or `__index__`, but no text.
    return value if isinstance(value, float) else _plain_real(value)


def _plain_real(value: Any) -> float:
    import math

    # `fabs` accepts what every function of `math` accepts, and refuses in the same words.
    size = math.fabs(value)
    return float(value) if size != 0 else size


def is_nan(value: Any) -> Any:
    """`math.isnan`."""
    return apply("is_nan", value)


def is_infinite(value: Any) -> Any:
    """`math.isinf`."""
    return apply("float_eq", apply("float_abs", value), INFINITY)


def is_finite(value: Any) -> Any:
    """`math.isfinite`."""
    return apply("float_lt", apply("float_abs", value), INFINITY)


def negated(truth: Any) -> Any:
    """`not truth`, without asking."""
    return truth ^ True


def is_whole(value: Any) -> Any:
    """`float.is_integer`."""
    return apply("float_eq", apply("float_trunc", value), value) & is_finite(value)
