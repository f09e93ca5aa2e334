"""Only PEF: what a second core gives, and what a hundred thousand paths take in memory."""

from __future__ import annotations

import json
import math
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from versus import measure
from versus.counterexamples import workplace
from versus.exhaustive import hash_of
from versus.results import Measurement, Recorder, Sample
from versus.tools import Tool

_TARGETS = Path(__file__).with_name("targets")
_LIMIT = 900.0
TURNS = 7
"""On a machine that others use, too, one pair of runs says little about the gain."""
MACHINE = "two plain loops"
"""About the most that can be gained: cores of a virtual machine may be halves of one."""


class Project(NamedTuple):
    """Modules with several functions each that sort a few numbers."""

    modules: int
    functions: int
    length: int

    @property
    def paths(self) -> int:
        """Of each function."""
        return math.factorial(self.length)

    def files(self) -> dict[str, str]:
        """Their texts, by name."""
        text = (_TARGETS / "quicksort.py").read_text("utf-8").replace("LENGTH", f"{self.length}")
        head, start, function = text.partition(f"def sort_{self.length}")
        name = start.removesuffix(f"{self.length}")
        several = "\n\n".join(f"{name}{i}{function}" for i in range(self.functions))
        return {f"module_{i}.py": head + several for i in range(self.modules)}


PROJECTS = {"many modules": Project(16, 3, 7), "many small ones": Project(24, 4, 6)}
"""What processes cost weighs more where a function takes less: 40 ms each, in the small ones."""


def second_core(tool: Tool, recorder: Recorder) -> None:
    """Wall time with one and with two processes, of one large function and of two projects.

    All take several seconds with one process: what starting takes cannot be shared. The machine
    itself is measured beside them.
    """
    large = {"orders.py": (_TARGETS / "orders.py").read_text("utf-8")}
    projects = {title: project.files() for title, project in PROJECTS.items()}
    subjects: dict[str, Callable[[str], Sample]] = {
        MACHINE: _looped,
        "one function": partial(_checked, tool, large),
        **{title: partial(_checked, tool, files) for title, files in projects.items()},
    }
    texts = [text for files in (large, *projects.values()) for text in files.values()]
    key = f"{tool.version} {hash_of(''.join(texts))}"
    times = 1 if recorder.runs == 1 else TURNS
    recorder.measure_in_turns(
        [
            Measurement(("cores", title, f"-j {jobs}"), key, partial(once, jobs), times)
            for title, once in subjects.items()
            for jobs in ("1", "2")
        ]
    )


def _looped(jobs: str) -> Sample:
    run = measure.run(
        [sys.executable, str(_TARGETS / "loops.py"), jobs], folder=_TARGETS, limit=_LIMIT
    )
    return Sample(run.cost, "ran" if "ran" in run.stdout else "failed")


def _checked(tool: Tool, files: Mapping[str, str], jobs: str) -> Sample:
    with tempfile.TemporaryDirectory(prefix="versus-") as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, "utf-8")
        options = ["--timeout", "600", "--output-format", "json", "-j", jobs]
        command = [*tool.start, "check", *options, *files]
        run = measure.run(command, folder=Path(folder), limit=_LIMIT)
    wanted = sum(text.count("\n    pre:") for text in files.values())
    return Sample(run.cost, "ran" if _proved(run.stdout) == wanted else "failed")


def _proved(output: str) -> int:
    try:
        count: int = json.loads(output)["summary"]["proved"]
    except (ValueError, KeyError):
        return 0
    return count


def hundred_thousand_paths(tool: Tool, recorder: Recorder) -> None:
    """The peak of the largest process while 100,000 paths are explored."""
    words = ["explore", "-q", "-d", "20", "--max-paths", "100000", "--timeout", "800"]

    def once() -> Sample:
        with workplace(_TARGETS / "many_tests.py") as file:
            command = [*tool.start, *words, f"{file.name}:count"]
            run = measure.run(command, folder=file.parent, limit=_LIMIT)
        return Sample(run.cost, "ran" if "100000 paths" in run.stdout else "failed")

    recorder.measure(("memory", "100,000 paths", tool.name), tool.version, once)
