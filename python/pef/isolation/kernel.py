"""Layer two: what the kernel does not let happen, whatever code does inside the process.

Linux only. Landlock takes away the right to change files outside the allowed places, seccomp the
system calls that start programs, open network connections or reach into other processes; what can
only be judged by looking closer is put to a warden. All of it holds for this process and all it
starts, and cannot be undone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from pef.isolation.policy import Policy
from pef.records import NamedTuple


class Layers(NamedTuple):
    """Which parts of the layer hold; None, or why one does not."""

    files: str | None
    calls: str | None
    listener: int | None = None
    """What to hand over to a warden, if one is asked."""

    @property
    def missing(self) -> list[str]:
        """What to tell the user."""
        told = (("files (Landlock)", self.files), ("system calls (seccomp)", self.calls))
        return [f"{name}: {why}" for name, why in told if why is not None]


def confine(policy: Policy, writable: Iterable[str] = (), *, has_warden: bool = False) -> Layers:
    """Give up, for good, whatever the policy does not allow; `writable` is allowed besides.

    If there is a warden, and the kernel can ask one, forking is up to it. Else it stays possible:
    whoever prepares processes for others needs it. See `seal`.
    """
    if policy.everything:
        return Layers(None, None)
    if sys.platform != "linux":
        return Layers(f"not on {sys.platform}", f"not on {sys.platform}")
    from pef.isolation import landlock, seccomp

    files = _attempt(lambda: landlock.restrict([*policy.writes, *writable]))
    rules = seccomp.confined(policy)
    if has_warden:
        try:
            told = [*rules, *seccomp.judged(policy)]
            return Layers(files, None, seccomp.restrict_listened(told))
        except OSError:  # the kernel cannot ask; it can refuse
            has_warden = False
    return Layers(files, _attempt(lambda: seccomp.restrict(rules)))


def seal(policy: Policy) -> None:
    """In a process that runs target code and nothing else: it starts no others."""
    if policy.everything or policy.subprocess or sys.platform != "linux":
        return
    from pef.isolation import seccomp

    _attempt(lambda: seccomp.restrict(seccomp.sealed()))


def _attempt(restrict: object) -> str | None:
    try:
        restrict()  # type: ignore[operator]
    except OSError as problem:
        return problem.strerror or str(problem)
    return None
