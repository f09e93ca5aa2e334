"""How cost grows: one sweep per thing that can become long.

A sweep explores the same function for growing sizes and fits `cost = a * size ** e`. The exponent
says more than any single time: at 1 the cost per decision, variable or character stays as it is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

from micro import sources
from pef.session import explore


class Sweep(NamedTuple):
    """A function whose work grows with `{n}` in its source."""

    subject: str
    name: str
    source: str
    sizes: Sequence[int]
    paths: int = 1
    strategy: str = "breadth-first"


class Curve(NamedTuple):
    """Nanoseconds per path for every size, and the exponent they suggest."""

    sweep: Sweep
    points: list[tuple[int, float]]

    @property
    def exponent(self) -> float:
        """Fitted to the largest sizes: the others mostly pay for the start."""
        return exponent(self.points[-4:])


_SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)

SWEEPS = [
    Sweep(
        "path length",
        "decisions about one variable",
        '''
def swept(x: int):
    """:assume: x > 1000000"""
    for k in range({n}):
        if x == 2000000 + k:
            pass
''',
        _SIZES,
    ),
    Sweep(
        "path length",
        "decisions that follow from the first",
        '''
def swept(x: int):
    """:assume: x > 1000000"""
    for k in range({n}):
        if x < k:
            pass
''',
        _SIZES,
    ),
    Sweep(
        "path length",
        "the same decision again",
        '''
def swept(x: int):
    """:assume: x > 1000000"""
    for k in range({n}):
        if x == 7:
            pass
''',
        _SIZES,
    ),
    Sweep(
        "path length",
        "paths of a loop, depth first",
        """
def swept(x: int):
    k = 0
    while k < x and k < {n}:
        k += 1
    return k
""",
        _SIZES,
        10_000,
        "depth-first",
    ),
    Sweep(
        "variables",
        "one decision about each",
        '''
def swept(items: list[int]):
    """:assume: len(items) == {n}"""
    for item in items:
        if item > 5:
            pass
''',
        _SIZES,
        20,
    ),
    Sweep(
        "variables",
        "decisions that connect neighbours",
        '''
def swept(items: list[int]):
    """:assume: len(items) == {n}"""
    for left, right in zip(items, items[1:]):
        if left > right:
            pass
''',
        _SIZES,
        20,
    ),
    Sweep(
        "list length",
        "the sum of the items",
        '''
def swept(items: list[int]):
    """:assume: len(items) == {n}"""
    return 1 if sum(items) > 100 else 2
''',
        _SIZES,
        2,
    ),
    Sweep(
        "list length",
        "a list that stays untouched",
        '''
def swept(items: list[int]):
    """:assume: len(items) == {n}"""
    return 1 if items[3] > 100 else 2
''',
        _SIZES,
        2,
    ),
    Sweep(
        "list length",
        "lists of any length up to",
        '''
def swept(items: list[int]):
    """:assume: len(items) <= {n}"""
    return len(items)
''',
        _SIZES,
        10_000,
    ),
    Sweep(
        "string length",
        "find in a string",
        '''
def swept(s: str):
    """:assume: len(s) == {n}"""
    return 1 if s.find("ab") > 2 else 2
''',
        _SIZES,
        2,
    ),
    Sweep(
        "string length",
        "a decision about each character",
        '''
def swept(s: str):
    """:assume: len(s) == {n}"""
    for c in s:
        if c == "x":
            pass
''',
        _SIZES,
        10,
    ),
    Sweep(
        "string length",
        "split, and a look at the parts",
        '''
def swept(s: str):
    """:assume: len(s) == {n}"""
    return len(s.split(","))
''',
        _SIZES,
        10,
    ),
    Sweep(
        "term size",
        "a computation in steps",
        """
def swept(x: int):
    for k in range({n}):
        x = x * 3 + k
    return 1 if x > 5 else 2
""",
        _SIZES,
        2,
    ),
]


def curves(sweeps: Sequence[Sweep] = SWEEPS, patience: float = 1.5) -> Iterator[Curve]:
    """Every sweep, as it is measured; sizes that take too long are left out."""
    for sweep in sweeps:
        yield measure(sweep, patience)


def measure(sweep: Sweep, patience: float = 1.5) -> Curve:
    """Processor time per path for each size, the best of two or three runs."""
    points = []
    for size in sweep.sizes:
        module = sources.module(sweep.source.replace("{n}", str(size)))
        start = time.process_time_ns()
        points.append((size, min(_rounds(sweep, module))))
        if time.process_time_ns() - start > patience * 1e9:
            break
    return Curve(sweep, points)


def _rounds(sweep: Sweep, module: ModuleType) -> Iterator[float]:
    spent = 0.0
    for number in range(3):
        if number and spent > 1e9:
            return
        cost, paths = _explored(sweep, module.swept)
        spent += cost
        yield cost / paths


def _explored(sweep: Sweep, function: Callable[..., object]) -> tuple[int, int]:
    with explore(
        function, depth=None, max_paths=sweep.paths, strategy=sweep.strategy
    ) as exploration:
        start = time.process_time_ns()
        paths = sum(1 for _ in exploration.unreplayed())
        return time.process_time_ns() - start, paths


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """The slope of a line through the logarithms, by least squares."""
    if len(points) < 2:
        return math.nan
    logs = [(math.log(size), math.log(cost)) for size, cost in points]
    middle = sum(x for x, _ in logs) / len(logs)
    height = sum(y for _, y in logs) / len(logs)
    spread = math.fsum((x - middle) * (x - middle) for x, _ in logs)
    return math.fsum((x - middle) * (y - height) for x, y in logs) / spread
