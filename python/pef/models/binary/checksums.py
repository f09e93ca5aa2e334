"""`zlib.crc32` and `adler32`, byte by byte.

A CRC is linear: what a byte contributes is the exclusive or of one constant for each of its bits.
No table is looked up, so nothing is decided but the number of bytes.
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

from pef.models.binary.buffers import number, publish_function
from pef.models.binary.octets import octets
from pef.models.text.calling import contents

_WORD = 0xFFFFFFFF
_ADLER = 65521


@cache
def _contributions() -> tuple[int, ...]:
    """What each bit of a byte does to the register."""
    found = []
    for bit in range(8):
        register = 1 << bit
        for _ in range(8):
            register = (register >> 1) ^ (0xEDB88320 if register & 1 else 0)
        found.append(register)
    return tuple(found)


def _crc32(data: Any, value: Any = 0, /) -> Any:
    register = (number(value) & _WORD) ^ _WORD
    for byte in octets(contents(data)):
        index = (register ^ byte) & 0xFF
        register = register >> 8
        for bit, change in enumerate(_contributions()):
            register = register ^ (-((index >> bit) & 1) & change)
    return register ^ _WORD


def _adler32(data: Any, value: Any = 1, /) -> Any:
    start = number(value) & _WORD
    low, high = start & 0xFFFF, start >> 16
    for byte in octets(contents(data)):
        low = (low + byte) % _ADLER
        high = (high + low) % _ADLER
    return (high << 16) | low


def install() -> None:
    """Registers both, and the name `binascii` has for the first."""
    import binascii

    publish_function(zlib.crc32, _crc32)
    publish_function(zlib.adler32, _adler32)
    publish_function(binascii.crc32, _crc32)
