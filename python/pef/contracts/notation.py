"""The ways to write a contract down, as far as an expression can tell them apart.

The notations agree on what a contract is and differ in how its parts are called and in what a name
means in a promise. Both are decided here, so that resolving names and reporting errors need not
know who wrote the clause.
"""

from __future__ import annotations

from pef.contracts.form import RESULT, ClauseKind
from pef.records import record


@record(frozen=True)
class Notation:
    """How clauses are introduced, and what names mean in a promise."""

    keywords: dict[ClauseKind, str]
    results: tuple[str, ...] = ()
    """What the result is called."""
    calls: tuple[str, ...] = ()
    """Functions that choose the moment: `old` and `final`."""
    old: str | None = None
    """The object whose attributes are the parameters at entry."""
    at_exit: bool = False
    """Whether the bare name of a parameter means its value at exit."""

    def keyword(self, kind: ClauseKind) -> str:
        """What introduces a clause of this kind."""
        return self.keywords.get(kind, kind.value)


PEF = Notation(
    {kind: f":{kind.value}:" for kind in ClauseKind},
    results=(RESULT,),
    calls=("final", "old"),
)

PEP316 = Notation(
    {
        ClauseKind.ASSUME: "pre:",
        ClauseKind.ENSURE: "post:",
        ClauseKind.RAISES: "raises:",
        ClauseKind.INVARIANT: "inv:",
    },
    results=("__return__", "_"),
    old="__old__",
    at_exit=True,
)

ASSERT = Notation({ClauseKind.ASSUME: "assert"})
