"""What a decision, a call, a path and a replay cost: what is between operations and solver."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from typing import NamedTuple

from micro import clock, sources
from pef.session import explore


class Cost(NamedTuple):
    """One figure, in nanoseconds of processor time."""

    name: str
    nanoseconds: float


_DECISIONS = 64
_CALLS = 1000


class _Inside(NamedTuple):
    """Something that is done many times in one run, and measured from inside it."""

    name: str
    times: int
    loop: str


_INSIDE = [
    _Inside("decision, new, both sides possible", _DECISIONS, "if x == 2000000 + k: pass"),
    _Inside("decision, new, one side possible", _DECISIONS, "if x < k: pass"),
    _Inside("decision, made before", _DECISIONS, "if x == 7: pass"),
    _Inside("rewritten call of a function", _CALLS, "successor(k)"),
    _Inside("rewritten call of a function, symbolic", _CALLS, "identity(x)"),
    _Inside("rewritten call of a builtin", _CALLS, "len(row)"),
    _Inside("rewritten call of a method", _CALLS, "row.count(k)"),
    _Inside("rewritten subscript", _CALLS, "row[1]"),
]

_SOURCE = '''\
from time import thread_time_ns

def successor(value):
    return value + 1

def identity(value):
    return value

def measured(x: int):
    """:assume: x > 1000000"""
    row = [3, 1, 4]
    start = thread_time_ns()
    for k in range({count}):
        {loop}
    return thread_time_ns() - start
'''

_TREE = """
def tree(items: list[int]):
    '''
    :assume: len(items) == {n}
    '''
    count = 0
    for item in items:
        if item > 0:
            count += 1
    return count
"""


def costs(rounds: int = 9) -> Iterator[Cost]:
    """Every cost, as it is measured."""
    nothing = _inside(_Inside("", _CALLS, "pass"), rounds)[1]
    for each in _INSIDE:
        symbolic, plain = _inside(each, rounds)
        yield Cost(each.name, symbolic - nothing)
        if each.name.startswith("rewritten"):
            yield Cost(each.name.replace("rewritten", "plain"), max(plain - nothing, 0.1))
    yield from _paths()


def _inside(each: _Inside, rounds: int) -> tuple[float, float]:
    """Per repetition: within an exploration, and plain."""
    function = sources.module(_SOURCE.format(count=each.times, loop=each.loop)).measured
    symbolic = []
    for _ in range(rounds):
        # Breadth first no run is given up for a better one.
        with explore(function, depth=None, max_paths=1, strategy="breadth-first") as exploration:
            symbolic += [path.result for path in exploration.unreplayed()]
    plain = min(function(1_000_001) for _ in range(rounds))
    return min(symbolic) / each.times, plain / each.times


def _paths() -> Iterator[Cost]:
    """Exhaustive trees of 1024 paths, ten decisions each."""
    function = sources.module(_TREE.format(n=10)).tree
    alone = clock.best(lambda: _explored(function, replayed=False), repeat=3) / 1024
    yield Cost("path of ten decisions, with its runs", alone)
    both = min(_with_children(lambda: _explored(function, replayed=True)) for _ in range(3)) / 1024
    yield Cost("replay of a path", both - alone)
    single = sources.module(_TREE.format(n=0)).tree
    whole = clock.best(lambda: _explored(single, replayed=False), repeat=15)
    yield Cost("exploration of a function with one path", whole)


def _explored(function: Callable[..., object], *, replayed: bool) -> None:
    with explore(function) as exploration:
        for _ in exploration if replayed else exploration.unreplayed():
            pass
        if not exploration.summary["exhaustive"]:
            raise RuntimeError("a tree of the bench was not exhausted")


def _with_children(action: Callable[[], object]) -> float:
    """Nanoseconds of processor time, those of processes that ended meanwhile included."""
    before = _used()
    action()
    return _used() - before


def _used() -> float:
    usages = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(usage) for usage in usages]
    return sum(each.ru_utime + each.ru_stime for each in used) * 1e9
