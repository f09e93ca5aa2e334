"""Figures of today beside committed ones.

Figures are kept per version of Python: another interpreter needs other instructions for the same
work.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

TOLERANCE = 1.2
"""How much worse a figure may be."""

_TRIES = 3


class Comparison(NamedTuple):
    """One figure, then and now."""

    name: str
    before: float
    now: float

    @property
    def ratio(self) -> float:
        """Above one: it got worse."""
        return self.now / self.before

    @property
    def worse(self) -> bool:
        """Whether this is a regression."""
        return self.ratio > TOLERANCE


def compare(name: str, before: float, measure: Callable[[], float], tries: int) -> Comparison:
    """Measures a figure. What looks worse is measured again: a busy moment makes no regression."""
    found = Comparison(name, before, measure())
    for _ in range(tries - 1):
        if not found.worse:
            break
        found = Comparison(name, before, min(found.now, measure()))
    return found


def tries(counted: bool) -> int:
    """Counts do not change when they are taken again."""
    return 1 if counted else _TRIES


def _version() -> str:
    return "{}.{}".format(*sys.version_info)


def load(file: Path) -> dict[str, float]:
    """The figures of this version of Python; none if nobody committed any."""
    figures = json.loads(file.read_text()) if file.exists() else {}
    kept: dict[str, float] = figures.get(_version(), {})
    return kept


def save(file: Path, figures: Mapping[str, float]) -> None:
    """Keeps the figures of this version of Python; those of others stay."""
    known = json.loads(file.read_text()) if file.exists() else {}
    kept = {**known.get(_version(), {}), **figures}
    known[_version()] = {name: float(f"{value:.4g}") for name, value in kept.items()}
    file.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
