"""What is under way: functions, the processes that explore them, the replays that are asked for.

The supervisor's notes. Plain data and questions about clocks; nothing here acts on a process.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from pef.checking.findings import Finding, Subject
from pef.checking.job import Ended, Limits, Suspicion, hangs_after
from pef.checking.server import Channel
from pef.checking.sharing import Tokens
from pef.checking.weighing import Look
from pef.isolation.leash import Leash
from pef.isolation.pulse import CALLING, CHOOSING, Pulse
from pef.isolation.stint import Stint
from pef.records import NamedTuple, field, record
from pef.replay.client import Outcome, Replayer
from pef.replay.wire import Inbox

_GRACE = 1.18
"""Times its time limit, by when a worker must have ended."""
_LEAST_GRACE_SECONDS = 0.35
_SOLVER_SECONDS = 5.5
"""How long it may be silent because it asks the solver: its longest try and a bit."""
_AROUND_SECONDS = 0.5
"""How much longer while inputs are made, or a run is put away."""
_SILENCE = 3.0
"""Times that, on a busy machine."""
_OF_SILENCE = 0.9
"""How much of it must have been on a processor: a run ends itself after less."""
_SHARED_AFTER_SECONDS = 0.1
"""By then most searches that find something at all have found it, and have used less time alone."""
DISTURBED = "it disturbed the analysis: it wrote to our descriptor"

ONCE_FAILED = "once"
"""How a call ended that failed in an earlier run."""


class Task(NamedTuple):
    """One function to analyse."""

    subject: Subject
    limits: Limits
    tried_first: Sequence[Suspicion] = ()
    """Calls that failed once."""
    refusal: str = ""
    """Why it cannot be analysed, if that is known beforehand."""


class Module(NamedTuple):
    """A file, and the functions in it."""

    path: str
    name: str
    root: str
    tasks: Sequence[Task]


@record
class Result:
    """What is known of one function."""

    subject: Subject
    verdict: str = "not-analysed"
    reasons: list[str] = field(default_factory=list)
    paths: int = 0
    depth: int = 0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)
    mistake: str | None = None
    """A contract that makes no sense; the user has to put it right."""
    fault: str | None = None
    """A traceback of ours."""
    counterexamples: list[Suspicion] = field(default_factory=list)
    is_refused: bool = False
    """Whether it cannot be analysed as it is written, however often one tries."""
    is_cut_short: bool = False
    """Whether it was interrupted, killed or died, rather than stopped by a limit of its own."""
    is_dated: bool = False
    """Whether it may depend on files or other things outside that can change."""
    variables: set[str] = field(default_factory=set)
    """Environment variables that it may depend on."""


@record
class Worker:
    """A process that explores one function."""

    task: Task
    served: Served
    leash: Leash
    out: int
    started: float
    inbox: Inbox = field(default_factory=Inbox)
    result: Result = field(init=False)
    deadline: float = field(init=False)
    ended: list[Ended] = field(default_factory=list)
    parts: int = 1
    """Processes that share the function."""
    careful: bool = False
    """Whether it rehearses its runs: another one has died or hung before."""
    alone: bool = False
    """Whether nothing else is to run meanwhile: another one was killed, perhaps for its memory."""
    is_ended_by_us: bool = False
    pulse: Pulse | None = None
    beats: int = -1
    heard: float = 0.0
    """When something was last seen to happen."""
    silence: Stint | None = None
    """The time it has been given since."""
    held: float | None = None
    """Since when it waits to hear whether what it has found is enough."""

    def __post_init__(self) -> None:
        self.result = Result(self.task.subject)
        self.heard = self.started
        limit = self.task.limits.timeout
        self.deadline = self.started + max(_GRACE * limit, limit + _LEAST_GRACE_SECONDS)

    def is_stuck(self, now: float) -> bool:
        """Whether nothing has happened for longer than any run may take."""
        if self.careful or self.pulse is None:
            return False
        beats = self.pulse.beats + self.pulse.count
        if beats != self.beats:
            self.beats = beats
            self.heard_of(now)
            return False
        if self.silence is None:
            patience = hangs_after(self.task.limits)
            if self.pulse.phase == CHOOSING:
                patience = max(patience, _SOLVER_SECONDS)
            elif self.pulse.phase != CALLING:
                patience += _AROUND_SECONDS
            self.silence = Stint(
                self.pid, patience, self.heard, patience=_SILENCE, enough=_OF_SILENCE
            )
        return self.silence.is_over()

    def hold(self, now: float) -> None:
        """Let it wait; the time does not count."""
        if self.held is None:
            self.held = now
            self.leash.hold()

    def loosen(self, now: float) -> None:
        """Let it go on."""
        if self.held is not None:
            self.deadline += now - self.held
            self.held = None
            self.heard_of(now)
            self.leash.loosen()

    def heard_of(self, now: float) -> None:
        """Something was seen to happen."""
        self.heard = now
        self.silence = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.leash.pid

    @property
    def busy(self) -> int:
        """How many of its processes are still exploring."""
        return self.parts - len(self.ended)

    @property
    def can_share(self) -> bool:
        """Whether it has been at it long enough for another process to be worth its while."""
        if self.careful or self.pulse is None or self.task.limits.max_paths is not None:
            return False
        is_long = time.monotonic() > self.started + _SHARED_AFTER_SECONDS
        return is_long and self.busy > 0 and not Tokens(self.pulse).is_left

    def share(self) -> None:
        """Let another process help."""
        if self.pulse is not None:
            Tokens(self.pulse).issue()


class Again(NamedTuple):
    """A function that is to be explored once more."""

    worker: Worker
    """The one that did not live to tell."""
    seconds: float
    why: str
    """How that one ended."""
    alone: bool
    """Whether nothing else is to run meanwhile."""


class Pending(NamedTuple):
    """A replay under way."""

    ticket: int
    worker: Worker
    suspicion: Suspicion | None
    """None for a path of a proof."""
    expected: dict[str, Any] | None
    looks: Sequence[Look] = ()
    """What the same call has shown already: it is asked twice before it is believed."""
    together: str = ""
    """The paths of a proof, if one question is asked about all of them."""


@record
class Served:
    """A module with its server and its plain twin."""

    module: Module
    waiting: deque[Task]
    channel: Channel
    replayer: Replayer
    started: float
    ready: bool = False
    last: int | None = None
    """The process that was its server and explores the last function now."""
    running: int = 0
    variables: set[str] = field(default_factory=set)
    """Environment variables that its import has looked up."""
    pending: list[Pending] = field(default_factory=list)
    results: dict[Subject, Result] = field(default_factory=dict)

    @property
    def is_loading(self) -> bool:
        """Whether its server imports it."""
        return bool(self.waiting) and not self.ready

    @property
    def is_replaying(self) -> bool:
        """Whether its plain twin makes calls."""
        return bool(self.pending)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do or to wait for."""
        return not (self.waiting or self.running or self.pending)


def once_failed(args: list[str], kwargs: dict[str, str], variables: dict[str, str]) -> Suspicion:
    """A call that made an earlier version of a function fail, and need not do so now."""
    return {
        "args": args,
        "kwargs": kwargs,
        "variables": variables,
        "outcome": ONCE_FAILED,
        "exception": None,
        "contract": None,
        "notes": [],
    }


def as_expected(expected: dict[str, Any], outcome: Outcome) -> bool:
    """Whether a path of a proof ends in plain CPython as it did when it was explored."""
    from pef.replay.call import same_result

    if expected["exception"] is not None:
        return outcome.exception is not None and outcome.exception.type == expected["exception"]
    here, there = expected["result"] or "", outcome.result or ""
    return outcome.status == "returned" and same_result(here, there)


def spoken(suspicion: Suspicion) -> str:
    """What seemed to happen, in a few words."""
    what = suspicion["exception"] or (suspicion["contract"] or {}).get("text") or "a failure"
    call = ", ".join([*suspicion["args"], *map("=".join, suspicion["kwargs"].items())])
    return f"{what} with ({call if len(call) < 60 else call[:57] + '...'})"
