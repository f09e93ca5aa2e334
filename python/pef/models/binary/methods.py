"""The methods of `bytes`: those shared with `str`, and the few that are its own."""

from __future__ import annotations

from typing import Any

from pef import _native
from pef._native import CharClass, CharMap
from pef.models.binary.octets import joined
from pef.models.text import searching
from pef.models.text.calling import Unfit, attempted, contents
from pef.models.text.terms import mapped


def translate(data: Any, table: Any, /, delete: Any = b"") -> Any:
    """`bytes.translate`: the table and what is left out have to be known."""
    pairs = [] if table is None else list(enumerate(_known(table)))
    if pairs and len(pairs) != 256:
        raise ValueError("translation table must be 256 characters long")
    deleted = CharClass([(unit, unit) for unit in _known(delete)])
    return mapped(_native.apply("without", data, table=deleted), CharMap(pairs))


def _known(data: Any) -> bytes:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise Unfit
    return bytes(_native.pinned(contents(data), "bytes.translate"))


def _contains(data: Any, item: Any, /) -> Any:
    return searching.contains(data, item)


contains = attempted(bytes.__contains__, _contains)
"""`item in data`, where one of them is symbolic; a number is a byte."""


def added(data: Any, other: Any, /) -> Any:
    """`data + other`, where the other is no `bytes`."""
    try:
        return joined([data, contents(other)])
    except Unfit:
        return NotImplemented
