"""A worker forked from this process, for a caller that has never loaded the engine or user code.

A fork of a small process is ready in two milliseconds, where a new interpreter takes fifty.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` makes members of an enumeration: slow
import os
import sys

from pef.isolation.nowhere import lead_nowhere
from pef.replay.process import WorkerProcess, keep_only, spawn
from pef.replay.wire import Message, encode_message
from pef.replay.worker import live


def start(setup: Message) -> WorkerProcess:
    """Start a worker; a fork of this process is plain, unless it has begun to explore."""
    engine = sys.modules.get("pef._native")
    return spawn(setup) if engine is not None and engine.is_awake() else _fork(setup)


def _fork(setup: Message) -> WorkerProcess:
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _be_worker(theirs_in, theirs_out, setup)
    os.close(theirs_in)
    os.close(theirs_out)
    os.set_blocking(ours_out, False)
    os.set_blocking(ours_in, False)
    return WorkerProcess(
        pid, requests=ours_out, answers=ours_in, outbox=bytearray(encode_message(setup))
    )


def _be_worker(requests: int, answers: int, setup: Message) -> None:
    """Keep nothing of the process that was forked but its modules, and never return into it."""
    try:
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
        door = setup["quarters"].door if "quarters" in setup else None
        keep_only(requests, answers, *([] if door is None else [door]))
        lead_nowhere(0, 1, 2)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        live(requests, answers)
    finally:
        os._exit(0)
