"""Standard input that is empty, and notices who reads it."""

from __future__ import annotations

import io
from typing import Any

from pef.isolation.replacing import Replacement


class EmptyInput(io.RawIOBase):
    """The raw stream behind `sys.stdin`; its descriptor leads to the null device."""

    reason = "standard input is empty"

    def __init__(self) -> None:
        self.is_used = False

    def replacements(self) -> list[Replacement]:
        """Nothing."""
        return []

    def fix(self) -> None:
        """Whoever sets up the streams takes `text`."""

    def text(self) -> io.TextIOWrapper:
        """A new stream of characters."""
        return io.TextIOWrapper(io.BufferedReader(self), encoding="utf-8")

    def capture(self) -> None:
        """Begin now."""
        self.is_used = False

    def restore(self) -> None:
        """It is as empty as before."""

    def readable(self) -> bool:
        """It can be read, to no avail."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Read nothing."""
        self.is_used = True
        return 0

    def fileno(self) -> int:
        """The descriptor of standard input."""
        return 0

    def close(self) -> None:
        """Stay: the next run wants to read, too."""
