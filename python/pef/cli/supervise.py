"""Runs a command in a process of its own, so that its end is always an answer.

A function that is explored runs in our process, and it may do there what it likes: crash, leave
through `os._exit(0)`, never give control back. A run counts only with its completion record, so
none of that is ever taken for a clean end. The fork happens while the process is still small: Z3
and the engine are loaded in the child only.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from pef.cli.exits import INCOMPLETE, answered

_LOOK_EVERY_SECONDS = 0.2
_HELD_WHILE_FORKING = (signal.SIGINT, signal.SIGTERM)
"""The child may be at work before we have said what these mean to us."""


def supervised(command: Callable[[], int], what: str, seconds: float | None) -> int:
    """Run the command in a child and return its exit code; kill it if it takes too long."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    unmasked = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_WHILE_FORKING)
    child = os.fork()
    if child == 0:
        os.close(reader)
        _be_child(command, writer, parent, unmasked)
    os.close(writer)
    with _Forwarding(child):
        signal.pthread_sigmask(signal.SIG_SETMASK, unmasked)
        record, status = _wait(child, reader, seconds)
    os.close(reader)
    if record:
        return record[0]
    end = f"did not end within {seconds:g} s" if status is None else _described(status)
    print(f"pef: {what} {end} while it was explored; what was shown is all", file=sys.stderr)
    return INCOMPLETE


def _wait(child: int, reader: int, seconds: float | None) -> tuple[bytes, int | None]:
    """Return the child's record, if it left one, and its wait status; None if it was killed.

    A process the program has forked may hold the pipe open, so its end alone tells nothing.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    while not select.select([reader], [], [], _LOOK_EVERY_SECONDS)[0]:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return b"", status
        if deadline is not None and time.monotonic() >= deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return b"", None
    record = os.read(reader, 1)
    return record, os.waitpid(child, 0)[1]


def _be_child(
    command: Callable[[], int], writer: int, parent: int, unmasked: set[int | signal.Signals]
) -> None:
    """Run the command and leave at once: tearing down the engine is time nobody needs."""

    def run() -> int:
        signal.pthread_sigmask(signal.SIG_SETMASK, unmasked)
        _die_with(parent)
        return command()

    code = INCOMPLETE
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        code = answered(run)
        code = max(code, answered(_flush))
        os.write(writer, bytes([code]))
    finally:
        os._exit(code)


def _flush() -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    return 0


def _die_with(parent: int) -> None:
    """On Linux, make sure that a killed supervisor leaves no child behind."""
    if sys.platform == "linux":
        from pef import _native

        _native.die_with_parent()
        if os.getppid() != parent:
            os._exit(INCOMPLETE)


def _described(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"crashed ({signal.Signals(os.WTERMSIG(status)).name})"
    return f"left the process (exit status {os.WEXITSTATUS(status)})"


class _Forwarding:
    """While the child works, Ctrl-C is its own business and other ends are passed on."""

    def __init__(self, child: int) -> None:
        self._child = child

    def __enter__(self) -> None:
        self._interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._terminate = signal.signal(signal.SIGTERM, self._forward)

    def __exit__(self, *problem: object) -> None:
        signal.signal(signal.SIGINT, self._interrupt)
        signal.signal(signal.SIGTERM, self._terminate)

    def _forward(self, number: int, frame: FrameType | None) -> None:
        os.kill(self._child, signal.SIGKILL)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
