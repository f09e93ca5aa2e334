"""Bytes as numbers, and numbers as bytes.

The rooms beside this one compute with single bytes. Bytes have a length that may be open, so taking
them apart first decides how many there are; putting numbers together decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pef import _native
from pef._native import apply, decide, is_symbolic

_TOO_MANY = 1 << 10
"""A number of bytes that is not decided one by one."""


def size_of(data: Any) -> int:
    """How many bytes there are, decided."""
    if not is_symbolic(data):
        return len(data)
    return count_of(apply("length", data))


def count_of(number: Any) -> int:
    """A number that is not negative, decided from below; a large one is pinned."""
    if not is_symbolic(number):
        return int(number)
    if _native.concrete(number) >= _TOO_MANY:
        return int(_native.pinned(number, "a large number of bytes"))
    known = 0
    while not decide(number <= known, "domain"):
        known += 1
    return known


def octets(data: Any) -> list[int]:
    """The bytes as numbers."""
    if not is_symbolic(data):
        return list(data)
    return [apply("at", data, position) for position in range(size_of(data))]


def from_octets(numbers: Sequence[int]) -> Any:
    """The bytes of these numbers, all of which are below 256."""
    if not any(map(is_symbolic, numbers)):
        return bytes(numbers)
    return joined([apply("from_byte", number) for number in numbers])


def joined(parts: Iterable[Any], empty: Any = b"") -> Any:
    """All parts, one after the other."""
    present = list(parts)
    return apply("concat", *present) if present else empty
