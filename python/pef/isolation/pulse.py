"""A page of shared memory in which a process shows how far it has come.

Whoever holds the other side sees that something happens, and after a death where it happened. The
words are written by `crates/python/src/isolation/pulse.rs`.
"""

from __future__ import annotations

import mmap
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

IDLE, CHOOSING, BUILDING, CALLING = range(4)
"""Phases: between runs; asking the solver; making inputs; running the function."""

_WORDS = struct.Struct("=QQQQ")
_LAST = struct.Struct("=Q")
_LAST_AT = 24
_DATED_AT = 32
_SHOWN = 16
"""Bytes of beats and phase."""
_LINES_AT, _LINE, _LINES = 1024, 128, 24
"""Where others show theirs: two processes that write to one line of the cache slow each other."""
_ALL_SHOWN = struct.Struct(f"=QQ{_LINES_AT - _SHOWN}x" + f"QQ{_LINE - _SHOWN}x" * _LINES)


class Pulse:
    """One page: beats, phase, decisions of the run, and whether what was to be done is done."""

    def __init__(self, descriptor: int = -1) -> None:
        """Without a descriptor the page is for processes that are forked from this one."""
        self.page = mmap.mmap(descriptor, mmap.PAGESIZE)

    def clear(self) -> None:
        """Forget what was shown."""
        self.page[: _WORDS.size] = bytes(_WORDS.size)

    def line(self, number: int) -> memoryview:
        """Where a process that helps shows its own; every so many share one."""
        start = _LINES_AT + number % _LINES * _LINE
        return memoryview(self.page)[start : start + _LINE]

    @staticmethod
    def leave(line: memoryview) -> None:
        """A process shows nothing any more, so that nobody waits for what it did last."""
        line[:_SHOWN] = bytes(_SHOWN)

    @property
    def beats(self) -> int:
        """Changes while something happens, in whichever of the processes."""
        return sum(beats for beats, _ in self._shown())

    @property
    def phase(self) -> int:
        """What the process is doing; of several, the one that may be silent for longest."""
        phases = {phase for beats, phase in self._shown() if beats}
        return CHOOSING if CHOOSING in phases else min(phases, default=IDLE)

    def _shown(self) -> Iterator[tuple[int, int]]:
        words = _ALL_SHOWN.unpack_from(self.page)
        return zip(words[::2], words[1::2], strict=True)

    @property
    def decisions(self) -> int:
        """How many the run has made."""
        return int(_WORDS.unpack_from(self.page)[2])

    @property
    def count(self) -> int:
        """A number that only Python code sets: calls, or whether something is done."""
        return int(_LAST.unpack_from(self.page, _LAST_AT)[0])

    @count.setter
    def count(self, value: int) -> None:
        _LAST.pack_into(self.page, _LAST_AT, value)

    @property
    def is_dated(self) -> bool:
        """Whether the program has read something outside, which may be different tomorrow."""
        return self.page[_DATED_AT] != 0

    @is_dated.setter
    def is_dated(self, value: bool) -> None:
        self.page[_DATED_AT] = value


def shared_file() -> int:
    """A descriptor of a page that can be handed to another process."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("pulse")
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, mmap.PAGESIZE)
    return descriptor
