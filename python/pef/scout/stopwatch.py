"""Stops a call that takes too long; and says how much time all calls have had.

A timer ticks while there are calls; the handler looks how long the present one has been running.
This costs a call next to nothing. A call that swallows the interruption is interrupted at the next
tick again. C code that never looks for signals is stopped by whoever supervises the process.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

_MOST_TICKS_PER_LIMIT = 8
_SHORTEST_TICK = 0.005
_BUSIEST = 3.0
"""So many times longer a stretch of time may take on a busy machine."""


def time_had() -> Callable[[], float]:
    """A clock of the time this process has on a processor; of waiting, a part counts as well.

    On a busy machine less passes on it than elsewhere, so as many calls are made there.
    """
    worked, begun = time.process_time(), time.monotonic()
    return lambda: max(time.process_time() - worked, (time.monotonic() - begun) / _BUSIEST)


class TooSlow(BaseException):
    """The time of a call is up. Not an `Exception`: programs catch those."""


class Stopwatch:
    """Measures one call at a time; only in the main thread, which alone gets signals."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._tick = max(_SHORTEST_TICK, limit / _MOST_TICKS_PER_LIMIT)
        self._end: float | None = None
        self._before: Any = None
        self._is_ticking = False

    def start(self) -> None:
        """A call begins."""
        if not self._is_ticking:
            self._begin_ticking()
        self._end = time.perf_counter() + self._limit

    def stop(self) -> None:
        """The call is over."""
        self._end = None

    def rest(self) -> None:
        """No calls for a while: the timer and the handler are as they were."""
        if self._is_ticking:
            self._is_ticking = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before or signal.SIG_DFL)

    def _begin_ticking(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._is_ticking = True
        self._before = signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, self._tick)

    def _look(self, number: int, frame: FrameType | None) -> None:
        is_over = self._end is not None and time.perf_counter() > self._end
        # Each tick asks for the next: on a busy machine a steady timer would interrupt this very
        # function again before it gets anywhere.
        if self._is_ticking:
            signal.setitimer(signal.ITIMER_REAL, self._tick)
        if is_over:
            raise TooSlow
