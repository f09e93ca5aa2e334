"""`struct`: numbers, truths and text at fixed places in bytes.

Numbers are arithmetic over the bytes in both directions, so unpacking asks only whether there are
enough bytes, and packing whether a number fits. Floats are pinned.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from pef import _native
from pef._native import apply, decide
from pef.models.binary.buffers import number
from pef.models.binary.integers import digits_of, unsigned, with_sign
from pef.models.binary.octets import from_octets, joined
from pef.models.text.calling import Unfit, contents, plain
from pef.models.text.terms import length, part
from pef.records import record

_SIGNED = "bhilqn"
_UNSIGNED = "BHILQNP"
_FLOATS = "efd"


@record(frozen=True)
class _Field:
    """One value, or the padding of a format."""

    code: str
    start: int
    size: int
    order: str
    """What stands before the code in a format of its own."""

    @property
    def is_little(self) -> bool:
        return self.order == "<" or (self.order in "@=" and sys.byteorder == "little")


@cache
def _fields(form: str) -> tuple[_Field, ...]:
    """The values of a format, in order."""
    order = form[0] if form[:1] in tuple("@=<>!") else "@"
    found: list[_Field] = []
    read, count = order, ""
    for sign in form.removeprefix(order):
        read += sign
        if sign.isdigit():
            count += sign
        elif not sign.isspace():
            found += _repeated(order, sign, count, struct.calcsize(read))
            count = ""
    return tuple(found)


def _repeated(order: str, code: str, count: str, end: int) -> Iterator[_Field]:
    """The values of one code, of which the last ends at `end`."""
    if code == "x":
        return
    if code in "sp":
        size = int(count or 1)
        yield _Field(code, end - size, size, order)
        return
    size, times = struct.calcsize(order + code), int(count or 1)
    for remaining in range(times, 0, -1):
        yield _Field(code, end - remaining * size, size, order)


def _read_format(form: Any) -> str:
    """The format as text, known to be one."""
    form = _native.pinned(form, "the format of a struct")
    struct.calcsize(form)
    return form.decode("ascii") if isinstance(form, bytes) else str(form)


def unpack(form: Any, buffer: Any, /) -> Any:
    """`struct.unpack`"""
    form, data = _read_format(form), contents(buffer)
    size = struct.calcsize(form)
    if not decide(length(data) == size, "domain"):
        raise struct.error(f"unpack requires a buffer of {size} bytes")
    return _unpacked(form, data, 0)


def _unpacked(form: str, data: Any, offset: Any) -> tuple[Any, ...]:
    return tuple(_value(field, data, offset + field.start) for field in _fields(form))


def _value(field: _Field, data: Any, start: Any) -> Any:
    if field.code == "p":
        return _counted(field, data, start)
    if field.code in "sc":
        return part(data, start, start + field.size)
    if field.code in _FLOATS:
        held = _native.pinned(part(data, start, start + field.size), "struct.unpack of a float")
        return struct.unpack(field.order + field.code, held)[0]
    digits = [apply("at", data, start + place) for place in range(field.size)]
    if field.is_little:
        digits.reverse()
    if field.code == "?":
        return unsigned(digits) != 0
    return with_sign(digits) if field.code in _SIGNED else unsigned(digits)


def _counted(field: _Field, data: Any, start: Any) -> Any:
    """Text whose length is its first byte, or as much as there is room for."""
    if not field.size:
        return b""
    count = apply("at", data, start)
    if decide(count >= field.size, "domain"):
        count = field.size - 1
    return part(data, start + 1, start + 1 + count)


def unpack_from(form: Any, /, buffer: Any, offset: Any = 0) -> Any:
    """`struct.unpack_from`"""
    form, data = _read_format(form), contents(buffer)
    start = _start(form, length(data), number(offset), "unpack_from", "unpacking")
    return _unpacked(form, data, start)


def _start(form: str, available: Any, offset: Any, function: str, doing: str) -> Any:
    """Where the values are, if they are all inside."""
    size = struct.calcsize(form)
    if decide((offset > sys.maxsize) | (offset < -sys.maxsize - 1), "domain"):
        if doing == "packing":
            raise IndexError("cannot fit 'int' into an index-sized integer")
        raise OverflowError("Python int too large to convert to C ssize_t")
    if decide(offset < 0, "domain"):
        if decide(offset + size > 0, "domain"):
            raise struct.error(_negative_offset(size, offset, doing))
        if decide(offset + available < 0, "domain"):
            words = ("offset ", _shown(offset), " out of range for ", _shown(available))
            raise struct.error(joined((*words, "-byte buffer")))
        return offset + available
    if decide(available - offset < size, "domain"):
        needed = (f"{function} requires a buffer of at least ", _shown(offset + size))
        at = (f" bytes for {doing} {size} bytes at offset ", _shown(offset))
        present = (" (actual buffer size is ", _shown(available), ")")
        raise struct.error(joined((*needed, *at, *present)))
    return offset


def _negative_offset(size: int, offset: Any, doing: str) -> Any:
    said = "not enough data to unpack" if doing == "unpacking" else "no space to pack"
    return joined((f"{said} {size} bytes at offset ", _shown(offset)))


def _shown(value: Any) -> Any:
    return apply("from_int", value, table=10)


def iter_unpack(form: Any, buffer: Any, /) -> Any:
    """`struct.iter_unpack`"""
    form, data = _read_format(form), contents(buffer)
    size = struct.calcsize(form)
    if not size:
        raise struct.error("cannot iteratively unpack with a struct of length 0")
    if not decide(length(data) % size == 0, "domain"):
        words = "iterative unpacking requires a buffer of a multiple of"
        raise struct.error(f"{words} {size} bytes")
    return _chunks(form, data, size)


def _chunks(form: str, data: Any, size: int) -> Iterator[Any]:
    offset = 0
    while decide(length(data) > offset, "for"):
        yield _unpacked(form, data, offset)
        offset += size


def pack(form: Any, /, *values: Any) -> Any:
    """`struct.pack`"""
    form = _read_format(form)
    return _packed(form, values, struct.pack)


def _packed(form: str, values: tuple[Any, ...], real: Any) -> Any:
    fields = _fields(form)
    if len(fields) != len(values):
        return real(form, *map(plain, values))
    parts: list[Any] = []
    end = 0
    for field, value in zip(fields, values, strict=True):
        parts += [bytes(field.start - end), _bytes_of(field, value)]
        end = field.start + field.size
    return joined([*parts, bytes(struct.calcsize(form) - end)])


def _bytes_of(field: _Field, value: Any) -> Any:
    if field.code in "sp":
        return _padded(field, value)
    if field.code == "c":
        return _character(field, value)
    if field.code == "?":
        return apply("from_byte", 1 if value else 0)
    if field.code in _FLOATS:
        value = _native.pinned(value, "struct.pack of a float")
        return struct.pack(field.order + field.code, value)
    if not hasattr(type(value), "__index__"):
        return _refused(field, value)
    digits = digits_of(_fitting(field, number(value)), field.size)
    return from_octets(digits[::-1] if field.is_little else digits)


def _refused(field: _Field, value: Any) -> Any:
    """What CPython says to a value that does not fit."""
    count = str(field.size) if field.code in "sp" else ""
    return struct.pack(field.order + count + field.code, plain(value))


def _fitting(field: _Field, value: Any) -> Any:
    """A number with a place in the field; the words of a refusal depend on how far off it is."""
    limit = 1 << 8 * field.size
    least = -limit // 2 if field.code in _SIGNED + "P" else 0
    most = limit // 2 - 1 if field.code in _SIGNED else limit - 1
    if decide((value >= least) & (value <= most), "domain"):
        return value
    if decide(value > most, "domain"):
        _ = decide(value >= 1 << 63, "domain") and decide(value >= 1 << 64, "domain")
    else:
        decide(value < -(1 << 63), "domain")
    return _refused(field, value)


def _character(field: _Field, value: Any) -> Any:
    if not isinstance(value, (bytes, bytearray)):
        return _refused(field, value)
    data = contents(value)
    if isinstance(value, bytearray) or not decide(length(data) == 1, "domain"):
        return _refused(field, value)
    return data


def _padded(field: _Field, value: Any) -> Any:
    """Text cut or filled up to the size; `p` has its length in front."""
    if not isinstance(value, (bytes, bytearray)):
        return _refused(field, value)
    if not field.size:
        return b""
    data, room = contents(value), field.size - (field.code == "p")
    count = 0
    while count < room and decide(length(data) > count, "domain"):
        count += 1
    filled = joined([part(data, 0, count), bytes(room - count)])
    return filled if field.code == "s" else joined([bytes([min(count, 255)]), filled])


def pack_into(form: Any, buffer: Any, offset: Any, /, *values: Any) -> None:
    """`struct.pack_into`"""
    form = _read_format(form)
    write = getattr(type(buffer), "__pef_write__", None)
    if write is None:
        raise Unfit
    if len(_fields(form)) != len(values):
        struct.pack_into(form, plain(buffer), plain(offset), *map(plain, values))
    available = len(buffer)
    start = _start(form, available, number(offset), "pack_into", "packing")
    packed = _packed(form, values, struct.pack)
    write(buffer, start, packed)


def _method(model: Any) -> Any:
    def method(compiled: Any, /, *given: Any, **named: Any) -> Any:
        return model(compiled.format, *given, **named)

    return method


unpack_method, unpack_from_method = _method(unpack), _method(unpack_from)
iter_unpack_method = _method(iter_unpack)
pack_method, pack_into_method = _method(pack), _method(pack_into)
