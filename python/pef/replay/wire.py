"""How bytes on a pipe become messages.

A frame is a four-byte length and a body. Between client and worker the body is JSON. Between a
child and its worker it is a flat record of strings: the child has just been forked, every page it
touches is copied, and the JSON machinery alone would cost half as much as the fork.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from pef.records import NamedTuple

_LENGTH_BYTES = 4
_CHUNK = 1 << 16

Message = dict[str, Any]
Record = dict[str, str]


def frame(body: bytes) -> bytes:
    """Return a frame around a body."""
    return len(body).to_bytes(_LENGTH_BYTES, "big") + body


class Inbox:
    """Cuts a stream of bytes into the bodies of its frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Append what was read."""
        self._buffer += data

    def take(self) -> bytes | None:
        """Remove and return the first complete body, if there is one."""
        buffer = self._buffer
        if len(buffer) < _LENGTH_BYTES:
            return None
        end = _LENGTH_BYTES + int.from_bytes(buffer[:_LENGTH_BYTES], "big")
        if len(buffer) < end:
            return None
        body = bytes(buffer[_LENGTH_BYTES:end])
        del buffer[:end]
        return body


_to_json = json.JSONEncoder(separators=(",", ":")).encode


def encode_message(message: Message) -> bytes:
    """Return a JSON frame; lone surrogates survive as escapes."""
    return frame(_to_json(message).encode("ascii"))


def decode_message(body: bytes) -> Message:
    """Return the message of a JSON frame."""
    message: Message = json.loads(body)
    return message


_CALL = ("args", "kwargs", "variables", "result")


def encode_calls(paths: Sequence[Message]) -> str:
    """Return calls, and what each should return, as a text: whoever only passes it on reads none.

    >>> encode_calls([{"args": ["2"], "kwargs": {}, "variables": {}, "result": "4"}])
    '[[["2"],{},{},"4"]]'
    """
    return _to_json([[path[name] for name in _CALL] for path in paths])


def decode_calls(text: str) -> list[Message]:
    """Return the calls of such a text; ValueError or TypeError if it is none."""
    calls = json.loads(text)
    if not isinstance(calls, list) or not calls:
        raise ValueError("no list of calls")
    return [dict(zip(_CALL, call, strict=True)) for call in calls]


class Asked(NamedTuple):
    """A request, and how it came."""

    request: Message
    body: bytes


def encode_record(record: Record) -> bytes:
    """Return a record frame: keys and values in turn, each behind its length and a colon.

    >>> encode_record({"status": "exit"})
    b'\\x00\\x00\\x00\\x0e6:status4:exit'
    """
    text = ""
    for key, value in record.items():
        text += f"{len(key)}:{key}{len(value)}:{value}"
    return frame(text.encode("utf-8", "surrogatepass"))


def decode_record(body: bytes) -> Record:
    """Return the record of a frame; ValueError if it is none, for its sender ran user code.

    >>> decode_record(b"6:status4:exit")
    {'status': 'exit'}
    """
    text = body.decode("utf-8", "surrogatepass")
    pieces: list[str] = []
    start = 0
    while start < len(text):
        colon = text.index(":", start)
        end = colon + 1 + int(text[start:colon])
        if end > len(text):
            raise ValueError("a record ends early")
        pieces.append(text[colon + 1 : end])
        start = end
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def read_some(descriptor: int) -> bytes:
    """Read what is there; empty at the end of the stream."""
    return os.read(descriptor, _CHUNK)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of data to a blocking descriptor."""
    while data:
        data = data[os.write(descriptor, data) :]
