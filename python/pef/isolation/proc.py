"""What the kernel tells of processes, in files of `/proc`."""

from __future__ import annotations

import os

_LONG_ENOUGH = 4096


def contents_of(path: str) -> bytes:
    """The whole of a file. They are short: a stream would take longer to make than to read."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        text = b""
        while data := os.read(descriptor, _LONG_ENOUGH):
            text += data
    finally:
        os.close(descriptor)
    return text


def fields_of(thread: int) -> list[bytes]:
    """What the kernel tells of a thread after the name of its command.

    State, parent, group, session, and so on.
    """
    return contents_of(f"/proc/{thread}/stat").rpartition(b")")[2].split()
