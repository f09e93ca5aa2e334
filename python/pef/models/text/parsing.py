"""Numbers read from text: `int(s)`, `int(s, base)` and `float(s)`.

Nearly all text that is a number is a sign and digits: one decision, which costs no depth if that is
how it is, and the value is a term.
Whether other text is a number at all is one more; only then is it taken apart: space around it,
digits of other scripts, underscores, prefixes, exponents.
"""

from __future__ import annotations

import operator
from typing import Any

from pef import _native
from pef._native import apply, as_int, decide
from pef.models.text import numerals, tables
from pef.models.text.calling import surrendered
from pef.models.text.digits import digit_limit, joined, too_many_digits
from pef.models.text.printing import quoted
from pef.models.text.terms import code, find, is_in, length, mapped, part, rest, rspan, span

_LONGEST_SHOWN = 200
_WIDEST_EXPONENT = 100_000
_UNDERSCORE = tables.of_units((0x5F,))
_COUNTED_PLACES = 2
_PLACES = (6, 20, 400)
_PREFIXES = {2: "bB", 8: "oO", 16: "xX"}


def int_of(*given: Any, **named: Any) -> Any:
    """`int(text)` and `int(text, base)`"""
    base = given[1] if len(given) > 1 else named.get("base", 10)
    known = len(given) + len(named) in (1, 2) and named.keys() <= {"base"}
    if known and given and isinstance(given[0], (str, bytes)) and hasattr(type(base), "__index__"):
        return int_of_text(given[0], base)
    return surrendered(int, *given, **named)


def int_of_text(text: Any, base: Any) -> Any:
    """The number that is written in `text`, which is a `str` or `bytes`."""
    base = operator.index(_native.pinned(base, "int"))
    int("0", base)
    kind = tables.kind_of(text)
    plain = apply("matches", text, table=numerals.plain_int(base))
    if decide(plain & _is_short(text, base or 10), "domain", "yes"):
        return apply("to_int", text, table=base or 10)
    if decide(plain, "domain"):
        return _digits_value(text, base or 10)
    if decide(apply("matches", text, table=numerals.any_int(kind, base)), "domain"):
        return _unusual_int(text, base)
    shown = part(quoted(text), 0, _LONGEST_SHOWN)
    raise ValueError(joined(f"invalid literal for int() with base {base}: ", shown))


def _is_short(text: Any, base: int) -> Any:
    """Whether text surely has no more digits than CPython reads; part of the usual decision."""
    limit = digit_limit()
    return length(text) <= limit if limit and base & (base - 1) else True


def _digits_value(text: Any, base: int) -> Any:
    """The value of a sign and digits of the base."""
    limit = digit_limit()
    if limit and base & (base - 1):
        count = length(text) - _signs(text)
        if not decide(count <= limit, "domain"):
            raise too_many_digits(count, base)
    return apply("to_int", text, table=base)


def _unusual_int(text: Any, base: int) -> Any:
    text = _without_underscores(_normal(text))
    for radix in (base,) if base else (2, 8, 16):
        if radix in _PREFIXES and _has_prefix(text, radix):
            negative, size = _split_sign(text)
            value = apply("to_int", rest(size, 2), table=radix)
            return -value if negative else value
    return _digits_value(text, base or 10)


def _has_prefix(text: Any, radix: int) -> bool:
    """Whether a number begins with `0x` or the like, after its sign: a decision."""
    letter = tables.of_units(map(ord, _PREFIXES[radix]))
    start = _signs(text)
    return decide((code(text, start) == 0x30) & is_in(code(text, start + 1), letter), "domain")


def _signs(text: Any) -> Any:
    """How many signs stand before a number: one or none."""
    return as_int(is_in(code(text, 0), tables.char_class(tables.kind_of(text), "sign")))


def _split_sign(text: Any) -> tuple[bool, Any]:
    """Whether there is a minus, as a decision, and the text after the sign."""
    return not decide(code(text, 0) != 0x2D, "domain"), rest(text, _signs(text))


def _normal(text: Any) -> Any:
    """A number without the space around it, in the digits of ASCII."""
    space = numerals.space(tables.kind_of(text))
    inner = part(text, span(text, space), length(text) - rspan(text, space))
    return mapped(inner, numerals.to_ascii()) if isinstance(text, str) else inner


def _without_underscores(text: Any) -> Any:
    return apply("without", text, table=_UNDERSCORE)


def float_of_text(text: Any) -> Any:
    """`float(text)`, of a `str` or `bytes`."""
    kind = tables.kind_of(text)
    if decide(apply("matches", text, table=numerals.plain_float()), "domain", "yes"):
        negative, size = _split_sign(text)
        return _signed(negative, _decimal_value(size))
    if not decide(apply("matches", text, table=numerals.any_float(kind)), "domain"):
        raise ValueError(joined("could not convert string to float: ", quoted(text)))
    text = _normal(text)
    for name in ("inf", "nan"):
        if decide(apply("matches", text, table=numerals.special_float(name)), "domain"):
            negative, _ = _split_sign(text)
            return float("-" * negative + name)
    negative, size = _split_sign(_without_underscores(text))
    return _signed(negative, _scientific_value(size))


def _signed(negative: bool, value: Any) -> Any:
    return apply("float_neg", value) if negative else value


def _decimal_value(text: Any, exponent: int = 0) -> Any:
    """Digits with or without a point, times a power of ten, rounded once."""
    digits, places = _split_point(text)
    number = apply("to_int", digits, table=10)
    power = exponent - places
    if power >= 0:
        return apply("int_div", number * 10**power, 1)
    return apply("int_div", number, 10**-power)


def _scientific_value(text: Any) -> Any:
    letter = span(text, numerals.mantissa())
    if decide(letter == length(text), "domain"):
        return _decimal_value(text)
    exponent = _native.pinned(apply("to_int", rest(text, letter + 1), table=10), "float")
    if abs(exponent) > _WIDEST_EXPONENT:
        return float(_native.pinned(text, "float"))
    return _decimal_value(part(text, 0, letter), exponent)


def _split_point(text: Any) -> tuple[Any, int]:
    """The digits without the point, and how many of them stand after it.

    A few are counted. Zeros at the end change nothing, so more need not be.
    """
    point = "." if isinstance(text, str) else b"."
    if not decide(apply("contains", text, point), "domain"):
        return text, 0
    position = find(text, point, 0)
    fraction = rest(text, position + 1)
    for places in range(_COUNTED_PLACES + 1):
        if decide(length(fraction) == places, "domain"):
            return apply("concat", part(text, 0, position), fraction), places
    for places in _PLACES:
        if decide(length(fraction) <= places, "domain"):
            zeros = "0" * places if isinstance(text, str) else b"0" * places
            filled = part(apply("concat", fraction, zeros), 0, places)
            return apply("concat", part(text, 0, position), filled), places
    text = _native.pinned(text, "float")
    return text.replace(point, point[:0]), len(text) - text.index(point) - 1
