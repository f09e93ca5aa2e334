"""Whether plain CPython did what a path says. The replay decides; the path only claims."""

from __future__ import annotations

from pef.path import Path, Violation
from pef.replay.call import same_result, without_addresses
from pef.replay.client import Outcome


def compare(path: Path, outcome: Outcome) -> None:
    """Notes on the path what plain CPython said."""
    path.reproduced = _agrees(path, outcome)
    path.detail = outcome.detail
    if not path.reproduced:
        path.replay = outcome.describe()
    elif path.violation is not None and not _is_broken_too(path.violation, outcome):
        path.reproduced = False
        path.replay = f"{outcome.describe()} and kept the contract"


def _is_broken_too(violation: Violation, outcome: Outcome) -> bool:
    return outcome.violated is not None and violation.text.endswith(outcome.violated)


def _agrees(path: Path, outcome: Outcome) -> bool:
    """Whether plain CPython did what the path says, addresses of objects aside."""
    if path.outcome != outcome.status:
        return False
    if path.outcome == "returned":
        here, there = path.result_source or "", outcome.result or ""
        return same_result(here, there)
    facts = path.exception_facts
    if facts is None or outcome.exception is None:
        return True
    messages = (facts["message"], outcome.exception.message)
    same_message = without_addresses(messages[0]) == without_addresses(messages[1])
    return facts["type"] == outcome.exception.type and same_message
