"""What a run finds around it besides its modules, put back after each run.

Randomness and clocks begin at the same point in every run and every replay, so that what differs
between two is the program's doing; what cannot be the same is noticed. What code must not see
changed by an earlier run is remembered and compared; that is cheap, because it hardly ever differs.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import builtins
import os
import signal
import sys
import types
from operator import is_not
from typing import Any, Protocol, TextIO

from pef.isolation import outside
from pef.isolation.chance import Chance
from pef.isolation.clock import Clock
from pef.isolation.forking import fork
from pef.isolation.identity import identities
from pef.isolation.replacing import Replacement
from pef.isolation.stdin import EmptyInput

_folder = os.getcwd  # the true one: that of `os` notes who asks
_THREAD_SECONDS = 0.2
"""How long a thread may outlive the call that started it."""


class AmbientState(Protocol):
    """Something to put back."""

    def capture(self) -> None:
        """Remember how it is."""

    def restore(self) -> None:
        """Put it back."""


class Fixed(AmbientState, Protocol):
    """Something that is not what it is outside, or not the same each time."""

    is_used: bool
    """Whether the program has looked at it."""

    @property
    def reason(self) -> str:
        """What to tell of a program that did."""

    def replacements(self) -> list[Replacement]:
        """What to put in place for that. Made once, maybe in a process this one is forked from."""

    def fix(self) -> None:
        """Let this process see only this from now on; they are in place."""


class Interpreter:
    """Builtins, environment, current folder and signals of this process.

    The module behind `signal` is asked, which makes no members of an enumeration: that is slow.
    """

    _SIGNALS = (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2)

    def __init__(self) -> None:
        self.capture()

    def capture(self) -> None:
        """Remember everything."""
        self._builtins = dict(vars(builtins))
        self._mapping = os.environ
        self._environment = dict(dict.items(_environment()))
        self._folder = _folder()
        self._handlers = list(map(_signal.getsignal, self._SIGNALS))
        self._keep_tables()

    def _keep_tables(self) -> None:
        """Note the versions of the tables: to compare item by item would copy their pages."""
        from pef._native import KeptDict

        self._are_builtins_kept = KeptDict(vars(builtins)).is_as_it_was
        self._is_environment_kept = KeptDict(_environment()).is_as_it_was

    def restore(self) -> None:
        """Put back what is different."""
        self.restore_tables()
        self.restore_process()

    def restore_tables(self) -> None:
        """Put builtins and environment back. Builtins first: what follows needs them."""
        are_kept = self._are_builtins_kept() and os.environ is self._mapping
        if are_kept and self._is_environment_kept():
            return
        present = builtins.__dict__
        if present != self._builtins:
            present.clear()
            present.update(self._builtins)
        os.environ = self._mapping  # noqa: B003, the program may have put another there
        if _environment() != self._environment:
            os.environ.clear()
            os.environ.update(
                {os.fsdecode(k): os.fsdecode(v) for k, v in self._environment.items()}
            )
        self._keep_tables()

    def restore_process(self) -> None:
        """Put folder and signals back."""
        if _folder() != self._folder:
            os.chdir(self._folder)
        present = map(_signal.getsignal, self._SIGNALS)
        if any(map(is_not, present, self._handlers)):
            for number, handler in zip(self._SIGNALS, self._handlers, strict=True):
                if _signal.getsignal(number) is not handler:
                    signal.signal(number, handler)


def _environment() -> dict[Any, Any]:
    data: dict[Any, Any] = os.environ._data  # type: ignore[attr-defined]
    return data


_chance = Chance()
_clock = Clock()
_identities = identities()
_input = EmptyInput()
_all: tuple[Fixed, ...] = (_chance, _clock, *_identities, _input)
_replacements: list[Replacement] = []
_is_fixed = False


def prepare() -> None:
    """Make what `fix` puts in place, for processes that are forked from this one."""
    if not _replacements:
        for each in _all:
            _replacements.extend(each.replacements())
        _replacements.extend(outside.replacements())


def fix() -> None:
    """Make chance and clocks of this process foreseeable; before the target is imported."""
    global _is_fixed
    if _is_fixed:
        return
    _is_fixed = True
    prepare()
    for home, name, value in _replacements:
        setattr(home, name, value)
    for each in _all:
        each.fix()
    _fix_uuid()
    outside.watch_environment()


def _fix_uuid() -> None:
    """Let `uuid1` take clock and chance from here: its C code asks the system."""

    def generate_time_safe() -> tuple[bytes, int | None]:
        ticks, rest = _clock.ticks(), _chance.bytes(8)
        fields = (
            (ticks & 0xFFFFFFFF, 4),
            (ticks >> 32 & 0xFFFF, 2),
            (ticks >> 48 & 0xFFF | 1 << 12, 2),
        )
        head = b"".join(value.to_bytes(size, "big") for value, size in fields)
        return head + bytes([rest[0] & 0x3F | 0x80, rest[1], rest[2] | 1, *rest[3:]]), None

    module = types.ModuleType("_uuid")
    module.generate_time_safe = generate_time_safe  # type: ignore[attr-defined]
    module.has_uuid_generate_time_safe = True  # type: ignore[attr-defined]
    sys.modules["_uuid"] = module
    if "uuid" in sys.modules:
        sys.modules["uuid"]._generate_time_safe = generate_time_safe  # type: ignore[attr-defined]


def empty_input() -> TextIO:
    """What target code is to have as `sys.stdin`."""
    return _input.text()


def begin_anew(truly: bool = False) -> None:
    """Before a call: as it was before any other, if it was ever fixed.

    `truly` is for a look at what happens with the true time and by true chance.
    """
    if not _is_fixed:
        return
    states: tuple[Fixed, ...] = (_chance, _clock, *_identities)
    for each in states:
        each.capture()
    if truly:
        _chance.be_true()
        _clock.be_true()


def fork_alike() -> int:
    """Fork a process that goes on with runs: it is to find around it what this one does.

    The interpreter draws a new seed in every fork, which no run has asked for.
    """
    was_used = _chance.is_used
    pid = fork()
    if pid == 0 and _is_fixed:
        _chance.restore()
        _chance.is_used = was_used
    return pid


def relied_on() -> list[str]:
    """What runs have made use of that is different outside."""
    return [each.reason for each in _all if each.is_used]


def looked_at() -> list[str]:
    """What the one call since `begin_anew` has made use of that is different outside."""
    if _is_fixed:
        _chance.restore()
    return relied_on()


def varies() -> list[str]:
    """Of that, what could not be made the same each time."""
    return [each.reason for each in _identities if each.is_used]


class _Everything:
    """All of this, for an engine that makes thousands of runs a second."""

    def __init__(self) -> None:
        self._interpreter = Interpreter()

    def capture(self) -> None:
        states: tuple[AmbientState, ...] = (*_all, self._interpreter)
        for each in states:
            each.capture()

    def restore(self) -> None:
        # Identities and the empty input stay as they are, whoever looks at them.
        _chance.restore()
        _clock.restore()
        self._interpreter.restore()


def ambient() -> list[AmbientState]:
    """What a run of the engine is to put back; nothing in a process that is the user's own."""
    return [_Everything()] if _is_fixed else []


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
