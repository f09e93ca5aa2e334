"""Sends the scout ahead, in a child process: what its calls change or break is gone with it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pef.check.judge import clause_of
from pef.replay.call import type_name

if TYPE_CHECKING:
    from pef.check.job import Suspicion
    from pef.exploration import Exploration
    from pef.scout import Sighting

_LOOK_EVERY_SECONDS = 0.005
_MOST_TOLD = 100


def scouted(
    exploration: Exploration,
    seconds: float,
    seed: int,
    is_project: Callable[[str], bool],
    is_suspicious: Callable[[BaseException], bool],
    send: Callable[[str, Any], None],
) -> int:
    """Let plain calls look for failures for a while; how many were sent."""
    pid = os.fork()
    if pid == 0:
        told = 0
        try:
            told = _scout(exploration, seconds, seed, is_project, is_suspicious, send)
        finally:
            os._exit(min(told, _MOST_TOLD))
    deadline = time.monotonic() + 1.5 * seconds + 0.5
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return 0
        time.sleep(_LOOK_EVERY_SECONDS)


def _scout(
    exploration: Exploration,
    seconds: float,
    seed: int,
    is_project: Callable[[str], bool],
    is_suspicious: Callable[[BaseException], bool],
    send: Callable[[str, Any], None],
) -> int:
    from pef.inputs import UnsupportedInputError
    from pef.scout import scout

    def wanted(outcome: Any) -> bool:
        if outcome.violated is not None:
            return True
        return outcome.exception is not None and is_suspicious(outcome.exception)

    told = 0
    try:
        sightings = scout(
            exploration.target,
            exploration.contract,
            seconds=seconds,
            seed=seed,
            project_files=is_project,
            wanted=wanted,
        )
        for sighting in sightings:
            send("suspicion", _suspicion(sighting))
            told += 1
    except UnsupportedInputError:
        return told  # the symbolic search says what it makes of such a type
    return told


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
