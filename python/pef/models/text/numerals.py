"""How numbers are written: the languages of text that `int` and `float` accept, made when first
needed.
"""

from __future__ import annotations

import functools
import unicodedata
from typing import Any

from pef._native import CharClass, CharMap, Language
from pef.models.text import tables

_SIGN = ("repeat", CharClass([(0x2B, 0x2B), (0x2D, 0x2D)]), 0, 1)
_POINT = CharClass([(0x2E, 0x2E)])
_UNDERSCORE = ("repeat", CharClass([(0x5F, 0x5F)]), 0, 1)
_ASCII_SPACE = [(0x09, 0x0D), (0x20, 0x20)]
_DIGIT = CharClass([(0x30, 0x39)])


@functools.cache
def space(kind: type) -> CharClass:
    """What may stand around a number; of ASCII less than `isspace` says."""
    ranges = list(_ASCII_SPACE)
    if kind is str:
        wide = tables.char_class(str, "space").ranges()
        ranges += [(max(first, 0x80), last) for first, last in wide if last >= 0x80]
    return CharClass(ranges)


@functools.cache
def _decimals() -> tuple[tuple[int, int], ...]:
    """All digits of all scripts with their values."""
    digits = tables.char_class(str, "decimal").ranges()
    units = (unit for first, last in digits for unit in range(first, last + 1))
    return tuple((unit, unicodedata.decimal(chr(unit))) for unit in units)


@functools.cache
def to_ascii() -> CharMap:
    """Digits of all scripts to those of ASCII."""
    return CharMap([(unit, 0x30 + value) for unit, value in _decimals()])


def mantissa() -> CharClass:
    """What stands before an exponent."""
    return CharClass([(0x2E, 0x2E), (0x30, 0x39)])


@functools.cache
def plain_int(base: int) -> Language:
    """A sign and digits of ASCII."""
    if base == 0:
        decimal = [CharClass([(0x31, 0x39)]), ("repeat", _DIGIT, 0, None)]
        zeros = ("repeat", CharClass([(0x30, 0x30)]), 1, None)
        return Language([_SIGN, ("choice", decimal, zeros)])
    return Language([_SIGN, ("repeat", _digits(bytes, base), 1, None)])


@functools.cache
def any_int(kind: type, base: int) -> Language:
    """Everything that `int(text, base)` accepts."""
    forms: list[Any] = []
    if base == 0:
        leading = _digits(kind, 10, 1)
        further = ("repeat", [_UNDERSCORE, _digits(kind, 10)], 0, None)
        forms += [[leading, further], _run(_digits(kind, 1))]
    else:
        forms.append(_run(_digits(kind, base)))
    for radix, letters in ((2, "bB"), (8, "oO"), (16, "xX")):
        if base in (0, radix):
            prefix = [_digits(kind, 1), tables.of_units(map(ord, letters)), _UNDERSCORE]
            forms.append([*prefix, _run(_digits(kind, radix))])
    return Language(_surrounded(kind, [_SIGN, ("choice", *forms)]))


def _surrounded(kind: type, pattern: object) -> object:
    around = ("repeat", space(kind), 0, None)
    return [around, pattern, around]


def _run(digit: CharClass) -> object:
    """Digits, perhaps with single underscores between them."""
    return [digit, ("repeat", [_UNDERSCORE, digit], 0, None)]


@functools.cache
def _digits(kind: type, base: int, least: int = 0) -> CharClass:
    """The digits of a base, from a value on."""
    low = range(least, min(base, 10))
    units = {0x30 + value for value in low}
    if kind is str:
        units |= {unit for unit, value in _decimals() if value in low}
    for value in range(10, base):
        units |= {0x41 + value - 10, 0x61 + value - 10}
    return tables.of_units(sorted(units))


@functools.cache
def plain_float() -> Language:
    """A sign and digits of ASCII, perhaps with a point."""
    some, any_ = ("repeat", _DIGIT, 1, None), ("repeat", _DIGIT, 0, None)
    tail = ("repeat", [_POINT, any_], 0, 1)
    return Language([_SIGN, ("choice", [some, tail], [_POINT, some])])


@functools.cache
def any_float(kind: type) -> Language:
    """Everything that `float(text)` accepts."""
    run = _run(_digits(kind, 10))
    maybe = ("repeat", run, 0, 1)
    number = ("choice", [run, ("repeat", [_POINT, maybe], 0, 1)], [_POINT, run])
    exponent = ("repeat", [CharClass([(0x45, 0x45), (0x65, 0x65)]), _SIGN, run], 0, 1)
    forms = ("choice", [number, exponent], *map(_special, ("inf", "nan")))
    return Language(_surrounded(kind, [_SIGN, forms]))


@functools.cache
def special_float(name: str) -> Language:
    """An infinity, or `nan`."""
    return Language([_SIGN, _special(name)])


def _special(name: str) -> object:
    if name == "nan":
        return _word("nan")
    return [*_word("inf"), ("repeat", _word("inity"), 0, 1)]


def _word(word: str) -> list[CharClass]:
    return [tables.of_units({ord(char), ord(char.upper())}) for char in word]
