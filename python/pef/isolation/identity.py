"""Numbers that say which process or object it is, or how much it has used: they differ each time.

Code that signals itself needs its true number, so they stay as they are; it is noted that the
program looked.
"""

from __future__ import annotations

import builtins
import gc
import os
import sys
from collections.abc import Callable
from typing import Any

from pef.isolation.asking import who_asks
from pef.isolation.replacing import Replacement


class Identity:
    """Whether the program has looked at one kind of number."""

    def __init__(self, reason: str, home: Any, *names: str) -> None:
        self.reason = reason
        self._home = home
        self._names = names
        self.is_used = False

    def replacements(self) -> list[Replacement]:
        """What notices it."""
        return [
            Replacement(self._home, name, self._noticed(getattr(self._home, name)))
            for name in self._names
            if hasattr(self._home, name)
        ]

    def fix(self) -> None:
        """Nothing besides."""

    def _noticed(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        def look(*args: object, **kwargs: object) -> Any:
            self.is_used |= who_asks() != "ground"
            return plain(*args, **kwargs)

        look.__name__ = look.__qualname__ = plain.__name__
        look.__doc__ = plain.__doc__
        return look

    def capture(self) -> None:
        """Begin now."""
        self.is_used = False

    def restore(self) -> None:
        """Nothing has changed."""


def identities() -> list[Identity]:
    """All kinds."""
    return [
        Identity("the number of the process differs each time", os, "getpid", "getppid"),
        Identity("addresses of objects differ each time", builtins, "id"),
        Identity("processor time and load differ each time", os, "times", "getloadavg"),
        Identity("the number of objects in memory differs each time", sys, "getallocatedblocks"),
        Identity(
            "the number of objects in memory differs each time", gc, "get_count", "get_objects"
        ),
    ]
