"""The tools that are compared, behind one interface: how each is started and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from versus.judge import Counterexample
from versus.measure import Run


class Tool(Protocol):
    """A tool that looks for counterexamples in a file."""

    name: str
    version: str
    start: list[str]  # the words that start it

    def command(self, file: str, functions: Sequence[str], budget: float) -> list[str]:
        """Look for counterexamples of the functions with a contract that the file has.

        The budget is seconds of CPU time for each of them.
        """

    def counterexamples(self, run: Run) -> list[Counterexample]:
        """The calls it says fail."""

    def proved(self, run: Run) -> bool:
        """Whether it says that nothing can fail."""


def shown(tool: Tool, budget: float) -> str:
    """How the tool is run, in words for the report: what was really run, without folders."""
    words = tool.command("FILE", ["FUNCTION"], budget)[len(tool.start) :]
    return " ".join([tool.name, *(Path(word).name if "/" in word else word for word in words)])
