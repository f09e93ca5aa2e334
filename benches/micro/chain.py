"""What every layer of the solver chain answers, and what it costs, over a mix of functions."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from micro import sources
from pef import _native
from pef.session import explore

_MIX = Path(__file__).parent / "targets" / "mix.py"
_PATHS = 200


class Layer(NamedTuple):
    """Counts of one layer over the whole mix; its time is without the layers behind it."""

    name: str
    asked: int
    sat: int
    unsat: int
    unknown: int
    nanoseconds: int

    @property
    def hit_rate(self) -> float:
        """The part of the queries that reach the layer and go no further."""
        return (self.sat + self.unsat + self.unknown) / self.asked if self.asked else 0.0

    @property
    def per_query(self) -> float:
        """Nanoseconds per query that reaches the layer."""
        return self.nanoseconds / self.asked if self.asked else 0.0


class Mix(NamedTuple):
    """All layers, and how much of the whole they are."""

    layers: list[Layer]
    functions: int
    paths: int
    seconds: float
    wall_seconds: float

    @property
    def share(self) -> float:
        """The part of the time that is spent in the chain, by the clock on the wall."""
        return sum(layer.nanoseconds for layer in self.layers) / 1e9 / self.wall_seconds


def measure(
    names: Iterable[str] | None = None, paths: int = _PATHS, *, timed: bool = True, rounds: int = 1
) -> Mix:
    """Explores the functions of the mix, if `timed` with a stopwatch between the layers.

    The fastest of several rounds: the stopwatch goes on while others use the processor.
    """
    _native.Session.time_layers(timed)
    try:
        mixes = [_explored(names, paths) for _ in range(rounds)]
    finally:
        _native.Session.time_layers(False)
    return min(mixes, key=lambda mix: mix.wall_seconds)


def _explored(names: Iterable[str] | None, paths: int) -> Mix:
    rows: dict[str, Layer] = {}
    module = sources.module(_MIX.read_text())
    own = [name for name, value in vars(module).items() if inspect.isfunction(value)]
    chosen = own if names is None else [name for name in own if name in set(names)]
    found, seconds, wall = 0, 0.0, 0.0
    for name in chosen:
        with explore(getattr(module, name), depth=10, max_paths=paths) as exploration:
            start, wall_start = time.process_time(), time.perf_counter()
            found += sum(1 for _ in exploration.unreplayed())
            seconds += time.process_time() - start
            wall += time.perf_counter() - wall_start
            for row in exploration.solver_statistics:
                _add(rows, Layer(*row))
    return Mix(list(rows.values()), len(chosen), found, seconds, wall)


def _add(rows: dict[str, Layer], row: Layer) -> None:
    before = rows.get(row.name)
    if before is not None:
        row = Layer(row.name, *(a + b for a, b in zip(before[1:], row[1:], strict=True)))
    rows[row.name] = row
