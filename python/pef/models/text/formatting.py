"""`format`: a value by a specification, as `format()`, f-strings and replacement fields use it.

Who is valid for what is CPython's to say: a sample value of the type meets the specification
first. What is left is layout: sign, prefix, digits, filling.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

from pef import _native
from pef._native import (
    CharMap,
    SymBool,
    SymBytes,
    SymFloat,
    SymInt,
    SymStr,
    apply,
    as_int,
    decide,
)
from pef.models.text import specs
from pef.models.text.decimals import float_formatted
from pef.models.text.digits import (
    check_limit,
    count_of_digits,
    decimal,
    joined,
    padded,
    sign_and_size,
)
from pef.models.text.printing import ascii_of, in_base, repr_of, str_of
from pef.models.text.specs import Spec, number_in_field, settled, spread
from pef.models.text.terms import character, mapped, part

_SAMPLES: dict[type, Any] = {SymInt: 1, SymBool: True, SymStr: "", SymFloat: 0.5}


def format_of(value: Any, spec: Any = "") -> Any:
    """`format(value, spec)`"""
    return format_by_parts(value, (spec,))


def format_by_parts(value: Any, parts: Sequence[Any]) -> Any:
    """As `format_of`; symbolic numbers among the parts stand for their digits."""
    kind = type(value)
    if kind in _SAMPLES or (kind in _PLAIN and any(map(_native.is_symbolic, parts))):
        return _formatted(value, parts)
    if kind is SymBytes and not any(parts):
        return str_of(value)
    spec = parts[0] if len(parts) == 1 else joined(*map(_written, parts))
    method = _special(kind)
    if isinstance(method, FunctionType):
        text = _native.__pef_sel__(method)(value, spec)
        if isinstance(text, str):
            return text
        raise TypeError(f"__format__ must return a str, not {_native.model_type(text).__name__}")
    if method is object.__format__ and type(spec) is str and not spec:
        return str_of(value)
    return format(_native.concrete(value), _native.pinned(spec, "format"))


_PLAIN = (int, bool, str, float)


def _written(part: Any) -> Any:
    return decimal(part) if isinstance(part, SymInt) else part


def _special(kind: type) -> Any:
    for base in kind.__mro__:
        if "__format__" in vars(base):
            return vars(base)["__format__"]
    return None


def shown(value: Any, conversion: str, parts: Sequence[Any]) -> Any:
    """A replacement field: `{value!conversion:parts}`."""
    if conversion == "r":
        value = repr_of(value)
    elif conversion == "s":
        value = str_of(value)
    elif conversion == "a":
        value = ascii_of(value)
    return format_by_parts(value, parts)


def _formatted(value: Any, parts: Sequence[Any]) -> Any:
    sample = _SAMPLES.get(type(value), value)
    for given in parts:
        if not isinstance(given, (str, SymInt)):
            return format(sample, given)
    parts = settled(parts)
    if not any(map(_native.is_symbolic, parts)) and not "".join(parts):
        return str_of(value)
    # What a width is does not matter for what is valid.
    format(sample, "".join(given if isinstance(given, str) else "1" for given in parts))
    spec = specs.read(parts, right=not isinstance(sample, str))
    return _laid_out(value, "".join(map(str, map(_native.concrete, parts))), spec)


def _laid_out(value: Any, text: str, spec: Spec) -> Any:
    if isinstance(value, str):
        return _text_laid_out(value, spec)
    if isinstance(value, float):
        return float_formatted(value, text, spec)
    if spec.type in ("e", "E", "f", "F", "g", "G", "%"):
        return float_formatted(_native.__pef_sel__(float)(value), text, spec)
    return int_formatted(as_int(value), text, spec)


def _text_laid_out(text: Any, spec: Spec) -> Any:
    if _native.is_symbolic(spec.precision) or spec.precision >= 0:
        text = part(text, 0, spec.precision)
    return padded(text, spec.width, spec.fill, spec.align or "<")


_BASES = {"b": (2, "0b"), "o": (8, "0o"), "x": (16, "0x"), "X": (16, "0X")}


def int_formatted(number: Any, text: str, spec: Spec) -> Any:
    """`format(number, text)` where `spec` is what the text says."""
    if spec.type == "c":
        return padded(char_of(number), spec.width, spec.fill, spec.align or ">")
    base, prefix = _BASES.get(spec.type, (10, ""))
    if spec.type == "n" and format(1234567, "n") != "1234567":
        return format(_native.pinned(number, "format"), text)
    if base == 10:
        check_limit(number)
        if spec.sign == "-" and spec.align != "=" and not spec.grouping:
            body = apply("from_int", number, table=10)
            return padded(body, spec.width, spec.fill, spec.align or ">")
    negative, size = sign_and_size(number)
    if spec.grouping:
        return _grouped(number, text, spec, (negative, size, base))
    body = apply("from_int", size, table=base)
    if spec.type == "X":
        body = mapped(body, UPPER)
    return number_in_field(spec, negative, prefix if spec.alternate else "", body)


UPPER = CharMap([(unit, unit - 32) for unit in range(0x61, 0x67)])
"""The letters that stand for digits, as capitals."""


def char_of(number: Any) -> Any:
    """The character of a number, in a format."""
    if not decide((number >= 0) & (number <= 0x10FFFF), "domain"):
        # The complaint is one for numbers that fit a C long, another for those that do not.
        decide((number >= 1 << 63) | (number < -(1 << 63)), "domain")
        return format(_native.concrete(number), "c")
    return character(number)


def _grouped(number: Any, text: str, spec: Spec, value: tuple[bool, Any, int]) -> Any:
    """Digits in groups: all numbers of as many digits and the same sign look alike."""
    negative, size, base = value
    count = count_of_digits(size, base)
    digit = {2: "1", 8: "7", 10: "8", 16: "8"}[base]
    if digit == spec.fill or _native.is_symbolic(spec.width):
        for given in (spec.width, number):
            _native.pinned(given, "format")
        return format(_native.concrete(number), text)
    sample = int(digit * count, base)
    shown = apply("from_int", size, table=base)
    if spec.type == "X":
        shown = mapped(shown, UPPER)
    return spread(format(-sample if negative else sample, text), digit, shown)


def format_method(*given: Any) -> Any:
    """`value.__format__(spec)`, however it is called."""
    if len(given) == 2 and isinstance(given[1], str):
        return format_of(*given)
    plain = [_native.concrete(value) for value in given]
    return type(plain[0]).__format__(*plain)


def _in_base(callee: Any, base: int, prefix: str) -> Any:
    def model(*given: Any) -> Any:
        if len(given) == 1 and _native.is_symbolic_number(given[0]):
            return in_base(as_int(given[0]), base, prefix)
        return callee(*map(_native.concrete, given))

    model.__name__ = callee.__name__
    return model


hex_of, oct_of, bin_of = _in_base(hex, 16, "0x"), _in_base(oct, 8, "0o"), _in_base(bin, 2, "0b")
