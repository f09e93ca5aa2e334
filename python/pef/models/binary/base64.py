"""Base 64, as `binascii` does it; the module `base64` is Python over these.

Three bytes are four digits, and a digit is a map of a number below 64. What is no digit is skipped,
so text that is not well formed is decided character by character.
"""

from __future__ import annotations

import binascii
from functools import cache
from typing import Any

from pef._native import CharClass, CharMap, Language, apply, decide
from pef.models.binary.buffers import publish_function
from pef.models.binary.hexadecimal import ascii_bytes
from pef.models.binary.octets import from_octets, joined, octets, size_of
from pef.models.text.calling import Unfit, contents
from pef.models.text.terms import length

_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_PAD = ord("=")


@cache
def _shown() -> CharMap:
    return CharMap(list(enumerate(_DIGITS)))


@cache
def _value() -> CharMap:
    return CharMap([(digit, value) for value, digit in enumerate(_DIGITS)])


@cache
def _digit() -> CharClass:
    return CharClass([(43, 43), (47, 57), (65, 90), (97, 122)])


@cache
def _well_formed() -> Language:
    digit, pad = _digit(), CharClass([(_PAD, _PAD)])
    whole = ("repeat", [digit] * 4, 0, None)
    return Language([whole, ("choice", None, [digit, digit, pad, pad], [digit] * 3 + [pad])])


def _encoded(data: Any, /, *, newline: Any = True) -> Any:
    numbers = octets(contents(data))
    codes: list[Any] = []
    for start in range(0, len(numbers), 3):
        codes += _four_digits(numbers[start : start + 3])
    return joined([from_octets(codes), b"\n"] if newline else [from_octets(codes)])


def _four_digits(numbers: list[Any]) -> list[Any]:
    """The digits of up to three bytes, filled up."""
    first, second, third = [*numbers, 0, 0][:3]
    values = [
        first // 4,
        first % 4 * 16 + second // 16,
        second % 16 * 4 + third // 64,
        third % 64,
    ]
    present = len(numbers) + 1
    digits: list[Any] = [apply("map_code", value, table=_shown()) for value in values[:present]]
    return digits + [_PAD] * (4 - present)


def _decoded(data: Any, /, *, strict_mode: Any = False) -> Any:
    data = ascii_bytes(data)
    if decide(apply("matches", data, table=_well_formed()), "domain"):
        return _of_well_formed(data)
    if strict_mode:
        raise Unfit
    return _bytes_of(_digits_in(data))


def _of_well_formed(data: Any) -> Any:
    size = size_of(data)
    pads = 0
    while size and pads < 2 and decide(apply("at", data, size - 1 - pads) == _PAD, "domain"):
        pads += 1
    return _bytes_of([apply("at", data, place) for place in range(size - pads)])


def _digits_in(data: Any) -> list[Any]:
    """The digits up to the padding, if they are complete."""
    digits: list[Any] = []
    place = pads = 0
    while decide(length(data) > place, "domain"):
        code = apply("at", data, place)
        place += 1
        if decide(apply("in_class", code, table=_digit()), "domain"):
            digits.append(code)
            pads = 0
        elif decide(code == _PAD, "domain") and len(digits) % 4 >= 2:
            pads += 1
            if len(digits) % 4 + pads >= 4:
                return digits
    _check_complete(len(digits))
    return digits


def _check_complete(count: int) -> None:
    if count % 4 == 1:
        raise binascii.Error(
            f"Invalid base64-encoded string: number of data characters ({count}) "
            "cannot be 1 more than a multiple of 4"
        )
    if count % 4:
        raise binascii.Error("Incorrect padding")


def _bytes_of(digits: list[Any]) -> Any:
    values = [apply("map_code", digit, table=_value()) for digit in digits]
    numbers: list[Any] = []
    for start in range(0, len(values), 4):
        first, second, third, fourth = [*values[start : start + 4], 0, 0][:4]
        whole = [
            first * 4 + second // 16,
            second % 16 * 16 + third // 4,
            third % 4 * 64 + fourth,
        ]
        numbers += whole[: len(values[start : start + 4]) - 1]
    return from_octets(numbers)


def install() -> None:
    """Registers the functions of `binascii`."""
    publish_function(binascii.b2a_base64, _encoded)
    publish_function(binascii.a2b_base64, _decoded)
