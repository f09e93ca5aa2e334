"""Processes that run target code: a server per module, a worker per function.

A process that has loaded Z3 and the engine once (`warm_up`) forks a server for each module; the
server imports the module rewritten and forks a worker for each function, so a worker starts in a
few milliseconds and what a function breaks in its process is gone with it. Orders come over a
socket, with the descriptor a new process is to write to.
"""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pef.checking.job import Job, Limits
from pef.importing import uncollected
from pef.isolation import forking
from pef.isolation.ambient import empty_input
from pef.isolation.hook import ours, theirs
from pef.isolation.orphans import become_reaper, end_orphans
from pef.isolation.pulse import Pulse
from pef.isolation.quarters import Quarters
from pef.replay.process import keep_only, kill_session
from pef.replay.wire import Inbox, Message, decode_message, encode_message, write_all

if TYPE_CHECKING:
    from pef.isolation.kernel import Layers
    from pef.session import Loaded
    from pef.targets import Target

_CHUNK = 1 << 16
_MOST_DESCRIPTORS = 2
_LEAVING_SECONDS = 1.0
_LOOK_EVERY_SECONDS = 0.002
_PROCESSOR_TIME = 2.0
"""Times the time limit: a guard against what escapes all other clocks."""


class Channel:
    """Messages, some with descriptors, over a Unix socket."""

    def __init__(self, end: socket.socket) -> None:
        self.socket = end
        self._inbox = Inbox()
        self._descriptors: list[int] = []

    def send(self, message: Message, *descriptors: int) -> None:
        """Send one message; the other side gets copies of the descriptors."""
        data = encode_message({**message, "passes": len(descriptors)})
        sent = socket.send_fds(self.socket, [data], descriptors)
        self.socket.sendall(data[sent:])

    def receive(self) -> Message | None:
        """The next message, with its `descriptors`; None when the other side is gone."""
        while (body := self._inbox.take()) is None:
            data, descriptors, _, _ = socket.recv_fds(self.socket, _CHUNK, _MOST_DESCRIPTORS)
            if not data:
                return None
            self._inbox.feed(data)
            self._descriptors += descriptors
        message = decode_message(body)
        passed = message["passes"]
        message["descriptors"] = self._descriptors[:passed]
        del self._descriptors[:passed]
        return message


def fork(live: Callable[[Channel], None]) -> tuple[int, Channel]:
    """Start a process that talks to this one; it never returns into the code that forked it."""
    ours, theirs = socket.socketpair()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        try:
            _die_with_parent()
            keep_only(theirs.fileno())
            gc.freeze()
            live(Channel(theirs))
        finally:
            os._exit(0)
    theirs.close()
    return pid, Channel(ours)


def warm_up() -> None:
    """Load Z3, the native module and everything a worker needs, before anybody is forked."""
    with uncollected():
        import pef.checking.analysis
        import pef.contracts.callees
        import pef.engine

        with pef.engine.Engine():
            pass


class Servers:
    """The servers that this process has started."""

    def __init__(self) -> None:
        self._running: set[int] = set()

    def start(self, request: Message) -> None:
        """Fork a server for a module; it takes its orders from the descriptor of the request."""
        descriptor, *door = request["descriptors"]
        pid = os.fork()
        if pid == 0:
            try:
                _leave_terminal()
                _die_with_parent()
                keep_only(descriptor, *door)
                gc.freeze()  # what is here stays here: to go through it would copy its pages
                _serve(Channel(socket.socket(fileno=descriptor)), request)
            finally:
                os._exit(0)
        for each in (descriptor, *door):
            os.close(each)
        self._running.add(pid)
        self._reap()

    def end(self) -> None:
        """Wait for all of them; they leave when nobody has orders, unless they are stuck."""
        deadline = time.monotonic() + _LEAVING_SECONDS
        while self._running and time.monotonic() < deadline:
            self._reap()
            time.sleep(_LOOK_EVERY_SECONDS if self._running else 0)
        for pid in self._running:
            kill_session(pid)
            os.waitpid(pid, 0)
        self._running.clear()

    def _reap(self) -> None:
        self._running -= {pid for pid in self._running if os.waitpid(pid, os.WNOHANG)[0]}


def _serve(channel: Channel, request: Message) -> None:
    """The life of a server: import the module, then fork a worker for every function."""
    from pef.targets import Target

    target = Target(Path(request["path"]), request["module"], "")
    os.chdir(request["folder"])
    allow, folder, _, mark = request["quarters"]
    door = next(iter(request["descriptors"][1:]), None)
    quarters = Quarters(allow, folder, door, mark)
    layers = quarters.enter()
    with ExitStack() as stack, ours():
        loaded = _load(stack, target, request, channel, layers)
        become_reaper()
        living: set[int] = set()
        while loaded is not None and (order := channel.receive()) is not None:
            if "start" in order:
                pid = _start(loaded, order, request["project"], quarters)
                for descriptor in order["descriptors"]:
                    os.close(descriptor)
                living.add(pid)
                channel.send({"pid": pid})
            else:
                _, status = os.waitpid(order["reap"], 0)
                living.discard(order["reap"])
                if not living:  # else nobody knows whose orphans they are
                    end_orphans(living)
                channel.send({"status": status})


_foreign: list[str] = []


def note_modules() -> None:
    """Before others are forked: see what a user of the library has imported.

    A process that was forked would copy every page with a module on it to look at them.
    """
    _foreign.clear()
    kept = {"__main__", "pef", "z3", *sys.stdlib_module_names}
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        is_source = str(getattr(spec, "origin", "")).endswith(".py")
        if is_source and name.partition(".")[0] not in kept and not _is_installed(module):
            _foreign.append(name)


def forget_modules() -> None:
    """Drop what a user of the library has imported: it is to be imported anew, as it is on disk.

    Only modules that Python code can make again; the rest of PEF stays, and so does what came with
    the interpreter.
    """
    for name in _foreign:
        sys.modules.pop(name, None)


def _is_installed(module: ModuleType) -> bool:
    file = getattr(module, "__file__", None) or ""
    return any(f"{os.sep}{each}{os.sep}" in file for each in ("site-packages", "dist-packages"))


def _load(
    stack: ExitStack, target: Target, request: Message, channel: Channel, layers: Layers
) -> Loaded | None:
    from pef.cli.blame import fault_of_program
    from pef.session import load

    forget_modules()
    try:
        with _silence(), theirs():
            loaded = load(stack, target, request["python_path"])
    except BaseException as problem:
        folders = [str(target.root), *request["python_path"]]
        said = fault_of_program(problem, folders) if isinstance(problem, Exception) else None
        channel.send({"failed": said or f"{type(problem).__name__}: {problem}"})
        return None
    gc.freeze()
    channel.send({"ready": True, "missing": layers.missing})
    return loaded


def _start(loaded: Loaded, order: Message, project: list[str], quarters: Quarters) -> int:
    """Fork a worker that explores one function, writes to one descriptor and lives in the other."""
    pid = forking.fork()
    if pid != 0:
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        _die_with_parent()
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)  # until somebody can heed it
        out, page = order["descriptors"]
        keep_only(out, page)
        pulse = Pulse(page)
        os.close(page)
        quarters.settle(_PROCESSOR_TIME * order["start"]["seconds"], f"{os.getpid()}")
        with theirs():
            _work(loaded, order["start"], project, out, pulse, quarters)
        status = 0
    finally:
        os._exit(status)


def _work(
    loaded: Loaded,
    start: Message,
    project: list[str],
    out: int,
    pulse: Pulse,
    quarters: Quarters,
) -> None:
    from pef._native import Session
    from pef.checking.analysis import Surroundings, analyse
    from pef.checking.judge import Project

    limits = Limits(**start["limits"])
    job = Job(start["qualname"], limits, start["seconds"], start["rehearsal"])
    Session.show_pulse(pulse.page)
    send = _Sender(out)
    try:
        with _silence():
            analyse(loaded, job, Project(project), send, Surroundings(pulse, quarters))
    except BaseException as fault:
        import traceback

        send("fault", "".join(traceback.format_exception(fault)))


class _Sender:
    """Writes messages for a worker and the processes it forks, one at a time.

    The lock belongs to a process and goes with it, so none that is killed keeps the others waiting.
    """

    def __init__(self, out: int) -> None:
        self._out = out
        self._lock = tempfile.TemporaryFile()  # noqa: SIM115, lives as long as the process

    def __call__(self, kind: str, content: Any) -> None:
        frame = encode_message({"kind": kind, "content": content})
        fcntl.lockf(self._lock, fcntl.LOCK_EX)
        try:
            write_all(self._out, frame)
        finally:
            fcntl.lockf(self._lock, fcntl.LOCK_UN)


@contextmanager
def _silence() -> Iterator[None]:
    """What target code prints outside a recorded run belongs to nobody; its input is empty."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    sys.stdin = empty_input()
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    yield


def _leave_terminal() -> None:
    """Ctrl-C is for the supervisor, which then ends everyone."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """On Linux, nobody is left behind when a process above is killed."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
