"""The analysis of one function, in a worker process of its own.

Explores, and hands out what looks like an error as soon as it is seen; whether it is one is for the
replay to say. Nothing here is trusted by the supervisor unless the record of the end arrives.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import monotonic, sleep
from typing import Any

from pef import _native
from pef.checking.careful import MOST_DEATHS, Careful
from pef.checking.job import Ended, Job, Suspicion, hangs_after, run_timeout
from pef.checking.judge import Cause, Project, clause_of, is_error, kinds_of
from pef.checking.scouting import Companion, Errand, scouted
from pef.checking.sharing import Claims
from pef.contracts.errors import ContractError, ContractEvaluationError
from pef.contracts.form import TypeSource
from pef.exploration import Exploration
from pef.isolation.ambient import fork_alike, is_thread_left, relied_on
from pef.isolation.hook import denied
from pef.isolation.pulse import Pulse
from pef.isolation.quarters import Quarters
from pef.path import Path
from pef.records import NamedTuple
from pef.replay.wire import encode_calls
from pef.rewrite.latecomers import doubts
from pef.session import Loaded
from pef.targets import TargetError, find

Send = Callable[[str, Any], None]

_CONFIRMED_AT_MOST = 256
"""So many paths of a finished tree are replayed before it counts as a proof, and the longest."""
_ROOM_ON_STACK = 150
"""Frames of ours, and some: where the stack ends in a run, it ends without us as well."""
_SMALLER_AT_MOST = 4
"""So often a failure that is known is reported again, with a smaller input."""
_TELL_EVERY_SECONDS = 0.1
_TIME_TO_REACT = 0.002
"""Seconds in which the supervisor can hold us, until it knows what a suspicion is worth."""
_LOOK_EVERY_SECONDS = 0.005
_WORTH_SHARING_SECONDS = 0.05
"""So long a process explores before it shares: what is left may take less than the fork."""
_LEFT_RUNNING = "it leaves a thread running"
_WITH_FINDINGS = 0.2
"""How much of the patience is left, at most, for a function that is known to fail."""
_AS_LONG_AGAIN = 2.0
"""Such a function is left after that many times the time it took to learn the last news."""
_LEAST_PATIENCE = 0.1
"""Seconds; what is found at once need not be all."""


class _Turn(NamedTuple):
    """When the scout goes and for how long, as parts of the time limit."""

    after: float
    lasting: float


_SCOUTED_AT_MOST = 5.0
"""Seconds of one turn: plain calls that find nothing new for so long will not soon."""
_COMPANION_AFTER = 0.3
"""Seconds; most functions are done by then."""
_BESIDE = _Turn(0.0, 0.25)
_SCOUTING = (_Turn(0.5, 0.15),)
_LONGEST_SCOUTING = 3.0
"""Times the time of a turn, with everything that may hold it up."""
_AFTERWARDS = _Turn(1.0, 0.15)
"""For a search that ends early and has not seen everything: a value was pinned, say."""


class Surroundings(NamedTuple):
    """What a worker was given by the process that started it."""

    pulse: Pulse
    quarters: Quarters
    claims: Claims


def analyse(
    loaded: Loaded, job: Job, project: Project, send: Send, surroundings: Surroundings
) -> None:
    """Explore one function of a module and send what is found."""
    sys.setrecursionlimit(sys.getrecursionlimit() + _ROOM_ON_STACK)
    try:
        function = find(loaded.module, job.qualname)
        with ExitStack() as stack:
            exploration = _begin(function, loaded, job, project, stack)
            _Search(exploration, job, project, send, surroundings).run()
    except ContractEvaluationError as mistake:
        send("mistake", str(mistake))
    except ContractError as mistake:
        kind = "refused" if mistake.is_missing_type else "mistake"
        send(kind, mistake.message if kind == "refused" else str(mistake))
    except TargetError as problem:
        send("refused", str(problem))


def _begin(
    function: Callable[..., object],
    loaded: Loaded,
    job: Job,
    project: Project,
    stack: ExitStack,
) -> Exploration:
    limits = job.limits
    return Exploration(
        function,
        modules=loaded.modules,
        stack=stack,
        replayer=None,
        roots=project.roots,
        shared=False,
        check_callees=True,
        guess_types=limits.guess_types,
        depth=limits.depth,
        max_paths=limits.max_paths,
        timeout=job.seconds + (0.0 if job.rehearsal is None else hangs_after(limits)),
        run_timeout=run_timeout(limits),
        strategy=limits.strategy,
        seed=limits.seed,
        eager=False,
    )


class _Search:
    """Follows the paths of one function until nothing new is to be expected."""

    def __init__(
        self,
        exploration: Exploration,
        job: Job,
        project: Project,
        send: Send,
        surroundings: Surroundings,
    ) -> None:
        self._exploration = exploration
        self._limits = job.limits
        self._surroundings = surroundings
        self._until = monotonic() + job.seconds
        self._careful = None if job.rehearsal is None else self._carefully(job.rehearsal)
        self._project = project
        self._send = send
        self._shortest: dict[Cause, list[int]] = {}
        self._returned: list[dict[str, Any]] = []
        self._room = _CONFIRMED_AT_MOST
        """How many paths may still be remembered."""
        self._longest: tuple[int, dict[str, Any]] | None = None
        """Of the paths there was no room for, with its depth: the first to be short of stack."""
        self._paths = self._told = 0
        self._guesses = any(
            each.source_of_type is TypeSource.USAGE for each in exploration.contract.parameters
        )
        """Whether the types of some parameters are our own idea."""
        self._line = memoryview(surroundings.pulse.page)
        """Where this process shows its pulse."""
        self._parts: list[int] = []
        """Processes that have taken over a part of what was left."""
        self._companion: Companion | None = None
        self._stopped: str | None = None
        self._started = self._fresh = self._told_at = self._looked_at = monotonic()
        """When there was something new, when it was told, when we looked up; last."""
        self._shared_at = self._started
        self._scouting = deque(_SCOUTING)
        self._news = 0
        self._waits: float | None = None
        """How long the search may be busy with one question before we look up; see `_pause`."""

    def run(self) -> None:
        """Explore until everything is seen, time is up or nothing new is to be expected."""
        if self._careful is None:
            errand = self._errand(_BESIDE, seed=1)
            self._companion = Companion(errand, self._surroundings, _COMPANION_AFTER)
        for raw in self._until_stale():
            self._paths += 1
            if is_thread_left():
                self._stopped = _LEFT_RUNNING
            cause = self._cause(raw)
            if cause is not None:
                self._suspect(cause, raw)
            elif raw.ending in ("returned", "raised"):
                self._remember(raw)
            if self._stopped == _LEFT_RUNNING:
                break  # it may disturb every run from now on
        if self._companion is not None:
            self._companion.dismiss()
        if self._is_left_open() and self._surroundings.claims.scout():
            scouted(self._errand(_AFTERWARDS, seed=3), self._surroundings)
        self._tell()
        self._send("ended", self._end())
        self._surroundings.pulse.leave(self._line)
        for part in self._parts:
            os.waitpid(part, 0)

    def _is_left_open(self) -> bool:
        """Whether the search is over without a finding, and yet it is no proof."""
        if self._careful is not None or self._stopped is not None:
            return False
        if self._surroundings.claims.has_failed:
            return False
        needed = _LONGEST_SCOUTING * _AFTERWARDS.lasting * self._limits.timeout
        if monotonic() > self._until - needed:
            return False
        # What the inputs leave out, samples of them leave out too.
        return not self._exploration.session.summary()["exhaustive"]

    def _carefully(self, rehearsal: float) -> Careful:
        quarters = self._surroundings.quarters
        return Careful(self._exploration, quarters, rehearsal, self._until, self._die)

    def _die(self, outcome: str, raw: _native.RawPath) -> None:
        """A run did not survive; its path ends where that happened."""
        self._paths += 1
        self._suspect(Cause(("", 0), outcome, ""), raw, outcome)

    def _token(self) -> int | None:
        """The right to fork, if there is one and it is worth while."""
        claims = self._surroundings.claims
        if self._careful is not None or not claims.is_asked:
            return None
        return claims.take() if self._exploration.untried > 1 else None

    def _share(self, token: int) -> bool:
        """Fork; both processes go on with one half of what is left. Whether this is the new one.

        The supervisor hears of the new process before there is one: should this one not live to
        tell, it is known that a part is missing.
        """
        room, self._room = self._room, self._room // 2
        self._send("shared", 1)
        try:
            pid = fork_alike()
        except OSError:
            self._send("shared", -1)
            return False
        if pid != 0:
            self._exploration.keep_part(0, 2)
            self._parts.append(pid)
            return False
        self._line = self._surroundings.pulse.line(token)
        _native.Session.show_pulse(self._line)
        self._exploration.keep_part(1, 2)
        self._companion = None
        self._parts.clear()
        self._returned.clear()
        self._longest = None
        self._room = room - self._room
        self._paths = self._told = 0
        return True

    def _tell(self) -> None:
        """Say how many paths there were since this was last said."""
        self._send("progress", self._paths - self._told)
        self._told = self._paths

    def _until_stale(self) -> Iterator[_native.RawPath]:
        """The endings, for as long as something new appears now and then."""
        careful = self._careful
        search = self._exploration.endings_or_pauses(lambda: self._waits)
        self._waits = self._pause()
        for raw in search if careful is None else careful.endings():
            if raw is not None:
                yield raw
            now = monotonic()
            if raw is not None and now - self._looked_at < _LOOK_EVERY_SECONDS:
                continue
            self._looked_at = now
            self._look_around(now)
            if self._is_stale(monotonic()):
                return
            self._waits = self._pause()

    def _look_around(self, now: float) -> None:
        """Tell the supervisor, share with an idle core, ask the scout."""
        if now - self._told_at > _TELL_EVERY_SECONDS:
            self._told_at = now
            self._tell()
        is_worth_it = now - self._shared_at > _WORTH_SHARING_SECONDS
        if is_worth_it and (token := self._token()) is not None:
            self._shared_at = now
            if self._share(token):
                self._scouting.clear()
        if self._companion is not None:
            self._companion.poll()
        turns = self._scouting
        due = turns and now - self._started > turns[0].after * self._limits.timeout
        if due and not self._surroundings.claims.has_failed:
            errand = self._errand(turns.popleft(), seed=2)
            scouted(errand, self._surroundings)

    def _is_stale(self, now: float) -> bool:
        suspected = self._surroundings.claims.suspected
        news = self._exploration.covered + len(self._shortest) + suspected
        if news != self._news:
            self._news, self._fresh = news, now
            return False
        patience = self._patience(self._fresh - self._started)
        if now - self._fresh <= patience:
            return False
        self._stopped = f"nothing new for {patience:.2g} s"
        return True

    def _patience(self, latest: float) -> float:
        """Who has something to mend need not wait long for more; `latest` is when it was found."""
        if not self._surroundings.claims.has_failed:
            return self._limits.patience
        return self._enough(latest)

    def _enough(self, latest: float) -> float:
        enough = max(_LEAST_PATIENCE, _AS_LONG_AGAIN * latest)
        return min(self._limits.patience * _WITH_FINDINGS, enough)

    def _pause(self) -> float | None:
        """Seconds after which to look up from a question to the solver that takes long.

        For the scout; and with something in hand, since who has nothing has nothing better to do.
        Whether it is worth something the supervisor may not know yet; then it is asked again later.
        """
        due = None if self._companion is None else self._companion.is_due_in()
        if not self._shortest and not self._surroundings.claims.suspected:
            return due
        rest = self._fresh + self._enough(self._fresh - self._started) - monotonic()
        rest = rest if rest > 0.0 else self._limits.patience * _WITH_FINDINGS
        return rest if due is None else min(due, rest)

    @property
    def _time_worth_it(self) -> float:
        """The time limit, or less for a function that is soon to be left."""
        return min(self._limits.timeout, 2 * self._limits.patience)

    def _errand(self, turn: _Turn, seed: int) -> Errand:
        return Errand(
            self._exploration,
            min(turn.lasting * self._time_worth_it, _SCOUTED_AT_MOST),
            self._limits.seed + seed,
            self._project.has,
            self._is_suspicious,
            self._send,
        )

    def _cause(self, raw: _native.RawPath) -> Cause | None:
        """What makes this ending suspicious, if anything does."""
        if self._stopped == _LEFT_RUNNING:
            return Cause(("", 0), "leaked-thread", "")
        if raw.ending == "timeout":
            return Cause(("", 0), "timeout", "")
        problem, violated = raw.exception, raw.violated
        if problem is None and violated is None:
            return None
        place = ("", 0) if problem is None else self._project.place_of(problem)
        kind = "" if problem is None else type(problem).__name__
        if violated is not None:
            return Cause(place, kind, clause_of(violated)["text"])
        if raw.ending != "raised" or problem is None:
            return None
        return Cause(place, kind, "") if self._is_suspicious(problem) else None

    def _is_suspicious(self, problem: BaseException) -> bool:
        """Whether an exception that breaks no contract is an error all the same."""
        if self._exploration.contract.allows(problem):
            return False  # its condition held: else it would be violated
        if self._guesses and isinstance(problem, (TypeError, AttributeError)):
            return False  # what does not fit is our guess
        explicit = self._project.raised(problem)
        return is_error(kinds_of(problem), explicit, self._limits.all_exceptions)

    def _suspect(self, cause: Cause, raw: _native.RawPath, outcome: str | None = None) -> None:
        """Send a failure if it is new, or known with a larger input."""
        lengths = self._shortest.setdefault(cause, [])
        if len(lengths) > _SMALLER_AT_MOST:
            return
        path = self._exploration.describe(raw)
        size = len(self._exploration.call(path))
        if lengths and size >= min(lengths):
            return
        lengths.append(size)
        self._send("suspicion", self._suspicion(path, raw, outcome or path.outcome))
        self._surroundings.claims.suspect(1)
        sleep(_TIME_TO_REACT)
        self._waits = self._pause()

    def _suspicion(self, path: Path, raw: _native.RawPath, outcome: str) -> Suspicion:
        facts = path.exception_facts
        return {
            "args": path.args_source,
            "kwargs": path.kwargs_source,
            "variables": path.globals_source,
            "outcome": outcome,
            "exception": None if facts is None else facts["type"],
            "contract": None if raw.violated is None else clause_of(raw.violated),
            "notes": [],
        }

    def _remember(self, raw: _native.RawPath) -> None:
        """Keep a path to be confirmed, if there is room or if it is the longest so far."""
        if self._room:
            self._room -= 1
            self._returned.append(self._exploration.expectation(raw))
        elif self._longest is None or raw.depth > self._longest[0]:
            self._longest = raw.depth, self._exploration.expectation(raw)

    def _end(self) -> Ended:
        if self._careful is not None and self._careful.deaths >= MOST_DEATHS:
            self._stopped = f"{MOST_DEATHS} runs ended their process"
        summary = self._exploration.summary
        stopped = [] if self._stopped is None else [self._stopped]
        stopped += [*relied_on(), *denied(), *doubts]
        exhaustive = bool(summary["exhaustive"]) and not stopped
        longest = [] if self._longest is None else [self._longest[1]]
        paths = [*self._returned, *longest] if exhaustive else []
        returning = [path for path in paths if path["result"] is not None]
        are_many = len(returning) > 1
        return {
            "paths": self._paths,
            "depth": summary["depth"],
            "seconds": summary["seconds"],
            "exhaustive": exhaustive,
            "open": [*stopped, *summary["open"]],
            "confirm": [path for path in paths if path["result"] is None] if are_many else paths,
            "together": encode_calls(returning) if are_many else "",
        }
