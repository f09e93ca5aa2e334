"""`int.from_bytes` and `int.to_bytes`: a number in base 256."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from pef._native import as_int, decide
from pef.models.binary.buffers import number
from pef.models.binary.construction import gathered
from pef.models.binary.octets import count_of, from_octets, octets
from pef.models.text.calling import Unfit

_ABSENT: Any = object()
_ORDER: Any = "big" if sys.version_info >= (3, 11) else _ABSENT
_LENGTH: Any = 1 if sys.version_info >= (3, 11) else _ABSENT


def unsigned(digits: Iterable[Any]) -> Any:
    """The number of these bytes, most significant first."""
    value: Any = 0
    for digit in digits:
        value = value * 256 + digit
    return value


def with_sign(digits: list[Any]) -> Any:
    """As `unsigned`, in two's complement; the sign is no decision."""
    if not digits:
        return 0
    first, *rest = digits
    return unsigned([(first + 128) % 256 - 128, *rest])


def digits_of(value: Any, count: int) -> list[Any]:
    """The lowest `count` bytes of a number, most significant first."""
    places = range(count - 1, -1, -1)
    return [(value >> 8 * place if place else value) % 256 for place in places]


def from_bytes(
    kind: Any,
    /,
    bytes: Any = _ABSENT,  # noqa: A002
    byteorder: Any = _ORDER,
    *,
    signed: Any = False,
) -> Any:
    """`int.from_bytes`"""
    digits = octets(gathered(_checked(bytes, byteorder)))
    if _is_little(byteorder):
        digits.reverse()
    value = with_sign(digits) if signed else unsigned(digits)
    return value if kind is int else kind(value)


def _checked(data: Any, order: Any) -> Any:
    if data is _ABSENT or not isinstance(order, str):
        raise Unfit
    _is_little(order)
    return data


def _is_little(order: Any) -> bool:
    if not isinstance(order, str):
        raise Unfit
    if decide(order == "little", "domain"):
        return True
    if decide(order == "big", "domain"):
        return False
    raise ValueError("byteorder must be either 'little' or 'big'")


def to_bytes(
    value: Any, /, length: Any = _LENGTH, byteorder: Any = _ORDER, *, signed: Any = False
) -> Any:
    """`int.to_bytes`"""
    if not hasattr(type(length), "__index__"):
        raise Unfit
    is_little = _is_little(byteorder)
    count = number(length)
    if decide(count < 0, "domain"):
        raise ValueError("length argument must be non-negative")
    if decide(count > sys.maxsize, "domain"):
        raise OverflowError("Python int too large to convert to C ssize_t")
    digits = checked_digits(as_int(value), count_of(count), bool(signed))
    return from_octets(digits[::-1] if is_little else digits)


def checked_digits(value: Any, length: int, is_signed: bool) -> list[Any]:
    """The bytes of a number, if they are enough."""
    if not is_signed and decide(value < 0, "domain"):
        raise OverflowError("can't convert negative int to unsigned")
    limit = 1 << 8 * length
    if is_signed:
        # No bytes at all stand for 0 and for -1.
        least, most = (-limit // 2, limit // 2 - 1) if length else (-1, 0)
    else:
        least, most = 0, limit - 1
    if decide((value > most) | (value < least), "domain"):
        raise OverflowError("int too big to convert")
    return digits_of(value, length)
