"""What PEF promises about its speed, each with the figure of this run."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from versus.figures import Comparison, comparisons, cpu
from versus.results import Entry, Results
from versus.scaling import MACHINE


@dataclass(frozen=True)
class Promise:
    """One line of the summary; `kept` is None where it was not measured."""

    text: str
    measured: str
    kept: bool | None


def promises(results: Results, correct: set[str]) -> list[Promise]:
    """All of them; `correct` names the cases without a bug."""
    cases = [c for c in comparisons(results, ("shared", "own")) if c.name not in correct]
    return [
        *_quicksort(results),
        *_counterexamples(cases),
        _start(results, "help", "`pef --help` takes less than 60 ms of CPU time", 0.060),
        _start(results, "trivial", "`pef check` of one trivial function: less than 150 ms", 0.150),
        _cores(results, "one function", "`-j 2`, one large function: at least 1.7 times as fast"),
        _cores(results, "many modules", "`-j 2`, a project of many: at least 1.7 times as fast"),
        _memory(results),
    ]


def _limited(
    text: str, value: float | None, limit: float, show: Callable[[float], str], at_most: bool
) -> Promise:
    if value is None:
        return Promise(text, "not measured", None)
    return Promise(text, show(value), value <= limit if at_most else value >= limit)


def _quicksort(results: Results) -> list[Promise]:
    """Both tools check the same contract; that `pef explore` shows every path is another job."""
    ours = results.entry("quicksort", "n = 6", "pef-check")
    theirs = results.entry("quicksort", "n = 6", "crosshair")
    ratio = cpu(theirs) / cpu(ours) if ours and theirs else None
    rate = paths_per_second(results, "n = 6", "check")
    return [
        _limited(
            "Quicksort, n = 6, exhaustive: at least 100 times faster than CrossHair (goal 500)",
            *(ratio, 100, lambda v: f"{v:,.0f} times", False),
        ),
        _limited(
            "Quicksort, n = 6: at least 3,000 paths per second on one core (goal 10,000)",
            *(rate, 3000, lambda v: f"{v:,.0f} paths/s", False),
        ),
    ]


_STARTS = {"explore": "explore", "check": "trivial"}
"""What a command takes to start."""


def paths_per_second(results: Results, size: str, command: str) -> float | None:
    """Paths of `pef explore` or `pef check` per CPU second, what starting takes set aside."""
    entry = results.entry("quicksort", size, f"pef-{command}")
    start = results.entry("start", _STARTS[command], "pef")
    if entry is None or start is None:
        return None
    paths: int = entry.detail["paths"]
    net = cpu(entry) - cpu(start)
    return paths / net if net > 0 else None


def _counterexamples(cases: list[Comparison]) -> list[Promise]:
    compared = [c for c in cases if {"pef", "crosshair"} <= set(c.entries)]
    if not compared:
        return [Promise("Time to the first counterexample", "not measured", None)]
    ratios = {c.name: r for c in compared if (r := c.ratio("pef", "crosshair")) is not None}
    slower = [name for name, ratio in ratios.items() if ratio < 1]
    lost = [c.name for c in compared if c.found("crosshair") and not c.found("pef")]
    median = statistics.median(ratios.values()) if ratios else None
    b08 = next((c for c in compared if c.name.startswith("b08")), None)
    return [
        _limited(
            "First counterexample, where both find one: median at least 3 times less CPU time"
            " than CrossHair (goal 5)",
            *(median, 3, lambda v: f"{v:.1f} times, {len(ratios)} cases", False),
        ),
        Promise("... and no case slower", _names(slower), not slower),
        Promise("Finds all that CrossHair finds", _names(lost, "lost: "), not lost),
        Promise("... and b08", *_b08(b08)),
    ]


def _b08(case: Comparison | None) -> tuple[str, bool | None]:
    if case is None:
        return "not measured", None
    return ("found", True) if case.found("pef") else ("missed", False)


def _names(names: list[str], before: str = "") -> str:
    return f"{before}{len(names)}: " + ", ".join(names) if names else "none"


def _start(results: Results, name: str, text: str, limit: float) -> Promise:
    entry = results.entry("start", name, "pef")
    value = cpu(entry) if entry else None
    return _limited(text, value, limit, lambda v: f"{v * 1000:.0f} ms", True)


def _cores(results: Results, name: str, text: str) -> Promise:
    one, two = (results.entry("cores", name, f"-j {jobs}") for jobs in (1, 2))
    gain = wall_gain(one, two)
    most = wall_gain(*(results.entry("cores", MACHINE, f"-j {jobs}") for jobs in (1, 2)))
    beside = "" if most is None else f"; {MACHINE}: {most:.2f}"
    return _limited(text, gain, 1.7, lambda v: f"{v:.2f} times{beside}", False)


def wall_gain(one: Entry | None, two: Entry | None) -> float | None:
    """How many times as fast two processes are; None unless both did all the work.

    They took turns, so each run is compared with the one beside it.
    """
    if one is None or two is None or not one.outcome == two.outcome == "ran":
        return None
    return statistics.median(a / b for a, b in zip(one.walls, two.walls, strict=False))


def _memory(results: Results) -> Promise:
    entry = results.entry("memory", "100,000 paths", "pef")
    text = "Peak memory of an exploration of 100,000 paths: less than 500 MB"
    if entry is not None and entry.outcome != "ran":
        return Promise(text, "did not get there", False)
    value = entry.peak / 1e6 if entry else None
    return _limited(text, value, 500, lambda v: f"{v:,.0f} MB", True)
