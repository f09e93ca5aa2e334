"""What a row of the table says."""

from __future__ import annotations

import enum

from pef.records import record


class Treatment(enum.Enum):
    """What an operation does to the symbolic side of its operands."""

    MODELLED = "modelled"
    """The result is symbolic; nothing is asked."""
    DECIDED = "decided"
    """What the operation needs to know is a decision; all answers are explored."""
    PINNED = "pinned"
    """The value is fixed to its concrete one, visibly; others are tried as a last resort."""


@record(frozen=True)
class Operation:
    """One row: cases of one operation that are treated alike."""

    type: str
    name: str
    treatment: Treatment
    cases: tuple[str, ...]
    reason: str = ""
    since: tuple[int, int] = (3, 10)
