"""`pef bench`: what the engine costs on this machine.

Times are CPU times. What is promised is a ratio taken within one run, or a rate with room to
spare, so the verdict does not depend on how fast or how busy the machine is.
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from pef.records import record

_TARGETS = Path(__file__).parent / "targets"


@record(frozen=True)
class Measure:
    """One number and the limit it must keep."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the promise holds; a number without a limit is only shown."""
        below = self.at_most is None or self.value <= self.at_most
        return below and (self.at_least is None or self.value >= self.at_least)

    def __str__(self) -> str:
        number = f"{self.value:,.0f}" if self.value >= 1000 else f"{self.value:.2f}"
        limit = ""
        if self.at_most is not None:
            limit = f"  (at most {self.at_most:g})"
        elif self.at_least is not None:
            limit = f"  (at least {self.at_least:,.0f})"
        mark = "" if self.kept else "  MISSED"
        return f"{self.name:<44} {number:>10} {self.unit}{limit}{mark}"


def run() -> int:
    """Measure everything and print it; 1 if a promise is missed."""
    missed = 0
    for measure in measures():
        print(measure, flush=True)
        missed += not measure.kept
    return 1 if missed else 0


def measures() -> Iterator[Measure]:
    """Every measure, as it is taken."""
    yield _paths_per_second()
    yield from _symbolic_add()
    yield from _rewritten_code()
    yield _start_up()


def _paths_per_second() -> Measure:
    """Twelve independent tests, 4096 paths, without replay."""
    from pef.session import explore

    best = 0.0
    for _ in range(3):
        exploration = explore(_target("paths").twelve_tests, depth=12)
        start = time.process_time()
        paths = sum(1 for _ in exploration.unreplayed())
        best = max(best, paths / (time.process_time() - start))
        assert exploration.summary["exhaustive"]
        assert paths == 4096
        exploration.close()
    return Measure("exploration, 4096 paths", best, "paths/s", at_least=5000)


def _symbolic_add() -> Iterator[Measure]:
    from pef.session import explore

    adds = _target("adding").thousand_adds
    plain = min(adds(12345, 678) for _ in range(50))
    symbolic = math.inf
    for _ in range(50):
        exploration = explore(adds, max_paths=1)
        symbolic = min(symbolic, *(path.result for path in exploration.unreplayed()))
        exploration.close()
    yield Measure("plain add", plain / 1000, "ns")
    yield Measure("symbolic add", symbolic / 1000, "ns")
    yield Measure("symbolic add / plain add", symbolic / plain, "x", at_most=5)


def _rewritten_code() -> Iterator[Measure]:
    """Code without symbolic values, rewritten and plain, in turns."""
    from pef import engine

    plain, rewritten = _target("concrete"), _target("concrete")
    ratios = []
    with engine.Engine() as around:
        around.adopt_surroundings(rewritten)
        assert len(around.adoptions) > len(plain.SIZES), "nothing was rewritten"
        for name, size in plain.SIZES.items():
            ratio = _ratio(getattr(rewritten, name), getattr(plain, name), size)
            ratios.append(ratio)
            yield Measure(f"  rewritten / plain: {name}", ratio, "x")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    yield Measure("rewritten / plain, geometric mean", mean, "x", at_most=1.3)


def _ratio(one: Callable[[int], object], other: Callable[[int], object], size: int) -> float:
    best = [math.inf, math.inf]
    for _ in range(25):
        for index, function in enumerate((one, other)):
            start = time.process_time_ns()
            function(size)
            best[index] = min(best[index], time.process_time_ns() - start)
    return best[0] / best[1]


def _start_up() -> Measure:
    """CPU time of `pef --help`, the interpreter included."""
    import resource

    best = math.inf
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "pef", "--help"], stdout=subprocess.DEVNULL, check=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, used * 1000)
    return Measure("pef --help, CPU", best, "ms", at_most=60)


_folder = tempfile.TemporaryDirectory(prefix="pef-bench-")
_loaded = 0


def _target(name: str) -> ModuleType:
    """A fresh, plain copy of a target, away from our own files, which are never rewritten."""
    import importlib.util

    global _loaded
    _loaded += 1
    unique = f"pef_bench_{name}_{_loaded}"
    copy = Path(_folder.name) / f"{unique}.py"
    copy.write_text((_TARGETS / f"{name}.py").read_text())
    spec = importlib.util.spec_from_file_location(unique, copy)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    spec.loader.exec_module(module)
    return module
