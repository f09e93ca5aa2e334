"""The process replays run from: `python -m pef.replay.worker READ_FD WRITE_FD`.

It imports the plain target once and then forks a child per request, so every call starts from the
state a new process would have, for the price of a fork. Calls that are expected to return share a
child (`batch`) as long as they do what is expected. Nothing is rewritten here, and the engine is
asleep: it is only asked for system calls. The worker itself runs no user code after the import: it
only waits, for the child, for the deadline or for the client to go away, and it ends with no
process left behind.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import deque
from collections.abc import Sequence
from functools import partial
from types import ModuleType
from typing import Any

import pef.replay.evidence  # noqa: F401, here so that children need not load it
from pef.isolation import outside
from pef.isolation.ambient import (
    Interpreter,
    begin_anew,
    is_thread_left,
    looked_at,
    threads_left,
    varies,
)
from pef.isolation.forking import in_fork
from pef.isolation.hook import ours, theirs
from pef.isolation.orphans import become_reaper
from pef.isolation.pulse import Pulse
from pef.isolation.quarters import Quarters
from pef.isolation.stint import Stint
from pef.replay.batch import (
    CONFIRMED,
    TOGETHER_BYTES,
    UNCONFIRMED,
    Batches,
    is_result,
)
from pef.replay.call import Call, describe, prepare_silence
from pef.replay.child import Child, Send
from pef.replay.wire import (
    Asked,
    Inbox,
    Message,
    Record,
    decode_calls,
    decode_message,
    encode_message,
    read_some,
    write_all,
)

_LOOK_EVERY_SECONDS = 0.02
_PROCESSOR_TIME = 2.0
"""Times the time of a call: a guard against what escapes all other clocks."""
_BATCH_SECONDS = 600.0
TIMED_OUT = {"status": "timeout"}
_EXTENSIONS = (".so", ".pyd")
_SILENT = {"_ssl", "_sqlite3", *(["threading"] if sys.version_info < (3, 12) else [])}
"""Of the standard library; threads raise events since CPython 3.12."""
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def main() -> None:
    """Import the target, say so, then answer requests until the client closes its end."""
    requests, answers = int(sys.argv[1]), int(sys.argv[2])
    for descriptor in (requests, answers):
        os.set_inheritable(descriptor, False)
    live(requests, answers)


def live(requests: int, answers: int) -> None:
    """The whole life of a worker: the first message says what to import."""
    leave_terminal()
    gc.freeze()  # the collector would copy the pages of whoever forked us, to find nothing
    worker = Worker(requests, answers)
    first = worker.next_request()
    if first is None:
        return
    setup = first.request
    sys.argv = [""]
    sys.dont_write_bytecode = True
    sys.path[:] = setup["sys_path"] + sys.path[1:]
    prepare_silence()
    if "quarters" in setup:
        worker.quarters = Quarters(*setup["quarters"])
        worker.quarters.enter()
    try:
        module = import_plain(setup["module"], setup["path"])
    except BaseException as problem:
        worker.send({"status": "unusable", "detail": describe(problem)})
        return
    become_reaper()
    worker.send({"status": "ready"})
    with ours():
        worker.serve(module, setup)


def _preload(path: str) -> None:
    """What every child would have to load: that would take longer than most calls."""
    try:
        with open(path, "rb") as source:
            if b"async def" in source.read():
                import asyncio  # noqa: F401
    except OSError:  # a program that has no file
        return


def leave_terminal() -> None:
    """Enter a session of our own: Ctrl-C is for the client, which then closes the pipe."""
    try:
        os.setsid()
    except PermissionError:  # already a group leader, started by hand
        return


def import_plain(name: str, path: str) -> ModuleType:
    """Import the target under its own name, even if another module of that name is loaded."""
    import importlib
    import importlib.util

    try:
        module = importlib.import_module(name)
        if os.path.samefile(module.__file__ or "", path):
            return module
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Worker:
    """Answers one request after the other, each from a fresh child."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._inbox = Inbox()
        self._waiting: deque[Asked] = deque()
        """Requests that were taken from the inbox too early."""
        self._client_left = False
        self._notes = Pulse()
        self._is_read = False
        """Whether the source of the target is known to `contracts.source`."""
        self._is_known: bool | None = None
        """Whether nothing that is loaded can act unnoticed; after the import nothing more is."""
        self.quarters: Quarters | None = None
        """What confines the calls, if anything does."""

    def next_request(self) -> Asked | None:
        """Wait for a request; None when the client is gone."""
        while not self._client_left:
            if (ahead := self._ahead()) is not None:
                self._waiting.popleft()
                return ahead
            self._receive()
        return None

    def _ahead(self) -> Asked | None:
        """The next request, if it is here."""
        if not self._waiting and (body := self._inbox.take()) is not None:
            self._waiting.append(Asked(decode_message(body), body))
        return self._waiting[0] if self._waiting else None

    def send(self, answer: Message) -> None:
        """Send an answer; a client that is gone does not want it."""
        self._write([encode_message(answer)])

    def _write(self, frames: list[bytes]) -> None:
        try:
            write_all(self._answers, b"".join(frames))
        except BrokenPipeError:
            self._client_left = True
        frames.clear()

    def serve(self, module: ModuleType, setup: Message) -> None:
        """Answer requests until there are no more."""
        sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)  # type: ignore[union-attr]
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
        _preload(setup["path"])
        prepare_silence()
        around = Interpreter()  # here, so that children need not look at all of it
        # What the import has left behind goes, the rest is shared with the children as it is.
        gc.collect()
        gc.freeze()

        def perform(request: Message) -> Record:
            if "calls" in request:
                return together(request)
            call = Call(request)
            begin_anew()
            with theirs():
                return call.perform(module, setup["qualname"], setup["roots"], around)

        def together(request: Message) -> Record:
            def are_confirmed(calls: Sequence[Message]) -> bool:
                return all(map(is_confirmed, calls))

            def is_confirmed(call: Message) -> bool:
                expected = call.pop("result")
                return is_result(perform({**call, "qualname": request["qualname"]}), expected)

            *others, last = _shared_out(decode_calls(request["calls"]))
            is_right = all(in_fork(partial(are_confirmed, each)) for each in others)
            return {"status": CONFIRMED if is_right and are_confirmed(last) else UNCONFIRMED}

        batches = Batches(perform, self._listen, self._move_in)
        try:
            while (first := self.next_request()) is not None:
                asked, answers = self._shared(batches, first)
                frames: list[bytes] = []
                for each, shared in zip(asked, answers, strict=True):
                    if shared is None:
                        self._write(frames)
                    answer = shared or self._answer(module, setup, around, each.request)
                    frames.append(encode_message({**answer, "id": each.request["id"]}))
                self._write(frames)
        finally:
            batches.close()

    def _shared(
        self, batches: Batches, first: Asked
    ) -> tuple[list[Asked], Sequence[Message | None]]:
        """What one child says to a request and those behind it; None for what is left to others."""
        if "calls" in first.request:
            return [first], [batches.confirm_all(first)]
        if not batches.is_for(first.request):
            return [first], [None]
        asked = [first, *self._more(batches, len(first.body))]
        answers = batches.confirm(asked)
        self._waiting.extendleft(reversed(asked[len(answers) :]))
        return asked[: len(answers)], answers

    def _more(self, batches: Batches, size: int) -> list[Asked]:
        """Take the requests that are here already and may share a child with one of that size."""
        more: list[Asked] = []
        while len(more) + 1 < batches.room and (ahead := self._ahead()) is not None:
            size += len(ahead.body)
            if size > TOGETHER_BYTES or not batches.is_for(ahead.request):
                break
            more.append(self._waiting.popleft())
        return more

    def _receive(self) -> None:
        data = read_some(self._requests)
        self._inbox.feed(data)
        self._client_left = not data

    def _answer(
        self, module: ModuleType, setup: Message, around: Interpreter, request: Message
    ) -> Message:
        try:
            call = Call(request)
        except Exception as problem:
            return {"status": "unusable", "detail": describe(problem)}
        if call.judged is not None and not self._is_read:
            from pef.contracts.source import remember

            self._is_read = True
            remember(setup["path"])  # else every child would do so, to find the contract
        if self._is_known is None:
            self._is_known = not _may_act_unnoticed()
        self._notes.is_dated = False
        started = time.monotonic()

        def work(send: Send) -> None:
            self._move_in(request["timeout"])
            truly = request.get("truly", False)
            begin_anew(truly)
            outside.note_on(self._notes)
            with theirs():
                record = call.perform(module, setup["qualname"], setup["roots"], around)
            seen = {**_left_running(), **_looked_at(truly)}
            if seen or not self._is_known:
                record.pop("contained", None)
            send({**record, **seen})

        child = self._watch(Child(work), request["timeout"])
        answer: Message = dict(child.verdict() or TIMED_OUT)
        if self.quarters is not None:
            self.quarters.tidy()
        answer["is_dated"] = self._notes.is_dated
        answer["group"] = child.pid
        answer["stdout"], answer["stderr"] = child.output
        answer["seconds"] = time.monotonic() - started
        return answer

    def _watch(self, child: Child, seconds: float) -> Child:
        """Listen to the child until it is done, late or not wanted, and leave nothing of it."""
        stint = Stint(child.pid, seconds)
        try:
            self._listen(child, stint.end)
            while not (child.done or self._client_left or stint.is_over()):
                self._listen(child, time.monotonic() + _LOOK_EVERY_SECONDS)
            child.await_exit(time.monotonic() + seconds)
        finally:
            child.end()
        return child

    def _listen(self, child: Child, deadline: float) -> None:
        while not (child.done or self._client_left or time.monotonic() >= deadline):
            if child.listen(deadline, self._requests):
                self._receive()

    def _move_in(self, seconds: float = _BATCH_SECONDS) -> None:
        """In a child: forget the client, and give up what target code needs not have."""
        os.close(self._requests)
        os.close(self._answers)
        if self.quarters is not None:
            self.quarters.settle(_PROCESSOR_TIME * seconds)
            self.quarters.seal()


def _shared_out(calls: Sequence[Any]) -> list[Sequence[Any]]:
    """The calls by the process they are made in.

    A call that finds what others left behind confirms nothing: the engine's runs may have left the
    same. That is not to be expected (`left_behind`), but the second, which was the first that could
    have found something, is alone all the same. The others are made in another order than the
    engine's: the last one finds nothing, the first one what all of them left.
    """
    first, second, *others = calls
    return [[second], [*reversed(others), first]]


def _left_running() -> Record:
    """The threads that a call has started and left, if there are any."""
    return {"threads": ", ".join(threads_left())} if is_thread_left() else {}


def _may_act_unnoticed() -> bool:
    """Whether code is loaded that can start threads, draw lots or look at clocks in silence."""
    if any(name in sys.modules for name in _SILENT):
        return True
    library = os.path.dirname(os.__file__) + os.sep
    files = [getattr(each, "__file__", None) for each in list(sys.modules.values())]
    return any(
        isinstance(file, str)
        and file.endswith(_EXTENSIONS)
        and (not file.startswith(library) or f"{os.sep}site-packages{os.sep}" in file)
        and not file.startswith(_OURS)
        for file in files
    )


def _looked_at(truly: bool) -> Record:
    """What the call looked at that is different each time, or was made the same, if it did."""
    differing = varies() if truly else looked_at()
    return {"varies": "; ".join(differing)} if differing else {}


if __name__ == "__main__":
    main()
