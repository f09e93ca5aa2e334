"""Floats as text, where a term can say it.

The shortest decimal that reads back as a float has no theory. Whole numbers have one: their
digits. What is not finite has a name. So whether a float is whole or not finite is a decision, and
other floats are pinned.
"""

from __future__ import annotations

from typing import Any

from pef import _native
from pef._native import apply, decide
from pef.models.text.digits import count_of_digits, joined
from pef.models.text.specs import Spec, number_in_field, spread

_SHORTEST_BELOW = 1e16
"""From here on `repr` uses an exponent."""

_EXACT_DIGITS = 15
"""All whole numbers of so many digits are floats."""


def float_shown(number: Any) -> Any:
    """`repr(number)`"""
    if not _native.is_symbolic(number):
        return repr(_native.concrete(number))
    if not _is_whole(number, _SHORTEST_BELOW):
        return repr(_named(number) or _native.pinned(number, "repr"))
    negative, size = _sign_and_size(number)
    return joined("-" if negative else "", apply("from_int", size, table=10), ".0")


def float_formatted(number: Any, text: str, spec: Spec) -> Any:
    """`format(number, text)` where `spec` is what the text says."""
    places = _places(spec)
    if places is None or spec.no_negative_zero or _native.is_symbolic(spec.precision):
        return _surrendered(number, text, spec)
    bound, fraction = places
    scaled = apply("float_mul", number, 100.0) if spec.type == "%" else number
    if not _is_whole(scaled, bound):
        return _surrendered(number, text, spec)
    negative, size = _sign_and_size(scaled)
    if spec.grouping:
        return _grouped(number, text, spec, negative, size)
    percent = "%" if spec.type == "%" else ""
    body = joined(apply("from_int", size, table=10), fraction, percent)
    return number_in_field(spec, negative, "", body)


def _surrendered(number: Any, text: str, spec: Spec) -> str:
    widths = (spec.width, spec.precision)
    for width in widths:
        _native.pinned(width, "format")
    return format(_named(number) or _native.pinned(number, "format"), text)


def _named(number: Any) -> float | None:
    """The number if it has no digits: not a number, or infinite. Decides which."""
    if not _native.is_symbolic(number):
        return None
    if decide(apply("is_nan", number), "domain"):
        return float("nan")
    infinity = float("inf")
    if not decide(apply("float_eq", apply("float_abs", number), infinity), "domain"):
        return None
    return -infinity if decide(apply("is_negative", number), "domain") else infinity


def _places(spec: Spec) -> tuple[float, str] | None:
    """Below which bound a whole number is its digits and what follows them; `None` if nowhere."""
    if spec.type in ("f", "F", "%"):
        precision = 6 if spec.precision < 0 else spec.precision
        point = "." if precision or spec.alternate else ""
        return float("inf"), point + "0" * precision
    if spec.type == "" and spec.precision < 0:
        return _SHORTEST_BELOW, ".0"
    if spec.alternate or spec.type not in ("", "g", "G"):
        return None
    precision = 6 if spec.precision < 0 else max(spec.precision, 1)
    if spec.type == "":
        return 10.0 ** min(precision - 1, _EXACT_DIGITS), ".0"
    return 10.0 ** min(precision, _EXACT_DIGITS), ""


def _is_whole(number: Any, bound: float) -> bool:
    """Whether a float is whole and its size below the bound: a decision."""
    whole = apply("float_eq", apply("float_trunc", number), number)
    return decide(whole & apply("float_lt", apply("float_abs", number), bound), "domain")


def _sign_and_size(number: Any) -> tuple[bool, Any]:
    """Whether there is a minus, also before a zero, and the whole number without it."""
    negative = decide(apply("is_negative", number), "domain")
    size = apply("float_to_int", number)
    return negative, -size if negative else size


def _grouped(number: Any, text: str, spec: Spec, negative: bool, size: Any) -> Any:
    count = count_of_digits(size, 10)
    if count > _EXACT_DIGITS or spec.fill in "89" or _native.is_symbolic(spec.width):
        return _surrendered(number, text, spec)
    sample = float("8" * count) * (-1 if negative else 1) / (100 if spec.type == "%" else 1)
    layout = format(sample, text)
    digits = apply("from_int", size, table=10)
    if layout.count("8") != count:
        return _surrendered(number, text, spec)
    return spread(layout, "8", digits)
