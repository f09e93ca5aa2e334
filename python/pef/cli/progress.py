"""A line on the terminal that says the run is alive.

Only where it disturbs nothing: stderr is a terminal, and the paths themselves do not go to one.
"""

from __future__ import annotations

import time
from typing import TextIO

_EVERY_SECONDS = 0.1


class Progress:
    """Counts paths and shows the rate, ten times a second at most."""

    def __init__(self, stream: TextIO, shown: bool) -> None:
        self._stream = stream
        self._shown = shown
        self._paths = 0
        self._started = self._last = time.monotonic()

    def path(self) -> None:
        """One more path."""
        self._paths += 1
        now = time.monotonic()
        if self._shown and now - self._last >= _EVERY_SECONDS:
            self._last = now
            rate = self._paths / (now - self._started)
            self._stream.write(f"\r\x1b[K{self._paths} paths, {rate:.0f} per second")
            self._stream.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class CheckProgress:
    """How far a check is, on one line that is taken away again."""

    def __init__(self, stream: TextIO, shown: bool) -> None:
        self._stream = stream
        self._shown = shown
        self._visible = False
        self._started = self._last = time.monotonic()

    def show(self, total: int, functions: int, paths: int, findings: int) -> None:
        """Tell functions done, paths, findings and the time that is probably left."""
        now = time.monotonic()
        if not self._shown or now - self._last < _EVERY_SECONDS:
            return
        self._last = now
        spent = now - self._started
        left = f", about {spent / functions * (total - functions):.0f} s left" if functions else ""
        rate = f"{paths} paths, {paths / spent:.0f} per second"
        self._stream.write(
            f"\r\x1b[K{functions}/{total} functions, {rate}, {findings} findings{left}"
        )
        self._stream.flush()
        self._visible = True

    def clear(self) -> None:
        """Take the line away."""
        if self._visible:
            self._visible = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()
