"""Whole trees: quicksort until nothing is left, what starting costs, and the thesis's functions.

Trees are compared by the CPU time to the end of the process. Both tools must say that nothing is
left: PEF `exhaustive` or `proved`, CrossHair `Confirmed over all paths`. PEF counts its paths;
CrossHair does not, and is credited with the n! there are.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

from versus import measure
from versus.counterexamples import workplace
from versus.results import Recorder, Sample
from versus.tools import Tool

_TARGETS = Path(__file__).with_name("targets")
_LENGTHS = (3, 4, 5, 6)
_LIMIT = 600.0  # seconds; the slowest needs about a tenth
_EXHAUSTED = re.compile(r"(\d+) paths?: .*; exhaustive")

# Seconds in the PEF thesis; what SPEC section 8 does not give is not known here.
THESIS_SECONDS = {"quicksort, n = 0": 0.17, "quicksort, n = 6": 470.0}
# Paths, depth, pruned paths; SPEC section 8.
REFERENCE = {
    "one_test": (2, 1, 0),
    "two_tests": (4, 2, 0),
    "count_up": (11, 10, 1),
    "divide": (2, 1, 0),
    "combinations": (4, 0, 0),
    "push_and_pop": (36, 10, 6),
    "length": (20, 10, 0),
    "size": (64, 10, 0),
    "divisible": (20, 10, 2),
}
QUICKSORT = {0: (1, 0), 1: (1, 0), 2: (2, 1), 3: (6, 3), 4: (24, 6), 5: (120, 10), 6: (720, 15)}


def start_up(tool: Tool, recorder: Recorder) -> None:
    """`--help`, and the check of one trivial function."""
    trivial = _TARGETS / "trivial.py"
    commands = {
        "help": [*tool.start, "--help"],
        "trivial": tool.command("trivial.py", ["successor"], 60.0),
    }
    if tool.name == "hypothesis":
        commands = {"help": [*tool.start, "-c", "import hypothesis.strategies"]}
    if tool.name == "pef":
        commands["explore"] = [*tool.start, "explore", "-q", "trivial.py:successor"]
    for name, command in commands.items():

        def once(command: list[str] = command) -> Sample:
            with workplace(trivial) as file:
                run = measure.run(command, folder=file.parent, limit=_LIMIT)
            return Sample(run.cost, "ran" if run.exit == 0 else "failed")

        recorder.measure(("start", name, tool.name), tool.version, once)


def quicksort(tool: Tool, recorder: Recorder, lengths: tuple[int, ...] = _LENGTHS) -> None:
    """Quicksort of n numbers to the last path."""
    for n in lengths:
        text = (_TARGETS / "quicksort.py").read_text("utf-8").replace("LENGTH", str(n))
        if tool.name == "pef":
            explore = ["explore", "-q", "-d", "100", "--timeout", "600", f"quicksort.py:sort_{n}"]
            check = [*tool.command("quicksort.py", [f"sort_{n}"], 0.0), "--timeout", "600"]
            commands = {"pef-explore": [*tool.start, *explore], "pef-check": check}
        else:
            commands = {tool.name: tool.command("quicksort.py", [f"sort_{n}"], _LIMIT)}
        for name, command in commands.items():
            path = ("quicksort", f"n = {n}", name)

            def once(command: list[str] = command, text: str = text, n: int = n) -> Sample:
                return _exhausted(tool, command, text, n)

            recorder.measure(path, f"{tool.version} {hash_of(text)}", once)


def _exhausted(tool: Tool, command: list[str], text: str, n: int) -> Sample:
    with workplace(_TARGETS / "quicksort.py") as file:
        file.write_text(text, "utf-8")
        run = measure.run(command, folder=file.parent, limit=_LIMIT)
    match = _EXHAUSTED.search(run.stdout)
    done = match is not None or tool.proved(run)
    paths = int(match[1]) if match else math.factorial(n)
    return Sample(run.cost, "exhausted" if done else "open", {"paths": paths})


def reference(tool: Tool, recorder: Recorder) -> None:
    """The functions of SPEC section 8, explored with the depth limit of the thesis."""
    thesis = (_TARGETS / "thesis.py").read_text("utf-8")
    for function in REFERENCE:
        _explore(tool, recorder, function, "10", thesis, function)
    template = (_TARGETS / "quicksort.py").read_text("utf-8")
    for n in QUICKSORT:
        text = template.replace("LENGTH", str(n))
        _explore(tool, recorder, f"quicksort, n = {n}", "100", text, f"sort_{n}")


def _explore(
    tool: Tool, recorder: Recorder, title: str, depth: str, text: str, function: str
) -> None:
    words = ["explore", "--output-format", "json", "-d", depth, f"thesis.py:{function}"]

    def once() -> Sample:
        with workplace(_TARGETS / "thesis.py") as file:
            file.write_text(text, "utf-8")
            run = measure.run([*tool.start, *words], folder=file.parent, limit=_LIMIT)
        return Sample(run.cost, "ran" if run.exit in (0, 1, 3) else "failed", _summary(run.stdout))

    recorder.measure(("reference", title, tool.name), f"{tool.version} {hash_of(text)}", once)


def _summary(output: str) -> dict[str, Any]:
    try:
        summary = json.loads(output)["summary"]
    except (ValueError, KeyError):
        return {}
    return {name: summary[name] for name in ("paths", "depth", "pruned", "seconds")}


def hash_of(text: str) -> str:
    """Names a text in the key of a measurement."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
