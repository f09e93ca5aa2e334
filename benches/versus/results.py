"""What was measured, kept in a file after every measurement so that nothing is lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from threading import Lock
from typing import Any

from versus.measure import Cost

FORMAT = 1


@dataclass(frozen=True)
class Sample:
    """One run: its cost, what came of it in a word, and what else the report wants to know."""

    cost: Cost
    outcome: str
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass
class Entry:
    """All runs of one measurement; `key` says of what versions, texts and options."""

    key: str
    samples: list[Sample]
    measured: str = ""  # when the command that took the last of them began; unknown at first

    @property
    def outcome(self) -> str:
        """What most runs came to."""
        outcomes = [sample.outcome for sample in self.samples]
        return max(sorted(set(outcomes)), key=outcomes.count)

    @property
    def cpus(self) -> list[float]:
        """CPU seconds of the runs that ended as most did."""
        return [s.cost.cpu for s in self.samples if s.outcome == self.outcome]

    @property
    def walls(self) -> list[float]:
        """Wall seconds of those runs."""
        return [s.cost.wall for s in self.samples if s.outcome == self.outcome]

    @property
    def peak(self) -> int:
        """The largest process of any run, in bytes."""
        return max(sample.cost.peak for sample in self.samples)

    @property
    def detail(self) -> dict[str, Any]:
        """What the first of those runs told."""
        return next(s.detail for s in self.samples if s.outcome == self.outcome)


@dataclass
class Results:
    """A results file."""

    machine: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    budget: float = 60.0
    commands: dict[str, str] = field(default_factory=dict)  # how each tool was run on the cases
    entries: dict[str, Entry] = field(default_factory=dict)

    def apart(self, pattern: str) -> tuple[int, int]:
        """How many of some measurements were not taken with most of all, and how many there are."""
        runs = Counter(entry.measured for entry in self.entries.values())
        largest = max(runs, key=lambda began: (runs[began], began), default="")
        own = [entry.measured for ident, entry in self.entries.items() if fnmatch(ident, pattern)]
        return sum(measured != largest for measured in own), len(own)

    def entry(self, *path: str) -> Entry | None:
        """The measurement of this section, subject and tool."""
        return self.entries.get("/".join(path))

    def section(self, name: str) -> list[str]:
        """The subjects measured in a section, in order, once each."""
        subjects = (ident.split("/")[1] for ident in self.entries if ident.startswith(name + "/"))
        return list(dict.fromkeys(subjects))


def read(file: Path) -> Results:
    """The results in the file; none if there is no such file or it is of another format."""
    try:
        data = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return Results()
    if data.get("format") != FORMAT:
        return Results()
    entries = {ident: _entry(entry) for ident, entry in data["entries"].items()}
    return Results(data["machine"], data["versions"], data["budget"], data["commands"], entries)


def write(results: Results, file: Path | None) -> None:
    """Replace the file at once: an interrupted run leaves the old one or the new one."""
    if file is None:
        return
    text = json.dumps({"format": FORMAT, **asdict(results)}, indent=1, sort_keys=False)
    beside = file.with_suffix(".new")
    beside.write_text(text + "\n", "utf-8")
    beside.replace(file)


def _entry(data: dict[str, Any]) -> Entry:
    samples = [
        Sample(Cost(**sample["cost"]), sample["outcome"], sample["detail"])
        for sample in data["samples"]
    ]
    return Entry(data["key"], samples, data.get("measured", ""))


# Runs are repeated only where the first was shorter than this many seconds of CPU time.
REPEATED_BELOW = 10.0


@dataclass(frozen=True)
class Measurement:
    """What is measured at `section, subject, tool`, and of what versions, texts and options."""

    path: tuple[str, str, str]
    key: str
    once: Callable[[], Sample]
    times: int | None = None
    """How often, however long it takes; if it is not said, what is short as often as all."""

    def is_wanting(self, samples: Sequence[Sample], runs: int) -> bool:
        """Whether it has to be taken again."""
        if self.times is not None:
            return len(samples) < self.times
        return not samples or (len(samples) < runs and samples[0].cost.cpu < REPEATED_BELOW)


@dataclass
class Recorder:
    """Takes measurements, or earlier ones of the same key, and keeps them."""

    results: Results
    file: Path | None  # where they are kept; nowhere if they are only shown
    runs: int
    resume: bool
    wanted: Callable[[str], bool]
    progress: Callable[[str], None]
    began: str  # the date and time that tell this run of the command from others
    _writing: Lock = field(default_factory=Lock)  # several measurements may end at once

    def measure(self, path: tuple[str, str, str], key: str, once: Callable[[], Sample]) -> None:
        """Measure at `section, subject, tool` until there are enough runs; kept ones count."""
        self.measure_in_turns([Measurement(path, key, once)])

    def measure_in_turns(self, measurements: Sequence[Measurement]) -> None:
        """Measure what is to be compared, a run of each in turn: a slow minute is one for all."""
        wanted = [each for each in measurements if self.wanted("/".join(each.path[:2]))]
        samples = [self._kept(each) for each in wanted]
        before = [len(known) for known in samples]
        is_done = False
        while not is_done:
            is_done = True
            for each, taken in zip(wanted, samples, strict=True):
                if each.is_wanting(taken, self.runs):
                    taken.append(each.once())
                    is_done = False
        for each, taken, count in zip(wanted, samples, before, strict=True):
            if len(taken) > count:
                self._keep(each, taken)

    def _kept(self, measurement: Measurement) -> list[Sample]:
        known = self.results.entries.get("/".join(measurement.path))
        is_kept = known is not None and self.resume and known.key == measurement.key
        return list(known.samples) if known is not None and is_kept else []

    def _keep(self, measurement: Measurement, samples: list[Sample]) -> None:
        ident = "/".join(measurement.path)
        entry = Entry(measurement.key, samples, self.began)
        with self._writing:
            self.results.entries[ident] = entry
            write(self.results, self.file)
        self.progress(f"{ident}: {entry.outcome}, {sorted(entry.cpus)[len(entry.cpus) // 2]:.2f} s")
