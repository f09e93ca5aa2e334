"""Layer two: what the kernel does not let happen, whatever code does inside the process.

Linux only. Landlock takes away the right to change files outside the allowed places, seccomp the
system calls that start programs, open network connections or reach into other processes; what can
only be judged by looking closer is put to a warden. All of it holds for this process and all it
starts, and cannot be undone. How the kernel is told is in `crates/python/src/isolation`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable

from pef.isolation.policy import DEVICES, Policy
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


def prepare(policy: Policy, *, has_warden: bool = False) -> None:
    """Before processes are forked that will confine themselves: make the filter for them."""
    if sys.platform == "linux" and not policy.everything:
        _attempt(lambda: _program(policy.hosts, policy.subprocess, has_warden))


def confine(policy: Policy, writable: Iterable[str] = (), *, has_warden: bool = False) -> Layers:
    """Give up, for good, whatever the policy does not allow; `writable` is allowed besides.

    If there is a warden, and the kernel can ask one, forking is up to it. Else it stays possible:
    whoever prepares processes for others needs it. See `seal`.
    """
    if policy.everything:
        return Layers(None, None)
    if sys.platform != "linux":
        return Layers(f"not on {sys.platform}", f"not on {sys.platform}")
    from pef import _native

    places = [*DEVICES, *policy.writes, *writable]
    files = _attempt(lambda: _native.restrict_files(places))
    if has_warden:
        try:
            program = _program(policy.hosts, policy.subprocess, True)
            return Layers(files, None, _native.install_listened_filter(program))
        except OSError:  # the kernel cannot ask; it can refuse
            has_warden = False
    calls = _attempt(
        lambda: _native.install_filter(_program(policy.hosts, policy.subprocess, False))
    )
    return Layers(files, calls)


def seal(policy: Policy) -> None:
    """In a process that runs target code and nothing else: it starts no others."""
    if policy.everything or policy.subprocess or sys.platform != "linux":
        return
    from pef import _native
    from pef.isolation.seccomp import sealed

    _attempt(lambda: _native.install_filter(_native.assemble_filter(sealed(), has_warden=False)))


@functools.lru_cache(maxsize=16)
def _program(hosts: tuple[str, ...], subprocess: bool, has_warden: bool) -> bytes:
    """The filter for a policy; an `OSError` on a machine whose calls nobody has written down."""
    from pef import _native
    from pef.isolation.seccomp import confined, judged

    policy = Policy(hosts=hosts, subprocess=subprocess)
    rules = [*confined(policy), *judged(policy)] if has_warden else confined(policy)
    return _native.assemble_filter(rules, has_warden=has_warden)


def _attempt(step: Callable[[], object]) -> str | None:
    """Why it did not work, if so."""
    try:
        step()
    except OSError as problem:
        return problem.strerror or str(problem)
    return None
