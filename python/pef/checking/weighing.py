"""How often a call is made before what it shows is believed, and what the looks say together.

Plain data in, a decision out; who makes the calls is the supervisor's business.
"""

from __future__ import annotations

from pef.checking.findings import Finding, same_cause, steady
from pef.records import NamedTuple
from pef.replay.client import Outcome

_LOOKS = 2
"""A failure must show twice, unless nothing it depends on can be different the second time."""
_MANY_LOOKS = 8
"""So often is a call made that depends on what differs each time: half of them may go well."""


class Look(NamedTuple):
    """One replay of a suspicion."""

    outcome: Outcome
    found: Finding | None


def settled(looks: list[Look]) -> tuple[bool, Finding | None]:
    """Whether there are enough looks; the finding, if they show one."""
    first, last = looks[0], looks[-1]
    if first.found is not None and first.found["name"] == "timeout":
        return True, first.found  # to look again would take as long
    if _cause(last) != _cause(first):
        if first.found is not None:
            return True, steady(first.found, last.found, last.outcome)
        if last.found is not None:
            return True, steady(last.found, None, first.outcome)
    enough = 1 if first.outcome.contained else _LOOKS
    is_wanted = first.found is not None and len(looks) < enough
    may_differ = any(each.outcome.varies for each in looks) and len(looks) < _MANY_LOOKS
    return not (is_wanted or may_differ), first.found


def _cause(look: Look) -> tuple[object, ...] | None:
    return None if look.found is None else same_cause(look.found)
