"""What a worker is asked to do, and what comes back: plain data that crosses a pipe as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from pef.records import NamedTuple


class Limits(NamedTuple):
    """How far one function is explored."""

    timeout: float
    """Seconds, wall."""
    patience: float
    """Seconds without anything new after which to stop."""
    depth: int | None
    max_paths: int | None
    strategy: str
    seed: int
    all_exceptions: bool
    """Whether an exception that the project raises itself is an error."""
    guess_types: bool
    allow: Sequence[str] = ()
    """Side effects that are not denied, as the user wrote them."""


class Job(NamedTuple):
    """One function to analyse."""

    qualname: str
    limits: Limits
    seconds: float
    """What is left of the time limit."""
    rehearsal: float | None = None
    """Seconds that the rehearsal of a run may take; None if runs are not rehearsed.

    They are if the function ended its process once, or hung.
    """


class Suspicion(TypedDict):
    """A call that seems to fail, to be replayed."""

    args: list[str]
    kwargs: dict[str, str]
    variables: dict[str, str]
    outcome: str
    """How it ended: returned, raised, timeout, crash, exit; once, if in an earlier run."""
    exception: str | None
    """Its qualified type."""
    contract: dict[str, Any] | None
    """`kind`, `text`, `file` and `line` of the violated clause."""
    notes: list[str]


class Ended(TypedDict):
    """How the exploration of a function ended."""

    paths: int
    depth: int
    seconds: float
    exhaustive: bool
    open: list[str]
    confirm: list[dict[str, Any]]
    """For an exhaustive tree: calls with the `result` each is expected to give, one by one."""
    together: str
    """Many such calls that share a process, as they are sent on (`wire.encode_calls`)."""


def run_timeout(limits: Limits) -> float:
    """Seconds that a single run may take."""
    return max(0.2, limits.timeout / 5)


def hangs_again_after(limits: Limits) -> float:
    """Seconds after which that is to be expected of a function that did so once."""
    return 0.6 * run_timeout(limits)


def hangs_after(limits: Limits) -> float:
    """Seconds after which a run that should have been stopped is stuck where nobody can stop it."""
    return 1.2 * run_timeout(limits) + 0.1
