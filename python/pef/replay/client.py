"""This side of the pipe: starts a worker when needed and asks it to replay calls.

Requests may be sent ahead and collected later, so replays run on another core while exploration
goes on. There is no thread: bytes move whenever a method is called. A worker that dies or hangs is
replaced and the unanswered requests are asked again; nothing here waits without a limit.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Literal, Protocol

from pef.isolation.quarters import Quarters
from pef.isolation.stint import most
from pef.records import record
from pef.replay.manner import Manner
from pef.replay.process import WorkerProcess, kill_session, reap, spawn
from pef.replay.wire import Message, decode_message, encode_message, read_some

Status = Literal[
    "returned", "raised", "timeout", "crash", "exit", "invalid", "confirmed", "unconfirmed"
]

# The worker enforces the limits. It gets this much longer before it is itself taken to hang.
_GRACE_SECONDS = 5.0
_ATTEMPTS = 2


class ReplayError(Exception):
    """Replays are not possible: the target cannot be imported, or a request makes no sense."""


class ReplayTarget(Protocol):
    """What a replay needs to know of a target."""

    @property
    def path(self) -> str | os.PathLike[str]:
        """The source file."""

    @property
    def module_name(self) -> str:
        """The dotted name it is imported as."""

    @property
    def qualname(self) -> str:
        """The function in it."""


@record(frozen=True)
class Raised:
    """An exception that left the replayed function."""

    type: str
    message: str
    file: str | None
    line: int | None
    evidence: str = "{}"
    """What `pef.replay.evidence` found, as JSON."""


@record(frozen=True)
class Outcome:
    """What plain CPython did with one call."""

    status: Status
    result: str | None
    """`repr` of the returned value."""
    result_type: str | None
    exception: Raised | None
    stdout: str
    stderr: str
    detail: str | None
    """The signal, exit status or time limit of a crash, exit or timeout; why there is no input."""
    seconds: float
    clause: str | None = None
    """That clause with its kind and place, as JSON."""
    declared: bool = False
    """Whether the contract allows the exception, if that was asked."""
    violated: str | None = None
    """The clause of the contract that the call broke, if that was asked."""
    threads: str | None = None
    """The names of threads that the call left running."""
    manner: Manner = "plain"
    """What it took to see what the function does; `pef.replay.manner.written` writes it down."""
    group: int = 0
    """The process group it happened in; 0 if it was shared with other calls."""
    varies: bool = False
    """Whether the call looked at something that is different each time."""
    contained: bool = False
    """Whether it is certain that the call does the same again: it touched nothing outside."""
    is_dated: bool = False
    """Whether it read something outside that may be different tomorrow."""

    def describe(self) -> str:
        """Say it in a few words, to follow "the replay".

        >>> Outcome("exit", None, None, None, "", "", "status 0", 0.1).describe()
        'ended in exit: status 0'
        """
        if self.status == "returned":
            return f"returned {self.result}"
        if self.status == "invalid":
            return f"could not make the input: {self.detail}"
        if self.exception is not None:
            return f"raised {self.exception.type}: {self.exception.message}".removesuffix(": ")
        return f"ended in {self.status}: {self.detail}"


@record
class _Request:
    message: Message
    attempts: int = 0


class Replayer:
    """Replays calls of one function.

    >>> with Replayer(target, sys_path=["src"]) as replayer:     # doctest: +SKIP
    ...     replayer.replay(["42", "0"]).status
    'raised'
    """

    def __init__(
        self,
        target: ReplayTarget,
        sys_path: Sequence[str] = (),
        *,
        roots: Sequence[str] | None = None,
        timeout: float = 10.0,
        import_timeout: float = 30.0,
        launch: Callable[[Message], WorkerProcess] = spawn,
        quarters: Quarters | None = None,
    ) -> None:
        """Take the target; no process is started before `start` or the first request.

        `sys_path` goes in front of the worker's import path. `roots` are the folders whose files
        count as the analysed project when an exception is located; default: the target's folder.
        Without `quarters` the calls may do whatever this process may.
        """
        path = os.path.abspath(target.path)
        self._setup: Message = {
            "path": path,
            "module": target.module_name,
            "qualname": target.qualname,
            "sys_path": [os.path.abspath(entry) for entry in sys_path],
            "roots": [os.path.realpath(root) for root in roots or [os.path.dirname(path)]],
        }
        if quarters is not None:
            self._setup["quarters"] = quarters
        self._launch = launch
        self._timeout = timeout
        self._import_timeout = import_timeout
        self._process: WorkerProcess | None = None
        self._failure: str | None = None
        self._next_id = 0
        self._waiting: dict[int, _Request] = {}
        self._outcomes: dict[int, Outcome | ReplayError] = {}

    def __enter__(self) -> Replayer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def stand_by(self) -> None:
        """Start the worker, which does nothing yet: with a fork, now may be cheaper than later."""
        if self._process is None and self._failure is None:
            self._process = self._launch(self._setup)

    def start(self) -> None:
        """Start the worker in the background, so that it is ready when the first path is."""
        if self._process is None and self._failure is None:
            self.stand_by()
            self._exchange(0.0)

    def replay(
        self,
        args: Sequence[str],
        kwargs: Mapping[str, str] | None = None,
        timeout: float | None = None,
        judged: str | None = None,
        variables: Mapping[str, str] | None = None,
        expected: str | None = None,
    ) -> Outcome:
        """Replay one call, given the source of its arguments."""
        return self.result(self.submit(args, kwargs, timeout, judged, variables, expected))

    def submit(
        self,
        args: Sequence[str],
        kwargs: Mapping[str, str] | None = None,
        timeout: float | None = None,
        judged: str | None = None,
        variables: Mapping[str, str] | None = None,
        expected: str | None = None,
        qualname: str | None = None,
        truly: bool = False,
        more: bool = False,
    ) -> int:
        """Ask for a replay without waiting for it; `result` takes the returned number.

        `timeout` is for this call only, and at most that of the replayer. `judged` is the kind of
        clause that the call is said to break, and asks whether it does. `variables` are set in the
        module first. A call for which a result is `expected` may share a process with others; only
        one that gives another result, or none, is replayed in a process of its own. `qualname`
        names another function of the module than the target. `truly` asks for the true time and
        true chance, where these are fixed. With `more` it is sent together with the next one.
        """
        self.start()
        message: Message = {
            "args": list(args),
            "kwargs": dict(kwargs or {}),
            "timeout": min(timeout or self._timeout, self._timeout),
            "judged": judged,
            "variables": dict(variables or {}),
            "expected": expected,
        }
        if qualname is not None:
            message["qualname"] = qualname
        if truly:
            message["truly"] = True
        return self._enqueue(message, more)

    def submit_all(self, calls: str, qualname: str) -> int:
        """Ask whether many calls return what is expected, which one answer says of all of them.

        They are written as `encode_calls` does.

        It is "confirmed", or anything else: then which of them does not must be asked for one by
        one. Some of them have a process for themselves.
        """
        self.start()
        message = {"calls": calls, "qualname": qualname, "timeout": self._timeout}
        return self._enqueue(message, False)

    def _enqueue(self, message: Message, more: bool) -> int:
        ticket = message["id"] = self._next_id
        self._next_id += 1
        if not self._waiting and self._process is not None:
            self._process.last_sign = time.monotonic()
        self._waiting[ticket] = _Request(message)
        if self._process is not None:
            self._process.outbox += encode_message(message)
        if not more:
            self._exchange(0.0)
        return ticket

    @property
    def descriptor(self) -> int | None:
        """What to wait on for answers, together with other things."""
        return None if self._process is None else self._process.answers

    def done(self) -> set[int]:
        """The numbers of all replays that `result` would speak of at once."""
        self._exchange(0.0)
        return {*self._outcomes, *(self._waiting if self._failure is not None else ())}

    def is_done(self, ticket: int) -> bool:
        """Tell whether `result` would return at once."""
        self._exchange(0.0)
        return ticket in self._outcomes

    def result(self, ticket: int) -> Outcome:
        """Wait for the outcome of a submitted replay. Each outcome is handed out once."""
        while ticket not in self._outcomes:
            if ticket not in self._waiting:
                raise KeyError(f"no replay with number {ticket} is under way")
            self._fail_if_unusable()
            self._exchange(self._patience())
        outcome = self._outcomes.pop(ticket)
        if isinstance(outcome, ReplayError):
            raise outcome
        return outcome

    def close(self) -> None:
        """End the worker. It kills its child and leaves when the pipe closes."""
        process = self.dismiss()
        if process is not None:
            await_end(process)

    def dismiss(self) -> WorkerProcess | None:
        """As `close`, but the process that leaves is yet to be waited for (`await_end`)."""
        process, self._process = self._process, None
        self._waiting.clear()
        if process is not None:
            process.close()
        return process

    def _fail_if_unusable(self) -> None:
        if self._failure is not None:
            raise ReplayError(self._failure)

    def _patience(self) -> float:
        """Seconds until the silence of the worker means that it hangs."""
        process = self._process
        if process is None:
            return 0.0
        limit = most(self._timeout) + _GRACE_SECONDS if process.ready else self._import_timeout
        return process.last_sign + limit - time.monotonic()

    def _exchange(self, seconds: float) -> None:
        """Send and receive what can be, waiting up to `seconds` for an answer."""
        process = self._process
        if process is None:
            return
        deadline = time.monotonic() + max(0.0, seconds)
        try:
            while not self._move(process, deadline - time.monotonic()):
                if time.monotonic() >= deadline:
                    if self._patience() <= 0:
                        self._replace("hangs")
                    return
        except (BrokenPipeError, EOFError):
            self._replace("died")

    def _move(self, process: WorkerProcess, seconds: float) -> bool:
        """One round of moving bytes; True if a message came."""
        poll = select.poll()
        poll.register(process.answers, select.POLLIN)
        if process.outbox:
            poll.register(process.requests, select.POLLOUT)
        came = False
        for descriptor, _ in poll.poll(max(0.0, seconds) * 1000):
            if descriptor == process.answers:
                data = read_some(descriptor)
                if not data:
                    raise EOFError
                process.inbox.feed(data)
            else:
                del process.outbox[: os.write(descriptor, process.outbox[:65536])]
        while (body := process.inbox.take()) is not None:
            process.last_sign = time.monotonic()
            self._accept(process, decode_message(body))
            came = True
        return came

    def _accept(self, process: WorkerProcess, message: Message) -> None:
        if not process.ready:
            process.ready = True
            if message["status"] == "unusable":
                self._failure = f"cannot import {self._setup['module']}: {message['detail']}"
            return
        ticket = message["id"]
        request = self._waiting.pop(ticket)
        if message["status"] == "timeout":
            message["detail"] = f"not done after {request.message['timeout']:g} s"
        self._outcomes[ticket] = _outcome(message)

    def _replace(self, what: str) -> None:
        """Give up on a worker that died or hangs; the next one is asked what this one was."""
        process, self._process = self._process, None
        if process is None:
            return
        process.close()
        status = reap(process.pid, 0.0 if what == "hangs" else _GRACE_SECONDS)
        kill_session(process.pid)
        if self._failure is not None:
            return
        if not process.ready:
            how = f"not done after {self._import_timeout:g} s" if what == "hangs" else status
            self._failure = f"cannot import {self._setup['module']}: {how}"
            return
        self._blame_first(status)
        if self._waiting:
            try:
                self._process = self._launch(self._setup)
            except ReplayError as problem:
                self._failure = str(problem)
                return
            for request in self._waiting.values():
                self._process.outbox += encode_message(request.message)

    def _blame_first(self, status: str) -> None:
        """Count the failure against the request that was being replayed."""
        for ticket, request in self._waiting.items():
            request.attempts += 1
            if request.attempts >= _ATTEMPTS:
                del self._waiting[ticket]
                detail = f"the replay process died: {status}"
                self._outcomes[ticket] = Outcome("crash", None, None, None, "", "", detail, 0.0)
            return


def await_end(process: WorkerProcess) -> None:
    """Wait for a worker that was dismissed."""
    reap(process.pid, _GRACE_SECONDS)


def _outcome(message: Message) -> Outcome | ReplayError:
    if message["status"] == "unusable":
        return ReplayError(f"cannot replay: {message['detail']}")
    raised = message["status"] == "raised"
    line = message.get("line")
    exception = (
        Raised(
            type=message["type"],
            message=message["message"],
            file=message.get("file"),
            line=int(line) if line else None,
            evidence=message.get("evidence", "{}"),
        )
        if raised
        else None
    )
    return Outcome(
        status=message["status"],
        result=message.get("result"),
        result_type=None if raised else message.get("type"),
        exception=exception,
        stdout=message["stdout"],
        stderr=message["stderr"],
        detail=message.get("detail"),
        seconds=message["seconds"],
        violated=message.get("violated"),
        clause=message.get("clause"),
        declared="declared" in message,
        threads=message.get("threads"),
        manner=message.get("manner", "plain"),
        group=message.get("group", 0),
        varies="varies" in message,
        contained="contained" in message,
        is_dated=message.get("is_dated", False),
    )
