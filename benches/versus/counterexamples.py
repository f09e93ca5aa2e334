"""Time to the first true counterexample, of each tool in each case.

A tool is run as a user runs it, a whole process from its start to its end: what it does after
it has found the bug counts against it. What it prints is put to the judge; the case is `found`
if a call of a function with a contract really violates it. A call of such a function that does
not is a false report.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from versus import measure
from versus.catalogue import Case
from versus.contracts import Verdict, subjects
from versus.judge import judge
from versus.results import Recorder, Sample
from versus.tools import Tool, shown

# A sampler proves nothing; in a correct program it only has to have had a fair chance to lie.
_SAMPLED = 5.0


def compare(case: Case, tool: Tool, recorder: Recorder, budget: float) -> None:
    """Measure one tool in one case."""
    if case.correct and tool.name == "hypothesis":
        budget = min(budget, _SAMPLED)
    key = f"{tool.version} {case.digest} {shown(tool, budget)}"
    recorder.measure((case.section, case.name, tool.name), key, lambda: _once(case, tool, budget))


def _once(case: Case, tool: Tool, budget: float) -> Sample:
    with workplace(case.file) as file:
        # The tools keep CPU time themselves; the wall only stops one that does not.
        limit = 10 * budget + 60
        functions = [subject.name for subject in subjects(file.read_text("utf-8"))]
        command = tool.command(file.name, functions, budget)
        run = measure.run(command, folder=file.parent, limit=limit)
        return Sample(run.cost, *_outcome(file, tool, run))


def _outcome(file: Path, tool: Tool, run: measure.Run) -> tuple[str, dict[str, Any]]:
    detail: dict[str, Any] = {}
    for example in tool.counterexamples(run):
        outcome = judge(file, example)
        if outcome.verdict is Verdict.VIOLATED:
            detail.setdefault("call", example.call)
            detail.setdefault("why", outcome.why)
        elif outcome.verdict is Verdict.ELSEWHERE:
            detail.setdefault("elsewhere", []).append(example.call)
        else:
            detail.setdefault("false", []).append(f"{example.call}: {outcome.why}")
    if "call" in detail:
        return "found", detail
    if tool.proved(run):
        return "proved", detail
    if run.timed_out:
        return "killed", detail
    if run.exit not in (0, 1, 3) or "Traceback (most recent call last)" in run.stderr:
        last = run.stderr.strip().rpartition("\n")[2]
        detail["error"] = last.partition(":")[0]  # the kind; the rest may name folders
        return "failed", detail
    return "missed", detail


@contextmanager
def workplace(*files: Path) -> Iterator[Path]:
    """Copies of the files in a fresh folder; the first of them.

    No configuration, cache or database of an earlier run is near.
    """
    with tempfile.TemporaryDirectory(prefix="versus-") as folder:
        for file in files:
            shutil.copy(file, folder)
        yield Path(folder, files[0].name)
