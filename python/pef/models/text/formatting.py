"""`format`: a value by a specification, as `format()`, f-strings and replacement fields use it.

Who is valid for what is CPython's to say: a sample value of the type meets the specification first. What is left is
layout: sign, prefix, digits, filling.
"""

from __future__ import annotations

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
from pef.models.text.digits import check_limit, count_of_digits, padded, sign_and_size
from pef.models.text.printing import ascii_of, repr_of, str_of
from pef.models.text.specs import Spec, number_in_field, spread
from pef.models.text.terms import character, length, mapped, part

_SAMPLES: dict[type, Any] = {SymInt: 1, SymBool: True, SymStr: "", SymFloat: 0.5}


def format_of(value: Any, spec: Any = "") -> Any:
    """`format(value, spec)`"""
    kind = type(value)
    if kind in _SAMPLES or (type(spec) is SymStr and kind in (int, bool, str, float)):
        if isinstance(spec, str):
            return _formatted(value, spec)
        return format(_native.concrete(value), spec)
    if kind is SymBytes:
        return str_of(value) if _is_empty(spec) else format(b"", _native.pinned(spec, "format"))
    method = _special(kind)
    if isinstance(method, FunctionType):
        text = _native.__pef_sel__(method)(value, spec)
        if isinstance(text, str):
            return text
        raise TypeError(f"__format__ must return a str, not {_native.model_type(text).__name__}")
    if method is object.__format__ and isinstance(spec, str) and _is_empty(spec):
        return str_of(value)
    return format(value, _native.pinned(spec, "format"))


def _special(kind: type) -> Any:
    for base in kind.__mro__:
        if "__format__" in vars(base):
            return vars(base)["__format__"]
    return None


def shown(value: Any, conversion: str, spec: Any) -> Any:
    """A replacement field: `{value!conversion:spec}`."""
    if conversion == "r":
        value = repr_of(value)
    elif conversion == "s":
        value = str_of(value)
    elif conversion == "a":
        value = ascii_of(value)
    return format_of(value, spec)


def _is_empty(spec: Any) -> bool:
    return decide(length(spec) == 0, "domain")


def _formatted(value: Any, text: Any) -> Any:
    if _is_empty(text):
        return str_of(value)
    sample = _sample(value)
    right = not isinstance(sample, str)
    if not _native.is_symbolic(text):
        format(sample, text)
        return _laid_out(value, text, specs.read(text, right=right))
    spec = specs.read(text, right=right)
    plain = _native.concrete(text)
    try:
        format(sample, plain)
    except ValueError:
        format(sample, _native.pinned(text, "format"))
    return _laid_out(value, plain, spec)


def _sample(value: Any) -> Any:
    return _SAMPLES.get(type(value), value)


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
        return padded(char_of(number), spec.width, spec.fill, spec.align or "<")
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


def install() -> None:
    """Puts the models of this room and its neighbours in place of the built-in functions."""
    import builtins

    from pef.models.text import characters, fields, printing

    for callee, base, prefix in ((hex, 16, "0x"), (oct, 8, "0o"), (bin, 2, "0b")):
        _native.register_model(callee, _in_base(callee, base, prefix))
    replaced: list[tuple[Any, Any]] = [
        (builtins.chr, characters.chr_of),
        (builtins.ord, characters.ord_of),
        (builtins.str, _native.model_str),
        (builtins.repr, _native.model_repr),
        (builtins.ascii, _native.model_ascii),
        (builtins.format, _native.model_format),
    ]
    for callee, model in replaced:
        _native.register_model(callee, model)
    for receiver in (str, SymStr):
        _native.register_guarded(receiver.format, fields.format_text)
        _native.register_guarded(receiver.format_map, fields.format_map)
    for kind in (SymInt, SymBool, SymStr, SymFloat):
        _native.register_guarded(kind.__format__, format_of)
        _native.register_guarded(kind.__repr__, printing.repr_of)
        _native.register_guarded(kind.__str__, printing.str_of)


def _in_base(callee: Any, base: int, prefix: str) -> Any:
    def model(number: Any, /) -> Any:
        if _native.is_symbolic_number(number):
            from pef.models.text.printing import in_base

            return in_base(as_int(number), base, prefix)
        return callee(number)

    model.__name__ = callee.__name__
    return model
