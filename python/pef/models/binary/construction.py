"""`bytes(...)`: from bytes-like objects, numbers, text and counts."""

from __future__ import annotations

from typing import Any

from pef._native import decide, is_symbolic
from pef.models.binary.buffers import is_buffer, number, octet
from pef.models.binary.octets import count_of, from_octets
from pef.models.text.calling import Unfit, contents

ABSENT: Any = object()
"""In the place of an argument that was not given."""


def bytes_model(source: Any = ABSENT, /, *coding: Any, **named: Any) -> Any:
    """`bytes`."""
    return initial(bytes, source, coding, named, "bytes must be in range(0, 256)")


def initial(
    kind: type, source: Any, coding: tuple[Any, ...], named: dict[str, Any], outside: str
) -> Any:
    """The bytes that `kind(source, ...)` begins with."""
    if source is ABSENT:
        source = named.pop("source", ABSENT)
    if coding or named:
        return _encoded(source, coding, named)
    if source is ABSENT:
        return b""
    if isinstance(source, str):
        raise Unfit
    if isinstance(source, bytes):
        return source
    if kind is bytes and hasattr(type(source), "__bytes__"):
        return type(source).__bytes__(source)
    if hasattr(type(source), "__index__"):
        return _zeros(source)
    return gathered(source, outside)


def gathered(source: Any, outside: str = "bytes must be in range(0, 256)") -> Any:
    """The bytes of a bytes-like object or an iterable of numbers."""
    if not isinstance(source, (list, tuple)) and is_buffer(source):
        return contents(source)
    if isinstance(source, str) or not hasattr(type(source), "__iter__"):
        raise Unfit
    return from_octets([octet(item, outside) for item in source])


def _encoded(source: Any, coding: tuple[Any, ...], named: dict[str, Any]) -> Any:
    from pef.models.text.codecs import encode

    if not isinstance(source, str) or len(coding) > 2 or named.keys() - {"encoding", "errors"}:
        raise Unfit
    return encode(source, *coding, **named)


def _zeros(source: Any) -> Any:
    count = number(source)
    if decide(count < 0, "domain"):
        raise ValueError("negative count")
    if not is_symbolic(count):
        return bytes(count)
    return bytes(count_of(count))
