"""Processes that run target code: a server per module, a worker per function.

The process of a run loads Z3 and the engine once (`warm_up`) and forks a server for each module.
The server imports the module rewritten and forks a worker for each function, so a worker starts in
a few milliseconds and what a function breaks in its process is gone with it. Orders come over a
socket, with the descriptor a new process is to write to.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` makes members of an enumeration: slow
import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from pef.checking.job import Job, Limits
from pef.importing import uncollected
from pef.isolation import forking, outside, passing
from pef.isolation.ambient import empty_input
from pef.isolation.hook import ours, theirs
from pef.isolation.nowhere import lead_nowhere
from pef.isolation.orphans import become_reaper, end_orphans
from pef.isolation.pulse import Pulse
from pef.isolation.quarters import Quarters
from pef.replay.process import keep_only, kill_session
from pef.replay.wire import Inbox, Message, decode_message, encode_message, write_all

if TYPE_CHECKING:
    from pef.checking.sharing import Lock
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

    def __init__(self, end: passing.Socket) -> None:
        self.socket = end
        self._inbox = Inbox()
        self._descriptors: list[int] = []

    def send(self, message: Message, *descriptors: int) -> None:
        """Send one message; the other side gets copies of the descriptors."""
        data = encode_message({**message, "passes": len(descriptors)})
        sent = passing.send(self.socket, data, *descriptors)
        if sent < len(data):  # who has got all of it may be gone by now
            self.socket.sendall(data[sent:])

    def receive(self) -> Message | None:
        """The next message, with its `descriptors`; None when the other side is gone."""
        while (body := self._inbox.take()) is None:
            data, descriptors = passing.receive(self.socket, _CHUNK, _MOST_DESCRIPTORS)
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
    ours, theirs = passing.pair()
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


_warm: list[bool] = []


def warm_up(*, for_good: bool = True, several: bool = True, sources: Iterable[str] = ()) -> None:
    """Load the native module and everything a worker needs, before anybody is forked.

    All of it stays asleep: nothing in this process behaves differently for it. If there is only one
    function, Z3 is left to it: not many need it. `sources` are those of the targets; `for_good` as
    in `uncollected`.
    """
    if _warm:
        return
    _warm.append(True)
    with uncollected(for_good=for_good):
        import pef.checking.analysis
        import pef.contracts.callees
        import pef.models
        from pef._z3 import load as load_z3
        from pef.contracts import docstring, pep316, sections, sphinx  # noqa: F401

        pef.models.install()
        pef.models.twins.prepare(sources)
        if several:
            load_z3()


class Servers:
    """The servers that this process has started."""

    several = True
    """Whether more than one function will be analysed, as far as is known."""
    sources: Sequence[str] = ()
    """The texts of the modules, as far as they are known."""

    def __init__(self) -> None:
        self._running: set[int] = set()
        self._entrusted: set[int] = set()
        """Those that somebody else will reap: until then their numbers mean nobody else."""

    def warm_up(self) -> None:
        """Load what a server needs; best before anybody at all is forked.

        What two processes share is copied when either of them writes to it, and imports write to
        nearly all there is.
        """
        warm_up(several=self.several, sources=self.sources)

    def start(self, request: Message, quarters: Quarters) -> Channel:
        """Fork a server for a module; it takes its orders from the other end of the channel."""
        ours, theirs = passing.pair()
        door = [] if quarters.door is None else [quarters.door]
        pid = os.fork()
        if pid == 0:
            try:
                _leave_terminal()
                _die_with_parent()
                keep_only(theirs.fileno(), *door)
                gc.freeze()  # what is here stays here: to go through it would copy its pages
                _serve(Channel(theirs), request, quarters)
            finally:
                os._exit(0)
        theirs.close()
        self._running.add(pid)
        self._reap()
        return Channel(ours)

    def entrust(self, pid: int) -> None:
        """Leave it to the caller to reap one of them."""
        self._running.remove(pid)
        self._entrusted.add(pid)

    def reap(self, pid: int) -> int:
        """Wait for one that was entrusted; how it ended."""
        self._entrusted.remove(pid)
        return os.waitpid(pid, 0)[1]

    def __enter__(self) -> Servers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Wait for all of them; they leave when nobody has orders, unless they are stuck."""
        deadline = time.monotonic() + _LEAVING_SECONDS
        self._running |= self._entrusted
        while self._running and time.monotonic() < deadline:
            self._reap()
            time.sleep(_LOOK_EVERY_SECONDS if self._running else 0)
        for pid in self._running:
            kill_session(pid)
            os.waitpid(pid, 0)
        self._running.clear()

    def _reap(self) -> None:
        self._running -= {pid for pid in self._running if os.waitpid(pid, os.WNOHANG)[0]}


def _serve(channel: Channel, request: Message, quarters: Quarters) -> None:
    """The life of a server: import the module, then fork a worker for every function.

    For the last one it need not fork: that is its own life from then on.
    """
    from pef.targets import Target

    target = Target(request["path"], request["module"], "")
    os.chdir(request["folder"])
    sys.argv = [""]  # as in a replay
    lead_nowhere(0, 1, 2)
    layers = quarters.enter()
    with ExitStack() as stack, ours():
        loaded = _load(stack, target, request, channel, layers)
        become_reaper()
        living: set[int] = set()
        is_alone = True
        while loaded is not None and (order := channel.receive()) is not None:
            if "start" in order and order["start"]["is_last"]:
                channel.send({"pid": os.getpid()})
                own = None if is_alone else f"{os.getpid()}"
                _live(loaded, order, request["project"], quarters, own)
            elif "start" in order:
                is_alone = False
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
        end_orphans(set())
        os._exit(0)  # there is nothing to take apart


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
    from pef.session import load

    forget_modules()
    try:
        with _silence(), theirs():
            loaded = load(stack, target, request["python_path"], merging=True)
    except BaseException as problem:
        from pef.cli.blame import fault_of_program

        folders = [target.root, *request["python_path"]]
        said = fault_of_program(problem, folders) if isinstance(problem, Exception) else None
        channel.send({"failed": said or f"{type(problem).__name__}: {problem}"})
        return None
    gc.freeze()
    channel.send({"ready": True, "missing": layers.missing, "variables": outside.variables()})
    return loaded


def _start(loaded: Loaded, order: Message, project: list[str], quarters: Quarters) -> int:
    """Fork a worker."""
    pid = forking.fork()
    if pid == 0:
        os.setpgid(0, 0)
        _die_with_parent()
        _live(loaded, order, project, quarters, f"{os.getpid()}")
    return pid


def _live(
    loaded: Loaded, order: Message, project: list[str], quarters: Quarters, own: str | None
) -> None:
    """Explore one function, write to one descriptor, share the other, and never return.

    `own` names a folder of its own; a worker that is the only one needs none.
    """
    status = 1
    try:
        out, page = order["descriptors"]
        keep_only(out, page)
        quarters.settle(_PROCESSOR_TIME * order["start"]["seconds"], own)
        with theirs():
            _work(loaded, order["start"], project, out, page, quarters)
        status = 0
    finally:
        os._exit(status)


def _work(
    loaded: Loaded,
    start: Message,
    project: list[str],
    out: int,
    page: int,
    quarters: Quarters,
) -> None:
    from pef._native import Session
    from pef.checking.analysis import Surroundings, analyse
    from pef.checking.judge import Project
    from pef.checking.sharing import Claims, Lock

    pulse, lock = Pulse(page), Lock(page)
    send = _Sender(out, lock)
    limits = Limits(**start["limits"])
    job = Job(start["qualname"], limits, start["seconds"], start["rehearsal"])
    Session.show_pulse(pulse.page)
    outside.note_on(pulse)
    try:
        with _silence():
            around = Surroundings(pulse, quarters, Claims(pulse, lock))
            analyse(loaded, job, Project(project), send, around)
    except BaseException as fault:
        import traceback

        send("fault", "".join(traceback.format_exception(fault)))


class _Sender:
    """Writes messages for a worker and the processes it forks, one at a time."""

    def __init__(self, out: int, lock: Lock) -> None:
        self._out = out
        self._lock = lock

    def __call__(self, kind: str, content: Any) -> None:
        frame = encode_message({"kind": kind, "content": content})
        with self._lock.held():
            write_all(self._out, frame)


@contextmanager
def _silence() -> Iterator[None]:
    """What target code prints outside a recorded run belongs to nobody; its input is empty."""
    lead_nowhere(0, 1, 2)
    sys.stdin = empty_input()
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    yield


def _leave_terminal() -> None:
    """Ctrl-C is for the supervisor, which then ends everyone."""
    os.setsid()
    _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)


def _die_with_parent() -> None:
    """On Linux, nobody is left behind when a process above is killed."""
    if sys.platform == "linux":
        from pef import _native

        _native.die_with_parent()
