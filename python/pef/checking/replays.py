"""Asks plain CPython what a suspicion is worth, and believes only what it confirms.

Each module has a plain twin, a process in which nothing is rewritten. Questions are sent ahead and
answers taken when they are there; nothing here waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pef.checking.findings import Finding, Subject, finding
from pef.checking.guard import Guard
from pef.checking.job import Ended, Suspicion, run_timeout
from pef.checking.sharing import Tokens
from pef.checking.underway import (
    DISTURBED,
    ONCE_FAILED,
    Module,
    Pending,
    Served,
    Worker,
    as_expected,
    spoken,
)
from pef.checking.weighing import Look, settled
from pef.isolation.quarters import Quarters
from pef.records import record
from pef.replay.client import Outcome, Replayer, ReplayError
from pef.replay.forked import start
from pef.replay.wire import decode_calls

_ANY_CLAUSE = {"kind": "any"}


class Replays:
    """The questions of a run."""

    def __init__(self, guard: Guard, believed: Callable[[Finding, Subject], None]) -> None:
        """`believed` is told of every finding; what it raises ends the run."""
        self._guard = guard
        self._believed = believed
        self.findings = 0
        """How many suspicions were confirmed."""

    def ask(self, worker: Worker, suspicion: Suspicion) -> None:
        """Find out whether a call fails."""
        self._submit(worker, suspicion, None)

    def confirm(self, worker: Worker, ended: Ended) -> None:
        """A proof rests on paths that plain CPython takes too."""
        together = ended["together"]
        if together:
            served = worker.served
            ticket = served.replayer.submit_all(together, worker.task.subject.qualname)
            served.pending.append(Pending(ticket, worker, None, None, together=together))
        self._confirm_each(worker, ended["confirm"])

    def _confirm_each(self, worker: Worker, paths: Sequence[dict[str, Any]]) -> None:
        for number, path in enumerate(paths, 1):
            self._submit(worker, None, path, more=number < len(paths))

    def _ask_for_each(self, worker: Worker, together: str) -> None:
        try:
            calls = decode_calls(together)
            self._confirm_each(worker, [{**call, "exception": None} for call in calls])
        except (ValueError, TypeError):  # target code wrote it
            worker.result.reasons.append(DISTURBED)

    def collect(self, served: Served) -> None:
        """Take the answers that are there."""
        if not served.pending:
            return
        done = served.replayer.done()
        still = [pending for pending in served.pending if pending.ticket not in done]
        waiting = [pending for pending in served.pending if pending.ticket in done]
        served.pending = []
        for pending in waiting:
            try:
                outcome = served.replayer.result(pending.ticket)
            except ReplayError as problem:
                pending.worker.result.reasons.append(f"cannot replay: {problem}")
                continue
            self._weigh(pending, outcome)
        served.pending = [*still, *served.pending]

    def _submit(
        self,
        worker: Worker,
        suspicion: Suspicion | None,
        expected: dict[str, Any] | None,
        looks: Sequence[Look] = (),
        more: bool = False,
    ) -> None:
        call: Any = suspicion or expected
        served = worker.served
        timed_out = suspicion is not None and suspicion["outcome"] == "timeout"
        patience = run_timeout(worker.task.limits) if timed_out else None
        ticket = served.replayer.submit(
            call["args"],
            call["kwargs"],
            patience,
            None if suspicion is None else (suspicion["contract"] or _ANY_CLAUSE)["kind"],
            call["variables"],
            None,  # in a process of its own: the runs of the engine may have left something behind
            worker.task.subject.qualname,
            truly=bool(looks),  # whoever pastes the call has neither our clock nor our dice
            more=more,
        )
        served.pending.append(Pending(ticket, worker, suspicion, expected, looks))

    def _weigh(self, pending: Pending, outcome: Outcome) -> None:
        worker, suspicion, expected = pending.worker, pending.suspicion, pending.expected
        reasons = worker.result.reasons
        if suspicion is not None:
            worker.result.is_dated |= outcome.is_dated
            found = self._found(worker, suspicion, outcome)
            looks = [*pending.looks, Look(outcome, found)]
            is_enough, found = settled(looks)
            if not is_enough:
                self._submit(worker, suspicion, None, looks)
            elif found is not None:
                self._believe(worker, suspicion, found)
            else:
                self._refute(worker, suspicion)
        elif pending.together:
            if outcome.status != "confirmed":
                self._ask_for_each(worker, pending.together)
        elif expected is not None and not as_expected(expected, outcome):
            reasons.append("not reproduced: a path ends differently in plain CPython")

    def _found(self, worker: Worker, suspicion: Suspicion, outcome: Outcome) -> Finding | None:
        task, refused = worker.task, self._guard.refused(outcome.group)
        return finding(task.subject, suspicion, outcome, task.limits.all_exceptions, refused)

    def _refute(self, worker: Worker, suspicion: Suspicion) -> None:
        """It was not so; unless that says nothing, it leaves a doubt."""
        if suspicion["outcome"] == ONCE_FAILED:
            return
        if worker.pulse is not None:
            Tokens(worker.pulse).refute()
        if suspicion["outcome"] != "timeout":
            worker.result.reasons.append(f"not reproduced: {spoken(suspicion)}")

    def _believe(self, worker: Worker, suspicion: Suspicion, found: Finding) -> None:
        worker.result.findings.append(found)
        worker.result.counterexamples.append(suspicion)
        self.findings += 1
        self._believed(found, worker.task.subject)


def replayer_of(
    module: Module, python_path: Sequence[str], project: Sequence[str], quarters: Quarters
) -> Replayer:
    """The plain twin of a module; it starts with the first question."""
    return Replayer(
        _Anything(module.path, module.name),
        [*python_path, module.root],
        roots=project,
        timeout=max((task.limits.timeout for task in module.tasks), default=10.0),
        launch=start,
        quarters=quarters,
    )


@record
class _Anything:
    """A module as the target of replays; each request names its function."""

    path: str
    module_name: str
    qualname: str = ""
