"""Sends the scout ahead, in a child process: what its calls change or break is gone with it.

If the child dies, a second one makes the same calls again, up to the one that was deadly, and
reports that instead of making it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from pef.checking.judge import clause_of
from pef.isolation.forking import fork
from pef.isolation.hook import ours
from pef.isolation.pulse import Pulse
from pef.isolation.stint import Stint
from pef.records import NamedTuple
from pef.replay.call import type_name

if TYPE_CHECKING:
    from pef.checking.analysis import Surroundings
    from pef.checking.job import Suspicion
    from pef.exploration import Exploration
    from pef.scout import Scouting, Sighting
    from pef.scout.samples import Sample

_LOOK_EVERY_SECONDS = 0.005
_LATE_SECONDS = 0.25
"""Between two looks at a companion that should be back."""
_MOST_TOLD = 100
_DONE = 1 << 62


class Errand(NamedTuple):
    """What the scout is to look for, and whom to tell."""

    exploration: Exploration
    seconds: float
    seed: int
    is_project: Callable[[str], bool]
    is_suspicious: Callable[[BaseException], bool]
    send: Callable[[str, Any], None]


class Companion:
    """The scout beside the search: goes after a moment, for functions that take longer."""

    def __init__(self, errand: Errand, around: Surroundings, delay: float) -> None:
        self._errand = errand
        self._around = around
        self._tally: Pulse | None = None
        self._pid: int | None = None
        self._sets_out = monotonic() + delay

    def poll(self) -> int:
        """How many failures it has sent, once it is done; 0 before and afterwards."""
        if self._tally is None:
            if monotonic() >= self._sets_out:
                self._tally = Pulse()
                self._pid = _fork(self._errand, self._around, self._tally)
            return 0
        if self._pid is None:
            return 0
        ended, status = os.waitpid(self._pid, os.WNOHANG)
        if not ended:
            return 0
        self._pid = None
        return _told(self._errand, self._around, self._tally, status)

    def is_due_in(self) -> float | None:
        """Seconds after which to poll it, however busy one is; None if it is done."""
        if self._tally is None:
            return max(0.0, self._sets_out - monotonic())
        if self._pid is None:
            return None
        return max(_LATE_SECONDS, self._sets_out + self._errand.seconds - monotonic())

    def dismiss(self) -> None:
        """End it; nobody waits for its word any more."""
        if self._pid is not None:
            with ours():
                os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = None


def scouted(errand: Errand, around: Surroundings) -> int:
    """Let plain calls look for failures for a while; how many were sent."""
    tally = Pulse()
    status = _await(_fork(errand, around, tally), errand, around.pulse)
    return _told(errand, around, tally, status)


def _told(errand: Errand, around: Surroundings, tally: Pulse, status: int | None) -> int:
    """How many failures a scout has sent; if it died, the call it died of is one."""
    if tally.count == _DONE:
        return 0 if status is None else os.WEXITSTATUS(status)
    outcome = "timeout"
    if status is not None:
        outcome = "crash" if os.WIFSIGNALED(status) else "exit"
    deadly = Deadly(tally.count, outcome)
    again = Pulse()
    status = _await(_fork(errand, around, again, deadly), errand, around.pulse)
    return 1 if again.count == _DONE and status is not None else 0


class Deadly(NamedTuple):
    """A call that the process of the scout did not survive."""

    number: int
    outcome: str


class _ArrivedError(BaseException):
    """The deadly call is next."""


def _fork(
    errand: Errand,
    around: Surroundings,
    tally: Pulse,
    deadly: Deadly | None = None,
) -> int:
    pid = fork()
    if pid == 0:
        told = 0
        try:
            around.quarters.seal()
            told = _go(errand, around, tally, deadly)
            tally.count = _DONE
        finally:
            os._exit(min(told, _MOST_TOLD))
    return pid


def _await(pid: int, errand: Errand, worker: Pulse) -> int | None:
    """The wait status of the scout; None if it had to be killed."""
    stint = Stint(pid, 1.5 * errand.seconds + 0.5)
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        if stint.is_over():
            with ours():
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return None
        worker.count += 1
        sleep(_LOOK_EVERY_SECONDS)


def _go(errand: Errand, around: Surroundings, tally: Pulse, deadly: Deadly | None) -> int:
    """Be the scout; how many failures were sent. Whoever searches knows of each at once."""
    from pef.inputs import UnsupportedInputError

    told = 0
    try:
        scouting = _scouting(errand)
        scouting.before_call = _before_call(errand, tally, scouting, deadly)
        for sighting in scouting:
            if deadly is None:
                errand.send("suspicion", _suspicion(sighting))
                around.claims.suspect(1)
                told += 1
    except UnsupportedInputError:
        return told  # the symbolic search says what it makes of such a type
    except _ArrivedError:
        around.claims.suspect(1)
        return 1
    return told


def _scouting(errand: Errand) -> Scouting:
    from pef.scout import scout
    from pef.scout.stopwatch import time_had

    def wanted(outcome: Any) -> bool:
        if outcome.violated is not None:
            return True
        return outcome.exception is not None and errand.is_suspicious(outcome.exception)

    return scout(
        errand.exploration.target,
        errand.exploration.contract,
        seconds=errand.seconds,
        seed=errand.seed,
        project_files=errand.is_project,
        wanted=wanted,
        clock=time_had(),
        restore=errand.exploration.session.restore,
    )


def _before_call(
    errand: Errand, tally: Pulse, scouting: Scouting, deadly: Deadly | None
) -> Callable[[int, Sample], None]:
    def remember(number: int, sample: Sample) -> None:
        tally.count = number

    def stop(number: int, sample: Sample) -> None:
        if deadly is not None and number == deadly.number:
            args, kwargs = scouting.source_of(sample)
            errand.send("suspicion", _unfinished(args, kwargs, deadly.outcome))
            raise _ArrivedError

    return remember if deadly is None else stop


def _unfinished(args: list[str], kwargs: dict[str, str], outcome: str) -> Suspicion:
    return {
        "args": args,
        "kwargs": kwargs,
        "variables": {},
        "outcome": outcome,
        "exception": None,
        "contract": None,
        "notes": [],
    }


def _suspicion(sighting: Sighting) -> Suspicion:
    problem = sighting.exception
    return {
        "args": sighting.args_source,
        "kwargs": sighting.kwargs_source,
        "variables": {},
        "outcome": "returned" if problem is None else "raised",
        "exception": None if problem is None else type_name(type(problem)),
        "contract": None if sighting.violated is None else clause_of(sighting.violated),
        "notes": [],
    }
