"""Our records do what dataclasses and named tuples do, for the part of them that we use."""

from __future__ import annotations

import copy
import dataclasses
import typing
from types import SimpleNamespace
from typing import Any

import pytest

from pef import records

THE_REAL_ONES = SimpleNamespace(
    record=dataclasses.dataclass,
    field=dataclasses.field,
    replace=dataclasses.replace,
    NamedTuple=typing.NamedTuple,
)


def _classes(tools: Any) -> SimpleNamespace:
    @tools.record(frozen=True)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = tools.field(default_factory=list)

    @tools.record(frozen=True)
    class Named(Point):
        name: str = tools.field(default="?", compare=False)
        secret: str = tools.field(default="s", repr=False)

    @tools.record
    class Counter:
        start: int
        count: int = tools.field(init=False)

        def __post_init__(self) -> None:
            self.count = self.start

    @tools.record(eq=False)
    class Alone:
        x: int

    class Pair(tools.NamedTuple):
        left: int
        right: str = "r"

        def swapped(self) -> tuple[str, int]:
            return (self.right, self.left)

    return SimpleNamespace(Point=Point, Named=Named, Counter=Counter, Alone=Alone, Pair=Pair)


EXPRESSIONS = [
    "Point(1)",
    "Point(1, 3).y",
    "Point(x=1, y=4, tags=['a'])",
    "Point()",
    "Point(1, 2, [], 4)",
    "Point(1, z=3)",
    "Point(1) == Point(1)",
    "Point(1) == Point(2)",
    "Point(1) == Named(1)",
    "Point(1).tags is Point(1).tags",
    "hash(Point(1, 2, ())) == hash(Point(1, 2, ()))",
    "Named(1, name='n')",
    "Named(1, name='n') == Named(1, name='m')",
    "tools.replace(Named(1), name='m', x=5)",
    "Counter(3)",
    "Counter(3).count",
    "Counter(3, 4)",
    "hash(Counter(3))",
    "Counter(3) == Counter(3)",
    "Alone(1) == Alone(1)",
    "copy.copy(Point(1))",
    "copy.deepcopy(Named(1))",
    "Point.__match_args__",
    "Counter.__match_args__",
    "Pair(1)",
    "Pair(1, right='q')",
    "Pair()",
    "Pair(1, 2, 3)",
    "Pair(1) == (1, 'r')",
    "hash(Pair(1)) == hash((1, 'r'))",
    "Pair(1)._replace(left=2)",
    "Pair(1)._asdict()",
    "Pair(1).swapped()",
    "Pair._fields",
    "Pair.__match_args__",
    "copy.copy(Pair(1))",
    "isinstance(Pair(1), tuple)",
]


def _told(expression: str, tools: Any, made_before: int = 0) -> str:
    space = {**vars(_classes(tools)), "copy": copy, "tools": tools}
    for each in ("Point(1)", "Named(1)", "Counter(1)", "Alone(1)", "Pair(1)") * made_before:
        eval(each, space)
    try:
        return repr(eval(expression, space)).replace("_classes.<locals>.", "")
    except TypeError as problem:
        return type(problem).__name__


@pytest.mark.parametrize("made_before", [0, 50])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_means_the_same(expression: str, made_before: int) -> None:
    assert _told(expression, records, made_before) == _told(expression, THE_REAL_ONES)


def test_a_constructor_is_written_for_a_class_that_is_used_a_lot() -> None:
    @records.record
    class Late:
        x: int

    before = Late.__init__
    Late(1)
    assert Late.__init__ is before
    for n in range(50):
        Late(n)
    assert Late.__init__ is not before
