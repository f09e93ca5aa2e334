"""Nanoseconds per operation, on plain values and on symbolic ones.

An operation is written out many times inside a loop, and the function that holds the loop looks at
the clock itself, so that neither its call nor the making of its inputs counts. An operation that
can fail is a decision as well (a divisor of zero, an index out of range), forced after the first
time. What a new decision costs is in `micro.costs`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from micro import sources
from pef.session import explore

_WRITTEN_OUT = 20
_TURNS = 25


class Operation(NamedTuple):
    """An expression over inputs that are large enough to be typical."""

    group: str
    expression: str
    inputs: str
    assume: str
    before: str = "pass"


class Cost(NamedTuple):
    """Nanoseconds per operation."""

    operation: Operation
    plain: float
    symbolic: float

    @property
    def ratio(self) -> float:
        """How many plain operations one symbolic operation costs."""
        return self.symbolic / self.plain


_TWO_INTS = ("x: int, y: int", "x > 1000, y > 100")
_TWO_FLOATS = ("x: float, y: float", "x > 1.5, y > 2.5")
_TEXT = ("s: str, t: str", "len(s) == 8, len(t) == 3")
_INDEX = "i: int", "0 <= i < 8"
_LIST = ("items: list[int]", "len(items) == 8")

_NUMBERS = ["x + y", "x - y", "x * y", "x // y", "x % y", "x < y", "x == y", "-x"]

OPERATIONS = [
    *(Operation("int", text, *_TWO_INTS) for text in _NUMBERS),
    Operation("int", "x // 7", *_TWO_INTS),
    Operation("int", "x % 7", *_TWO_INTS),
    Operation("int", "x ** 2", *_TWO_INTS),
    Operation("int", "x & y", *_TWO_INTS),
    Operation("int", "x | y", *_TWO_INTS),
    Operation("int", "x ^ y", *_TWO_INTS),
    Operation("int", "x << 3", *_TWO_INTS),
    Operation("int", "x >> 3", *_TWO_INTS),
    Operation("int", "~x", *_TWO_INTS),
    Operation("int", "abs(x)", *_TWO_INTS),
    Operation("int", "bool(x)", *_TWO_INTS),
    *(Operation("float", text, *_TWO_FLOATS) for text in _NUMBERS),
    Operation("float", "x / y", *_TWO_FLOATS),
    Operation("str", "s + t", *_TEXT),
    Operation("str", "s[2:5]", *_TEXT),
    Operation("str", "s[3]", *_TEXT),
    Operation("str", "s == t", *_TEXT),
    Operation("str", "len(s)", *_TEXT),
    Operation("str", "s.find('ab')", *_TEXT),
    Operation("str", "'ab' in s", *_TEXT),
    Operation("str", "s.startswith('ab')", *_TEXT),
    Operation("str", "s.upper()", *_TEXT),
    Operation("containers", "items[3]", *_LIST),
    Operation("containers", "len(items)", *_LIST),
    Operation("containers", "row[i]", *_INDEX, "row = [3, 1, 4, 1, 5, 9, 2, 6]"),
    Operation("containers", "table[i]", *_INDEX, "table = {n: n * n for n in range(8)}"),
    Operation("containers", "i in table", *_INDEX, "table = {n: n * n for n in range(8)}"),
]


def costs(operations: list[Operation] = OPERATIONS, rounds: int = 9) -> Iterator[Cost]:
    """What every operation costs, as it is measured."""
    for operation in operations:
        yield measure(operation, rounds)


def measure(operation: Operation, rounds: int = 9) -> Cost:
    """The best of several rounds. Plain values are those that the symbolic ones had."""
    measured = program(operation)
    plain = symbolic = math.inf
    for _ in range(rounds):
        with explore(measured, max_paths=1) as exploration:
            (path,) = exploration.unreplayed()
            if path.outcome != "returned":
                raise RuntimeError(f"{operation.expression}: the run {path.outcome}")
            symbolic = min(symbolic, path.result)
            arguments = path.args
        plain = min(plain, *_calls(measured, arguments))
    count = _WRITTEN_OUT * _TURNS
    return Cost(operation, plain / count, symbolic / count)


def program(operation: Operation) -> Callable[..., int]:
    """A function that measures itself; it may be explored and called."""
    made: Callable[..., int] = sources.module(_source(operation)).measured
    return made


def _calls(measured: Callable[..., int], arguments: tuple[object, ...]) -> Iterator[int]:
    for _ in range(3):
        yield measured(*arguments)


def _source(operation: Operation) -> str:
    line = "; ".join([operation.expression] * _WRITTEN_OUT)
    return f'''\
from time import thread_time_ns

def measured({operation.inputs}):
    """
    :assume: {operation.assume}
    """
    {operation.before}
    for _ in range(2):
        {operation.expression}
    start = thread_time_ns()
    for _ in range({_TURNS}):
        {line}
    return thread_time_ns() - start
'''
