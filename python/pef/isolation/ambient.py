"""What a run finds around it besides its modules, put back after each run.

Randomness and the clock begin at the same point in every run and every replay, so that what differs
between two is the program's doing. What code must not see changed by an earlier run is remembered
and compared; that is cheap, because it hardly ever differs.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import builtins
import os
import random
import signal
import sys
import time
from typing import Any, Protocol

START = 1_700_000_000.0
"""What `time.time()` begins with: 14 November 2023, 22:13:20 UTC."""
_THREAD_SECONDS = 0.2
"""How long a thread may outlive the call that started it."""
_STEP_NS = 1_000_000
"""How much later it is each time someone looks at the clock."""


class AmbientState(Protocol):
    """Something to put back."""

    def capture(self) -> None:
        """Remember how it is."""

    def restore(self) -> None:
        """Put it back."""


class Chance:
    """Randomness that is the same each time."""

    def __init__(self) -> None:
        self._source = random.Random(0)
        self._begun = random.Random(0).getstate()
        self._first = random.Random(0).getrandbits(64)
        self.is_used = False

    def urandom(self, size: int, /) -> bytes:
        """As `os.urandom`, and foreseeable."""
        if size < 0:
            raise ValueError("negative argument not allowed")
        self.is_used = True
        return self._source.randbytes(size)

    def capture(self) -> None:
        """Begin now."""
        self.restore()
        self.is_used = False

    def restore(self) -> None:
        """Begin anew."""
        if self.is_used:
            self._source.seed(0)
        # Who has drawn nothing draws what comes first; to look at the state takes much longer.
        self.is_used |= random.getrandbits(64) != self._first
        random.setstate(self._begun)


class Clock:
    """Wall-clock time that passes only when someone looks."""

    def __init__(self) -> None:
        self._now = int(START * 1_000_000_000)
        self.is_used = False

    def time_ns(self) -> int:
        """As `time.time_ns`."""
        self.is_used = True
        self._now += _STEP_NS
        return self._now

    def time(self) -> float:
        """As `time.time`."""
        return self.time_ns() / 1_000_000_000

    def capture(self) -> None:
        """Begin now."""
        self.restore()
        self.is_used = False

    def restore(self) -> None:
        """Begin anew."""
        self._now = int(START * 1_000_000_000)


class Interpreter:
    """Builtins, environment, current folder and signals of this process.

    The module behind `signal` is asked, which makes no members of an enumeration: that is slow.
    """

    _SIGNALS = (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2)

    def __init__(self) -> None:
        self._builtins: dict[str, Any] = {}
        self._environment: dict[Any, Any] = {}
        self._folder = os.getcwd()
        self._handlers: list[Any] = []

    def capture(self) -> None:
        """Remember everything."""
        self._builtins = dict(vars(builtins))
        self._environment = dict(_environment())
        self._folder = os.getcwd()
        self._handlers = [_signal.getsignal(each) for each in self._SIGNALS]

    def restore(self) -> None:
        """Put back what is different. Builtins first: what follows needs them."""
        present = builtins.__dict__
        if present != self._builtins:
            present.clear()
            present.update(self._builtins)
        if _environment() != self._environment:
            os.environ.clear()
            os.environ.update(
                {os.fsdecode(k): os.fsdecode(v) for k, v in self._environment.items()}
            )
        if os.getcwd() != self._folder:
            os.chdir(self._folder)
        for number, handler in zip(self._SIGNALS, self._handlers, strict=True):
            if _signal.getsignal(number) is not handler:
                signal.signal(number, handler)


def _environment() -> dict[Any, Any]:
    data: dict[Any, Any] = os.environ._data  # type: ignore[attr-defined]
    return data


_chance = Chance()
_clock = Clock()
_is_fixed = False


def fix() -> None:
    """Make randomness and the clock of this process foreseeable; before the target is imported."""
    global _is_fixed
    _is_fixed = True
    _chance.restore()
    os.urandom = _chance.urandom
    random._urandom = _chance.urandom  # type: ignore[attr-defined]
    time.time = _clock.time
    time.time_ns = _clock.time_ns


def begin_anew() -> None:
    """Before a call: as it was before any other, if it was ever fixed."""
    if _is_fixed:
        _chance.restore()
        _clock.restore()


def relied_on() -> list[str]:
    """What runs have made use of that is different outside."""
    used = ((_chance, "random numbers are always the same"), (_clock, "the clock is set"))
    return [why for each, why in used if each.is_used]


def ambient() -> list[AmbientState]:
    """What a run of the engine is to put back; nothing in a process that is the user's own."""
    return [_chance, _clock, Interpreter()] if _is_fixed else []


def is_thread_left() -> bool:
    """Whether a thread of Python code runs besides this one, and goes on for a while."""
    threading = sys.modules.get("threading")
    if threading is None or threading.active_count() < 2:
        return False
    others = [each for each in threading.enumerate() if each is not threading.current_thread()]
    for each in others:
        each.join(_THREAD_SECONDS / len(others))
    return any(each.is_alive() for each in others)


def threads_left() -> list[str]:
    """The names of the threads that `is_thread_left` speaks of."""
    threading = sys.modules["threading"]
    return [each.name for each in threading.enumerate() if each is not threading.current_thread()]
