"""Bytes as hexadecimal digits and back: `hex`, `fromhex`, `binascii.hexlify` and `unhexlify`.

A digit is a map of a number below 16, and a byte two of them, so only how many there are is
decided, and where the digits end that are none.
"""

from __future__ import annotations

import binascii
from functools import cache
from typing import Any

from pef import _native
from pef._native import CharClass, CharMap, apply, decide
from pef.models.binary.buffers import publish_function
from pef.models.binary.octets import count_of, from_octets, joined, octets, size_of
from pef.models.text.calling import Unfit, contents
from pef.models.text.terms import length, rest

_DIGITS = b"0123456789abcdef"


@cache
def _shown() -> CharMap:
    return CharMap(list(enumerate(_DIGITS)))


@cache
def _value() -> CharMap:
    both = (_DIGITS, _DIGITS.upper())
    return CharMap([(digit, value) for case in both for value, digit in enumerate(case)])


@cache
def _digit() -> CharClass:
    return CharClass([(48, 57), (65, 70), (97, 102)])


@cache
def _ascii() -> CharClass:
    return CharClass([(0, 127)])


@cache
def _space() -> CharClass:
    return CharClass([(9, 13), (32, 32)])


def hex_of(data: Any, *how: Any, **named: Any) -> Any:
    """`bytes.hex`."""
    return joined((apply("from_code", code) for code in _codes(data, how, named)), "")


def _hexlify(data: Any, *how: Any, **named: Any) -> Any:
    return from_octets(_codes(contents(data), how, named))


def _codes(data: Any, how: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """The digits, and what separates them."""
    how = tuple(_native.pinned(value, "the separator of hex()") for value in how)
    named = {name: _native.pinned(value, "the separator of hex()") for name, value in named.items()}
    numbers = octets(data)
    bytes(len(numbers)).hex(*how, **named)
    given = dict(zip(("sep", "bytes_per_sep"), how, strict=False)) | named
    separator, every = given.get("sep"), int(given.get("bytes_per_sep", 1))
    codes: list[Any] = []
    for place, byte in enumerate(numbers):
        past = place if every < 0 else len(numbers) - place
        if place and separator is not None and every and not past % every:
            codes.append(ord(separator))
        codes += [apply("map_code", half, table=_shown()) for half in (byte // 16, byte % 16)]
    return codes


def fromhex(kind: Any, text: Any, /) -> Any:
    """`bytes.fromhex`, also for other kinds of bytes."""
    if not isinstance(text, str):
        raise Unfit
    ascii_run = apply("span", text, table=_ascii())
    if decide(ascii_run < length(text), "domain"):
        _refuse(ascii_run)
    found = from_octets(_pairs(text))
    return found if kind is bytes else kind(found)


def _pairs(text: Any) -> list[Any]:
    """The bytes of pairs of digits, with space between them."""
    numbers: list[Any] = []
    position = 0
    while True:
        run = apply("span", rest(text, position), table=_space())
        if decide(position + run >= length(text), "domain"):
            return numbers
        position += count_of(run)
        high, low = (apply("at", text, position + place) for place in (0, 1))
        if not decide(apply("in_class", high, table=_digit()), "domain"):
            _refuse(position)
        if not decide(apply("in_class", low, table=_digit()), "domain"):
            _refuse(position + 1)
        numbers.append(_byte(high, low))
        position += 2


def _byte(high: Any, low: Any) -> Any:
    upper, lower = (apply("map_code", digit, table=_value()) for digit in (high, low))
    return upper * 16 + lower


def _refuse(position: Any) -> None:
    shown = apply("from_int", position, table=10)
    words = "non-hexadecimal number found in fromhex() arg at position "
    raise ValueError(joined([words, shown]))


def _unhexlify(data: Any, /) -> Any:
    data = ascii_bytes(data)
    if decide(length(data) % 2 == 1, "domain"):
        raise binascii.Error("Odd-length string")
    if decide(apply("span", data, table=_digit()) < length(data), "domain"):
        raise binascii.Error("Non-hexadecimal digit found")
    digits = [apply("at", data, place) for place in range(size_of(data))]
    return from_octets([_byte(*pair) for pair in zip(digits[::2], digits[1::2], strict=True)])


def ascii_bytes(data: Any) -> Any:
    """The bytes of a bytes-like object or of ASCII text."""
    if not isinstance(data, str):
        return contents(data)
    if decide(apply("span", data, table=_ascii()) < length(data), "domain"):
        raise ValueError("string argument should contain only ASCII characters")
    return apply("as_bytes", data)


def install() -> None:
    """Registers the functions of `binascii`; the methods belong to their types."""
    for name in ("hexlify", "b2a_hex"):
        publish_function(getattr(binascii, name), _hexlify)
    for name in ("unhexlify", "a2b_hex"):
        publish_function(getattr(binascii, name), _unhexlify)
