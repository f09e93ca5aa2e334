"""Runs one command and accounts for every process it leaves behind.

A tool may fork workers that are adopted by init when their parent goes first; `time` and
`getrusage` of the caller then know nothing of their work. This process adopts them instead
(PR_SET_CHILD_SUBREAPER), so that RUSAGE_CHILDREN is the whole tree. Where the kernel has no such
thing the account is what the tool itself waited for, and `adopts` says so.

A script of its own, started afresh for each measurement: RUSAGE_CHILDREN never starts over.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import time

_PR_SET_CHILD_SUBREAPER = 36
_GRACE = 5.0  # seconds for what still runs when the command has ended


def main(arguments: list[str]) -> int:
    """`WALL-LIMIT RECORD STDOUT STDERR COMMAND...`: run it, write the account to RECORD."""
    limit, record, out, err, *command = arguments
    adopts = _adopt_orphans()
    with open(out, "wb") as stdout, open(err, "wb") as stderr:
        start = time.monotonic()
        tool = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True
        )
        timed_out = not _wait(tool, float(limit))
        wall = time.monotonic() - start
    _reap_orphans(0.0 if timed_out else _GRACE)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    account = {
        "cpu": used.ru_utime + used.ru_stime,
        "wall": wall,
        "peak": used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        "exit": tool.returncode,
        "timed_out": timed_out,
        "adopts": adopts,
    }
    with open(record, "w", encoding="utf-8") as file:
        json.dump(account, file)
    return 0


def _adopt_orphans() -> bool:
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def _wait(tool: subprocess.Popen[bytes], limit: float) -> bool:
    try:
        tool.wait(limit)
    except subprocess.TimeoutExpired:
        _kill_children()
        tool.wait()
        return False
    return True


def _reap_orphans(grace: float) -> None:
    """Wait for every adopted process; what outlives the grace is killed and still accounted for."""
    deadline = time.monotonic() + grace
    while True:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if ended:
            continue
        if time.monotonic() >= deadline:
            _kill_children()
        time.sleep(0.002)


def _kill_children() -> None:
    """Kill our own children, the tool or orphans; what they leave becomes ours in turn."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:  # of the whole terminal; who started us has heard it, too
        _reap_orphans(0.0)
        sys.exit(130)
