"""PEF with its default search and limits, never the budget of the others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from versus.judge import Counterexample
from versus.measure import Run


class Pef:
    """`pef check FILE:FUNCTION ...`."""

    name = "pef"

    def __init__(self, start: Sequence[str], version: str) -> None:
        """`start` are the words that start PEF."""
        self.start = list(start)
        self.version = version

    def command(self, file: str, functions: Sequence[str], budget: float) -> list[str]:
        """Whatever decides what is found is a default; the run ends with the first error.

        CrossHair ends a function there, too. PEF would look at the functions without a contract as
        well; the others do not.
        """
        del budget  # default options are the point
        targets = [f"{file}:{function}" for function in functions]
        return [*self.start, "check", "--fail-fast", "--output-format", "json", *targets]

    def counterexamples(self, run: Run) -> list[Counterexample]:
        """The calls of all errors."""
        return [
            Counterexample(finding["call"], finding["line"], tuple(finding["setup"]))
            for finding in self._report(run).get("findings", [])
            if finding["severity"] == "error" and finding["call"] is not None
        ]

    def proved(self, run: Run) -> bool:
        """Every function of the file has the verdict."""
        functions = self._report(run).get("functions", [])
        return bool(functions) and all(f["verdict"] == "proved" for f in functions)

    def _report(self, run: Run) -> dict[str, Any]:
        try:
            report: dict[str, Any] = json.loads(run.stdout)
        except ValueError:
            return {}
        return report
