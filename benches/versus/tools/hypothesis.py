"""Hypothesis: a test per contract, strategies from the type hints (`versus.sampling`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from versus.judge import Counterexample
from versus.measure import Run

_SAMPLING = Path(__file__).resolve().parent.parent / "sampling.py"


class Hypothesis:
    """The test file that a user would write, run until it fails or the budget is spent."""

    name = "hypothesis"

    def __init__(self, python: Sequence[str], version: str) -> None:
        """`python` are the words that start an interpreter with Hypothesis."""
        self.start = list(python)
        self.version = version

    def command(self, file: str, functions: Sequence[str], budget: float) -> list[str]:
        """The budget is CPU time, looked at before every example."""
        del functions  # it tests what has a contract
        return [*self.start, str(_SAMPLING), file, f"{budget:g}"]

    def counterexamples(self, run: Run) -> list[Counterexample]:
        """The falsifying examples."""
        return [Counterexample(call) for call in _told(run, "falsified")]

    def proved(self, run: Run) -> bool:
        """Tests prove nothing."""
        del run
        return False


def _told(run: Run, kind: str) -> list[str]:
    told = []
    for line in run.stdout.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and kind in record:
            told.append(str(record[kind]))
    return told
