"""Which ways the code went: what an input reached that no input before it did.

A feature is a pair of lines executed one after the other, or an exception passing a line. On
CPython 3.12 and later `sys.monitoring` tells, and is told to be silent about what is known. Before
that `sys.settrace` is used, which is dear: functions called often in one run are only sampled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from sysconfig import get_paths
from types import CodeType, FrameType
from typing import Any, Protocol

Entered = Callable[[CodeType, FrameType], None]
"""Called once for every function of interest, when it is first reached."""


class Coverage(Protocol):
    """Watches calls, one at a time."""

    def start(self) -> None:
        """A call begins."""

    def stop(self) -> list[CodeType]:
        """The call is over: the functions in which it did something new, once for each feature."""

    def rest(self) -> None:
        """No calls for a while: cost nobody anything."""


def coverage(interest: Interest, entered: Entered) -> Coverage:
    """The cheapest way this interpreter has."""
    if sys.version_info >= (3, 12):
        from pef.scout.monitoring import Monitoring, has_free_tool

        if has_free_tool():
            return Monitoring(interest, entered)
    return Tracing(interest, entered)


_PLUMBING = frozenset(
    {
        *("re", "sre_parse", "sre_compile", "enum", "abc", "_py_abc", "typing", "functools"),
        *("collections", "codecs", "encodings", "copy", "copyreg", "warnings", "contextlib"),
        *("threading", "logging", "importlib", "inspect", "types", "os", "posixpath", "ntpath"),
        *("genericpath", "traceback", "linecache", "weakref", "_weakrefset", "io", "operator"),
        *("dataclasses", "tokenize", "token", "ast", "dis", "opcode", "locale", "keyword"),
        *("random", "reprlib", "_collections_abc", "pickle", "heapq", "bisect", "stat", "asyncio"),
    }
)
"""Parts of the standard library whose inner life says nothing about an input."""


class Interest:
    """Which files hold code worth covering: the project and what it uses, but no plumbing."""

    def __init__(self, project_files: Callable[[str], bool]) -> None:
        paths = get_paths()
        self._library = [paths["stdlib"] + os.sep, paths["platstdlib"] + os.sep]
        self._installed = [paths["purelib"] + os.sep, paths["platlib"] + os.sep]
        self._own = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
        self._project_files = project_files
        self._known: dict[str, bool] = {}

    def __call__(self, file: str) -> bool:
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._decide(file)
        return known

    def _decide(self, file: str) -> bool:
        if file.startswith(self._own):
            return False
        if self._project_files(file):
            return True
        if file.startswith("<"):
            return False
        for folder in self._library:
            if file.startswith(folder) and not file.startswith(tuple(self._installed)):
                part = file[len(folder) :].partition(os.sep)[0]
                return part.removesuffix(".py") not in _PLUMBING
        return True


_FULLY = 24
"""How often a function is watched in one call before it is only sampled."""
_SAMPLE = 16
"""Of so many executions that are sampled, one is watched."""
_PATIENCE = 4_000
"""Events without news after which one execution of a function is left alone."""
_FIRST_CALLS = 5
_ENOUGH_CALLS = 60
_BUSY = 60
"""Executions of functions in a call that make it dear to watch: tracing slows all code down, not
only what is traced. Such calls are watched one in `_BUSY_SAMPLE` once news have become rare."""
_BUSY_SAMPLE = 3
_RARE = 150
"""Calls without news."""


class _Watched:
    """A function of interest.

    Many functions only prepare the ground and do the same whatever the input is. One that had no
    news after its first calls is taken for such a function after a while. In a busy call it is only
    sampled.
    """

    def __init__(self, code: CodeType, news: list[CodeType]) -> None:
        self._code = code
        self._news = news
        self._seen: set[object] = set()
        self._call = self._calls = self._executions = 0
        self._is_alive = False

    def is_to_be_traced(self, call: int, is_busy: bool) -> bool:
        """Whether this execution, during that call, is worth the cost."""
        if self._call != call:
            self._call = call
            self._calls += 1
            self._executions = 0
        self._executions += 1
        if self._executions > _FULLY and self._executions % _SAMPLE:
            return False
        if not is_busy or self._is_alive or self._calls < _ENOUGH_CALLS:
            return True
        return self._calls % _SAMPLE == 0

    def tracer(self) -> Any:
        """The trace function of one execution; it is called for every line."""
        seen = self._seen
        last = idle = 0

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last, idle
            if event == "line":
                line = frame.f_lineno
                feature: object = last << 20 | line
                last = line
            elif event == "exception":
                feature = (frame.f_lineno, argument[0])
            else:
                return trace
            if feature not in seen:
                idle = 0
                self._learn(feature)
                return trace
            idle += 1
            if idle < _PATIENCE:
                return trace
            frame.f_trace = None
            return None

        return trace

    def _learn(self, feature: object) -> None:
        self._seen.add(feature)
        self._news.append(self._code)
        self._is_alive = self._is_alive or self._calls > _FIRST_CALLS


class Tracing:
    """Coverage by `sys.settrace`; a trace function that was set before is put back."""

    def __init__(self, interest: Interest, entered: Entered) -> None:
        self._interest = interest
        self._entered = entered
        # By identity, since hashing a code object reads all of it. The code is kept alive inside.
        self._known: dict[int, _Watched | None] = {}
        self._alive: list[CodeType] = []
        self._news: list[CodeType] = []
        self._call_count = self._last_news = self._executed = 0
        self._before: Any = None

    def start(self) -> None:
        """A call begins."""
        self._call_count += 1
        self._before = sys.gettrace()
        rare = self._call_count - self._last_news > _RARE
        if rare and self._executed > _BUSY and self._call_count % _BUSY_SAMPLE:
            return
        self._executed = 0
        sys.settrace(self._call)

    def stop(self) -> list[CodeType]:
        """The call is over."""
        sys.settrace(self._before)
        news = self._news.copy()
        self._news.clear()
        if news:
            self._last_news = self._call_count
        return news

    def rest(self) -> None:
        """No calls for a while; nothing is left behind between calls anyway."""

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        self._executed += 1
        try:
            watched = self._known[id(code)]
        except KeyError:
            watched = self._first(code, frame)
        if watched is None:
            return None
        is_busy = self._executed > _BUSY
        return watched.tracer() if watched.is_to_be_traced(self._call_count, is_busy) else None

    def _first(self, code: CodeType, frame: FrameType) -> _Watched | None:
        watched = _Watched(code, self._news) if self._interest(code.co_filename) else None
        self._known[id(code)] = watched
        self._alive.append(code)
        if watched is not None:
            self._entered(code, frame)
        return watched
