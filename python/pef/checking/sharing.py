"""How the processes that explore one function divide what is left to do, and find each other.

The supervisor issues a token for every idle core; whichever process of the function looks first
takes it and forks, and both go on with a part of the open branches. They agree by way of the page
that all of them see. A signal would not do: target code may handle signals itself, and after each
run the handlers are put back.
"""

from __future__ import annotations

import fcntl
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import mmap

from pef.isolation.pulse import Pulse

_WORD = struct.Struct("=Q")
_ISSUED_AT, _TAKEN_AT, _SCOUTED_AT, _SUSPECTED_AT, _REFUTED_AT = 64, 72, 80, 88, 96
"""Behind what the engine writes to the page. A word that is counted up has one writer, or writers
that hold the lock."""


class Lock:
    """Held by one of the processes that share a descriptor.

    It belongs to a process and goes with it, so none that is killed keeps the others waiting.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait until nobody else holds it, and hold it."""
        fcntl.lockf(self._descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN)


class Tokens:
    """The supervisor's side."""

    def __init__(self, pulse: Pulse) -> None:
        self._page = pulse.page

    def issue(self) -> None:
        """Let one of the processes fork."""
        _write(self._page, _ISSUED_AT, max(_read(self._page, _ISSUED_AT), self._taken) + 1)

    @property
    def is_left(self) -> bool:
        """Whether one is not taken yet."""
        return _read(self._page, _ISSUED_AT) > self._taken

    def refute(self) -> None:
        """Let them know that plain CPython does not fail where one of them has seen it fail."""
        _write(self._page, _REFUTED_AT, _read(self._page, _REFUTED_AT) + 1)

    @property
    def _taken(self) -> int:
        return _read(self._page, _TAKEN_AT)


class Claims:
    """The side of the processes that explore."""

    def __init__(self, pulse: Pulse, lock: Lock) -> None:
        self._page = pulse.page
        self._lock = lock

    @property
    def is_asked(self) -> bool:
        """Whether a token is there; somebody else may be quicker."""
        return _read(self._page, _ISSUED_AT) > _read(self._page, _TAKEN_AT)

    def take(self) -> int | None:
        """Take a token; its number, or None if there is none any more."""
        with self._lock.held():
            if not self.is_asked:
                return None
            number = _read(self._page, _TAKEN_AT)
            _write(self._page, _TAKEN_AT, number + 1)
            return number

    def scout(self) -> bool:
        """Take the errand that one of the processes may run in the end; False if it is taken."""
        with self._lock.held():
            is_first = _read(self._page, _SCOUTED_AT) == 0
            _write(self._page, _SCOUTED_AT, 1)
            return is_first

    @property
    def has_failed(self) -> bool:
        """Whether one of the processes has seen the function fail, and nobody has refuted it."""
        return self.suspected > _read(self._page, _REFUTED_AT)

    @property
    def suspected(self) -> int:
        """How many failures were sent so far."""
        return _read(self._page, _SUSPECTED_AT)

    def suspect(self, failures: int) -> None:
        """Let the others know of failures that were sent."""
        if failures:
            with self._lock.held():
                _write(self._page, _SUSPECTED_AT, self.suspected + failures)


def _read(page: mmap, at: int) -> int:
    value: int = _WORD.unpack_from(page, at)[0]
    return value


def _write(page: mmap, at: int, value: int) -> None:
    _WORD.pack_into(page, at, value)
