"""Worker processes as the client sees them: started, reaped, and swept up after."""

from __future__ import annotations

import os
import signal
import sys
import time

from pef.records import field, record
from pef.replay.wire import Inbox, Message, encode_message

_START = "import sys; sys.path[0] = sys.argv.pop(1); from pef.replay.worker import main; main()"


@record
class WorkerProcess:
    """A running worker and its pipes."""

    pid: int
    requests: int
    answers: int
    inbox: Inbox = field(default_factory=Inbox)
    outbox: bytearray = field(default_factory=bytearray)
    ready: bool = False
    last_sign: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        _held.update((self.requests, self.answers))

    def close(self) -> None:
        """Close the pipes, which tells the worker to leave."""
        for descriptor in (self.requests, self.answers):
            _held.discard(descriptor)
            os.close(descriptor)


_held: set[int] = set()
"""Our ends of the pipes of all workers."""


def close_inherited() -> None:
    """In a fork of this process: a worker leaves when nobody holds the other end of its pipe."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


def spawn(setup: Message) -> WorkerProcess:
    """Start a worker. Spawning rather than forking: it is cheap however big this process is."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    package_parent = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    # Both ends go to the worker under their own numbers.
    os.set_inheritable(theirs_in, True)
    os.set_inheritable(theirs_out, True)
    try:
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", _START, package_parent, str(theirs_in), str(theirs_out)],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0)
                for descriptor in (0, 1, 2)
            ],
        )
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    os.set_blocking(ours_out, False)
    os.set_blocking(ours_in, False)
    return WorkerProcess(
        pid, requests=ours_out, answers=ours_in, outbox=bytearray(encode_message(setup))
    )


def keep_only(*kept: int) -> None:
    """Close every descriptor of this process but the standard ones and those given."""
    limit = os.sysconf("SC_OPEN_MAX")
    below = 3
    for descriptor in sorted({*kept, limit if limit > 0 else 65536}):
        os.closerange(below, descriptor)
        below = descriptor + 1


def reap(pid: int, patience: float) -> str:
    """Wait for a worker to leave, kill it if it does not, and say how it ended."""
    deadline = time.monotonic() + patience
    pause = 0.0002
    while True:
        reaped, status = os.waitpid(pid, os.WNOHANG)
        if reaped:
            break
        if time.monotonic() >= deadline:
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            break
        time.sleep(pause)
        pause = min(pause * 2, 0.02)
    if os.WIFSIGNALED(status):
        return signal.strsignal(os.WTERMSIG(status)) or f"signal {os.WTERMSIG(status)}"
    return f"exit status {os.WEXITSTATUS(status)}"


def kill_session(leader: int) -> None:
    """Kill what a worker that could not do it itself has left behind, where /proc tells."""
    try:
        candidates = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except FileNotFoundError:
        return
    for pid in candidates:
        try:
            with open(f"/proc/{pid}/stat", "rb") as stat:
                # After the command's closing parenthesis: state, parent, group, session.
                session = int(stat.read().rpartition(b")")[2].split()[3])
            if session == leader:
                os.kill(pid, signal.SIGKILL)
        except (OSError, IndexError, ValueError):  # it ended meanwhile
            continue
