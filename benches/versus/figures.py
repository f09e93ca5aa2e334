"""The arithmetic of the report: medians, spreads, ratios."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from versus.results import Entry, Results


@dataclass(frozen=True)
class Spread:
    """The middle of several runs, and how far they lie apart."""

    median: float
    low: float
    high: float

    @property
    def relative(self) -> float:
        """Half the range, as a part of the median."""
        return (self.high - self.low) / 2 / self.median if self.median else 0.0


def spread(values: Sequence[float]) -> Spread:
    """Median, least and greatest of at least one value."""
    return Spread(statistics.median(values), min(values), max(values))


def cpu(entry: Entry) -> float:
    """The median CPU seconds of an entry."""
    return statistics.median(entry.cpus)


def wall(entry: Entry) -> float:
    """The median wall seconds of an entry."""
    return statistics.median(entry.walls)


def geometric_mean(ratios: Iterable[float]) -> float:
    """The mean of ratios; the mean of their inverses is its inverse."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(statistics.fmean(logs))


@dataclass(frozen=True)
class Comparison:
    """One case: the entry of each tool that was run on it."""

    section: str
    name: str
    entries: dict[str, Entry]

    def found(self, tool: str) -> bool:
        """Whether the tool's counterexample was true."""
        entry = self.entries.get(tool)
        return entry is not None and entry.outcome == "found"

    def ratio(self, tool: str, other: str) -> float | None:
        """How many times the CPU time of `tool` the other needs; only if both found the bug."""
        if not (self.found(tool) and self.found(other)):
            return None
        return cpu(self.entries[other]) / cpu(self.entries[tool])


def comparisons(results: Results, sections: Sequence[str]) -> list[Comparison]:
    """Every case of the sections, by name within its section."""
    found = []
    for section in sections:
        for name in sorted(results.section(section)):
            entries = {
                tool: entry
                for tool in ("pef", "crosshair", "hypothesis")
                if (entry := results.entry(section, name, tool)) is not None
            }
            found.append(Comparison(section, name, entries))
    return found
