"""Runs that may be deadly, each rehearsed in a child process before it is made.

A worker that died or hung is started again like this. A child makes the run first. If it dies, the
number of decisions it had made says where; the run is then made up to there, and no further, so
its input can be written down like that of any path, and the search goes on with the others. A fork
for every run is dear, so this is for functions that have shown to need it.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

from pef._native import RawPath, Session
from pef.isolation.forking import fork
from pef.isolation.hook import ours
from pef.isolation.pulse import CALLING, CHOOSING, Pulse
from pef.isolation.quarters import Quarters
from pef.isolation.stint import Stint
from pef.records import NamedTuple

if TYPE_CHECKING:
    from pef.exploration import Exploration

Outcome = Literal["crash", "exit", "timeout"]

_LOOK_EVERY_SECONDS = 0.0005
_LOOK_SELDOM_SECONDS = 0.01
MOST_DEATHS = 20


class Death(NamedTuple):
    """How a run ended that did not survive."""

    outcome: Outcome
    phase: int
    decisions: int


class Careful:
    """The runs of an exploration, none of which ends this process."""

    def __init__(
        self,
        exploration: Exploration,
        quarters: Quarters,
        limit: float,
        until: float,
        died: Callable[[Outcome, RawPath], None],
    ) -> None:
        """`limit` is the time in seconds after which a run hangs; `died` is told of deadly ones.

        A run that is being rehearsed at the moment `until` is taken to hang: a replay will tell.
        """
        self._session = exploration.session
        self._quarters = quarters
        self._limit = limit
        self._until = until
        self._died = died
        self._pulse = Pulse()
        self.deaths = 0

    def endings(self) -> Iterator[RawPath]:
        """The paths that survive, until nothing is left or too many did not."""
        while self.deaths < MOST_DEATHS and time.monotonic() < self._until:
            death = self._rehearse(None)
            if death is None:
                going_on, raw = self._session.next_run()
                if not going_on:
                    return
                if raw is not None:
                    yield raw
            else:
                self.deaths += 1
                self._pass_over(death)

    def _pass_over(self, death: Death) -> None:
        """Go as far as one can, and no further."""
        if death.phase == CHOOSING:
            self._session.skip_branch()
        elif death.phase != CALLING or self._rehearse(death.decisions) is not None:
            self._session.skip_run()
        else:
            raw = self._halted(death.decisions)
            if raw is not None:
                self._died(death.outcome, raw)

    def _halted(self, decisions: int) -> RawPath | None:
        Session.halt_at(decisions)
        try:
            return self._session.next_run()[1]
        finally:
            Session.halt_at(None)

    def _rehearse(self, halt: int | None) -> Death | None:
        """Make the next run in a child; None if the child lives on."""
        self._pulse.clear()
        pid = fork()
        if pid == 0:
            self._perform(halt)
        status = self._await(pid, math.inf if halt is not None else self._until)
        if self._pulse.count:
            return None
        outcome: Outcome = "timeout"
        if status is not None:
            outcome = "crash" if os.WIFSIGNALED(status) else "exit"
        return Death(outcome, self._pulse.phase, self._pulse.decisions)

    def _perform(self, halt: int | None) -> None:
        """Be the child."""
        try:
            self._quarters.seal()
            Session.show_pulse(self._pulse.page)
            Session.halt_at(halt)
            self._session.next_run()
        finally:
            # Whatever it raises, it raises in the parent again.
            self._pulse.count = 1
            os._exit(0)

    def _await(self, pid: int, until: float) -> int | None:
        """The wait status of the child; None if it had to be killed."""
        stint = Stint(pid, self._limit)
        pause = _LOOK_EVERY_SECONDS
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                return status
            if stint.is_over() or time.monotonic() > until:
                with ours():
                    os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return None
            time.sleep(pause)
            pause = min(2 * pause, _LOOK_SELDOM_SECONDS)
