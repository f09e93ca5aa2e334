"""A twin of this process, forked before anything is rewritten, to replay calls in.

A function that exists only here (in a script, a closure, an interactive session), or whose module
was changed since its import, can be replayed nowhere else: the twin has it exactly as it was. As in
any worker, each call runs in a child of its own, so the twin stays as it is.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from pef.isolation.orphans import become_reaper
from pef.replay.client import ReplayError
from pef.replay.process import WorkerProcess, close_inherited
from pef.replay.wire import Message, encode_message
from pef.replay.worker import Worker, leave_terminal

FUNCTION = "__pef_function__"
"""The name under which a twin finds the function."""


class Twin:
    """Forks at once; hands out its process when the replayer starts."""

    def __init__(self, function: Callable[..., object]) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        with warnings.catch_warnings():
            # The twin runs one function at a time and needs no other thread of ours.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            os.close(ours_in)
            os.close(ours_out)
            close_inherited()
            _live(function, theirs_in, theirs_out)
        os.close(theirs_in)
        os.close(theirs_out)
        os.set_blocking(ours_out, False)
        os.set_blocking(ours_in, False)
        self._process: WorkerProcess | None = WorkerProcess(pid, ours_out, ours_in)

    def launch(self, setup: Message) -> WorkerProcess:
        """The twin as a worker; there is only one."""
        process, self._process = self._process, None
        if process is None:
            raise ReplayError("the process to replay in is gone")
        process.outbox += encode_message(setup)
        return process


def _live(function: Callable[..., object], requests: int, answers: int) -> None:
    """The twin's whole life; it never returns into the code that was forked."""
    try:
        leave_terminal()
        gc.freeze()  # the heap is that of the user: to go through it would copy all of it
        _take_streams()
        worker = Worker(requests, answers)
        first = worker.next_request()
        if first is not None:
            become_reaper()
            worker.send({"status": "ready"})
            worker.serve(_around(function), first.request)
    finally:
        os._exit(0)


def _take_streams() -> None:
    """The streams of the program may be anything by now, a capture of a test runner say."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def _around(function: Callable[..., object]) -> ModuleType:
    """A module with the function and all that the function's own module sees."""
    module = ModuleType(function.__module__)
    inner: Any = function
    while hasattr(inner, "__wrapped__"):  # a wrapper sees the module of its decorator
        inner = inner.__wrapped__
    vars(module).update(getattr(inner, "__globals__", {}))
    setattr(module, FUNCTION, function)
    return module
