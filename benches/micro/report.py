"""All figures as Markdown: the same text is printed and kept in `docs/performance.md`."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version

from micro.chain import Mix
from micro.costs import Cost
from micro.growth import Curve
from micro.operations import Cost as OperationCost

_INTRODUCTION = """\
# Performance

Written by `./bench micro`. Times are processor times, each the best of several; on another machine
they differ, their ratios hardly do. `./bench guard` watches over them.

Taken with {versions}.
"""


def introduction() -> str:
    """What this is and what it was taken with."""
    solver = f"z3-solver {version('z3-solver')}"
    python = f"CPython {platform.python_version()}"
    return _INTRODUCTION.format(versions=f"{python}, {solver}, {platform.machine()}")


def operations(costs: Iterable[OperationCost]) -> Iterator[str]:
    """One row per operation."""
    yield "\n## Operations\n"
    yield (
        "One operation on plain and on symbolic values, in ns. Where an operation can fail\n"
        "(`//`, an index), a decision that was made before is part of it.\n"
    )
    yield from _head("type", "operation", "plain", "symbolic", "ratio", text=2)
    for cost in costs:
        group, expression = cost.operation[:2]
        shown = expression.replace("|", r"\|")
        yield (
            f"| {group} | `{shown}` | {cost.plain:,.0f} | {cost.symbolic:,.0f} | {cost.ratio:.1f} |"
        )


def steps(costs: Iterable[Cost]) -> Iterator[str]:
    """Decisions, calls, paths, replays."""
    yield "\n## Steps of an exploration\n"
    yield from _head("step", "ns", text=1)
    for cost in costs:
        yield f"| {cost.name} | {cost.nanoseconds:,.0f} |"


def layers(mix: Mix) -> Iterator[str]:
    """The solver chain, in the order in which its layers are asked."""
    yield "\n## Queries, by layer\n"
    yield (
        f"{mix.functions} functions (`benches/micro/targets/mix.py`), {mix.paths} paths, "
        f"{mix.seconds:.2f} s, {mix.share:.0%} of them\nin the solver chain. A layer's time is "
        "its own, without the layers behind it, and includes reading\n"
        "the clock (about 50 ns per query). "
        "*Answered* is the part of the queries that reach the layer and\ngo no further.\n"
    )
    yield from _head("layer", "asked", "sat", "unsat", "unknown", "answered", "ns each", "ms")
    for layer in mix.layers:
        counts = " | ".join(f"{count:,}" for count in layer[1:5])
        spent = f"{layer.per_query:,.0f} | {layer.nanoseconds / 1e6:,.2f}"
        yield f"| {layer.name} | {counts} | {layer.hit_rate:.1%} | {spent} |"


def growth(curves: Sequence[Curve]) -> Iterator[str]:
    """The exponents, and some of the points behind them."""
    yield "\n## Growth\n"
    yield (
        "Processor time per path, for functions whose path, inputs or terms get longer. The\n"
        "exponent is fitted to the four largest sizes; constant parts weigh least there.\n\n"
        "![Time per path against size, both logarithmic](performance.svg)\n"
    )
    yield from _head("what grows", "by", "exponent", "smallest", "largest", text=2)
    for curve in curves:
        ends = " | ".join(f"{size}: {cost / 1e3:,.0f} µs" for size, cost in _ends(curve))
        subject, name = curve.sweep[:2]
        yield f"| {subject} | {name} | {curve.exponent:.2f} | {ends} |"


def _ends(curve: Curve) -> list[tuple[int, float]]:
    return [curve.points[0], curve.points[-1]]


def _head(*columns: str, text: int = 1) -> Iterator[str]:
    """Numbers stand to the right, the first columns are text."""
    yield f"| {' | '.join(columns)} |"
    rules = ["---"] * text + ["---:"] * (len(columns) - text)
    yield f"| {' | '.join(rules)} |"
