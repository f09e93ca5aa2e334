"""Coverage by `sys.monitoring`, for CPython 3.12 and later.

A line says nothing new the second time and is switched off; a branch when both its ways were seen,
or when it went one way so often that listening costs more than the other way is worth. What was
given up is listened to again from time to time.
"""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any

from pef.scout.coverage import Entered, Interest

_BORED = 300
"""How often a branch may go one way before nobody listens."""
_AGAIN = 500
"""Calls after which everything is listened to again."""

_monitoring: Any = getattr(sys, "monitoring", None)


def has_free_tool() -> bool:
    """Whether there is a tool id that nobody uses."""
    return _free_tool() is not None


def _free_tool() -> int | None:
    return next((tool for tool in (4, 3, 5, 1, 0, 2) if _monitoring.get_tool(tool) is None), None)


class Monitoring:
    """Watches calls through one tool id, which is taken while there are calls.

    Events stay on between calls: switching them makes the interpreter visit all code anew.
    """

    def __init__(self, interest: Interest, entered: Entered) -> None:
        self._tool: int | None = None
        self._interest = interest
        self._entered = entered
        self._news: list[CodeType] = []
        self._lines: set[tuple[int, int]] = set()
        self._branches: dict[tuple[int, int], list[int]] = {}
        self._raised: set[tuple[int, int, type]] = set()
        self._alive: dict[int, CodeType] = {}
        self._calls = 0

    def _listen(self) -> None:
        self._tool = _free_tool()
        if self._tool is None:
            return
        _monitoring.use_tool_id(self._tool, "pef scout")
        events = _monitoring.events
        handlers = {
            events.PY_START: self._start,
            events.LINE: self._line,
            events.BRANCH: self._branch,
            events.RAISE: self._raise,
        }
        chosen = 0
        for event, handler in handlers.items():
            _monitoring.register_callback(self._tool, event, handler)
            chosen |= event
        _monitoring.set_events(self._tool, chosen)
        _monitoring.restart_events()

    def start(self) -> None:
        """A call begins."""
        self._calls += 1
        if self._tool is None:
            self._listen()
        elif self._calls % _AGAIN == 0:
            _monitoring.restart_events()
            for counts in self._branches.values():
                counts[0] = 0
        self._news.clear()

    def stop(self) -> list[CodeType]:
        """The call is over."""
        return self._news.copy()

    def rest(self) -> None:
        """No calls for a while: give the tool back."""
        if self._tool is not None:
            _monitoring.set_events(self._tool, 0)
            _monitoring.free_tool_id(self._tool)
            self._tool = None

    def _start(self, code: CodeType, offset: int) -> Any:
        if id(code) not in self._alive and self._interest(code.co_filename):
            self._alive[id(code)] = code
            self._entered(code, sys._getframe(1))
        return _monitoring.DISABLE

    def _line(self, code: CodeType, line: int) -> Any:
        if self._interest(code.co_filename) and (id(code), line) not in self._lines:
            self._lines.add((id(code), line))
            self._alive.setdefault(id(code), code)
            self._news.append(code)
        return _monitoring.DISABLE

    def _branch(self, code: CodeType, offset: int, destination: int) -> Any:
        if not self._interest(code.co_filename):
            return _monitoring.DISABLE
        counts = self._branches.get((id(code), offset))
        if counts is None:
            self._alive.setdefault(id(code), code)
            counts = self._branches[id(code), offset] = [0]
        if destination not in counts[1:]:
            counts.append(destination)
            counts[0] = 0
            self._news.append(code)
        counts[0] += 1
        return _monitoring.DISABLE if len(counts) > 2 or counts[0] > _BORED else None

    def _raise(self, code: CodeType, offset: int, exception: BaseException) -> None:
        # This event cannot be switched off for one place.
        feature = (id(code), offset, type(exception))
        if feature not in self._raised and self._interest(code.co_filename):
            self._raised.add(feature)
            self._alive.setdefault(id(code), code)
            self._news.append(code)
