"""Whether a process has had the time it was given.

On a busy machine a process may get little of the time that passes. One that wants to run and is not
let is not late: it would be wrong to say that its call does not end.
"""

from __future__ import annotations

import os
import sys
import time

from pef.isolation.proc import fields_of

_PATIENCE = 5.0
"""So many times what it was given has it at most, however busy the machine."""
_ENOUGH = 0.7
"""This part of the given time on a processor is as good as all of it."""
_LOOKS = 3
"""So many looks in a row must find it waiting before it counts as asleep."""
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Stint:
    """The time of one process."""

    def __init__(
        self,
        pid: int,
        seconds: float,
        started: float | None = None,
        *,
        patience: float = _PATIENCE,
        enough: float = _ENOUGH,
    ) -> None:
        """Begins now, or has begun at `started` (of `time.monotonic`)."""
        self._pid = pid
        self._seconds = seconds
        self._started = time.monotonic() if started is None else started
        self._most = most(seconds, patience)
        self._enough = enough * seconds
        self._waiting = 0
        seen = _seen(pid)
        self._before = 0.0 if seen is None else seen[1]

    @property
    def end(self) -> float:
        """Before this moment it is not over."""
        return self._started + self._seconds

    def is_over(self) -> bool:
        """Whether it had its time, on a processor or asleep."""
        passed = time.monotonic() - self._started
        if passed < self._seconds:
            return False
        if passed > self._most:
            return True
        seen = _seen(self._pid)
        if seen is None:
            return True
        is_running, used = seen
        self._waiting = 0 if is_running else self._waiting + 1
        return used - self._before >= self._enough or self._waiting >= _LOOKS


def most(seconds: float, patience: float = _PATIENCE) -> float:
    """How long a stint of so many seconds may last on a busy machine."""
    return patience * seconds + 1


def _seen(pid: int) -> tuple[bool, float] | None:
    """Whether a process wants to run, and the processor time it had; None where nobody tells."""
    if sys.platform != "linux":
        return None
    try:
        fields = fields_of(pid)
    except OSError:
        return None
    return fields[0] == b"R", (int(fields[11]) + int(fields[12])) / _TICKS
