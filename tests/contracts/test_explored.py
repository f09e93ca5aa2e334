"""Contracts of other packages, checked on symbolic values and by plain CPython."""

import importlib.util
import sys

import pytest

import pef


@pytest.fixture
def explored(tmp_path, request):
    """Explores a function of a module with the given source."""

    def explore(source, name, exhaustive=True):
        file = tmp_path / f"explored_{request.node.name[:20]}.py"
        file.write_text(source)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        request.addfinalizer(lambda: sys.modules.pop(file.stem, None))
        spec.loader.exec_module(module)
        function = module
        for part in name.split("."):
            function = getattr(function, part)
        exploration = pef.explore(function, depth=None, timeout=60)
        paths = list(exploration)
        assert all(path.reproduced for path in paths), [path.replay for path in paths]
        assert exploration.summary["exhaustive"] or not exhaustive, exploration.summary["open"]
        return paths

    return explore


def broken(paths):
    return {(path.violation.kind, path.violation.text) for path in paths if path.violation}


ICONTRACT = """
from icontract import ensure, invariant, require, snapshot

@require(lambda x: 0 < x < 100)
@ensure(lambda x, result: result > x)
def grow(x: int) -> int:
    return x if x == 77 else x + 2

@require(lambda items: len(items) < 2)
@snapshot(lambda items: items[:])
@ensure(lambda items, value, OLD: items == OLD.items + [value])
def push(items: list[int], value: int) -> None:
    items.append(value)

@invariant(lambda self: self.low <= self.high)
class Interval:
    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    @require(lambda by: by >= 0)
    def widen(self, by: int) -> None:
        self.low -= by
        self.high += by

    def lower(self, by: int) -> None:
        self.high -= by

def pushes(n: int) -> None:
    push([1] if n < 5 else [1, 2], n)
"""


def test_icontract_conditions_run_on_symbolic_values(explored):
    pytest.importorskip("icontract")
    paths = explored(ICONTRACT, "grow")
    assert broken(paths) == {("ensure", "result > x")}
    assert {path.args for path in paths if path.violation} == {(77,)}


def test_a_kept_icontract_is_proved(explored):
    pytest.importorskip("icontract")
    assert broken(explored(ICONTRACT, "push")) == set()
    assert broken(explored(ICONTRACT, "Interval.widen")) == set()


def test_a_broken_icontract_invariant_is_found(explored):
    pytest.importorskip("icontract")
    assert broken(explored(ICONTRACT, "Interval.lower")) == {("invariant", "self.low <= self.high")}


def test_icontract_itself_refuses_a_wrong_call(explored):
    pytest.importorskip("icontract")
    # icontract writes the values into its message, which fails for very long numbers.
    paths = explored(ICONTRACT, "pushes", exhaustive=False)
    raised = {path.exception_facts["type"] for path in paths if path.exception}
    assert "icontract.errors.ViolationError" in raised


DEAL = """
import deal

@deal.pre(lambda x, y: y > 0)
@deal.post(lambda result: result != 12)
@deal.raises(ValueError)
def divide(x: int, y: int) -> int:
    if x == 9:
        raise ValueError(x)
    if x == 10:
        raise KeyError(x)
    return x // y

@deal.ensure(lambda _: _.result > _.x)
@deal.safe
def grow(x: int) -> int:
    return x + 1

@deal.pure
def loud(x: int) -> int:
    if x == 3:
        print(x)
    return x

@deal.inv(lambda post: post.likes >= 0)
class Post:
    likes = 0

    def like(self, n: int) -> None:
        self.likes += n
"""


def test_deal_conditions_run_on_symbolic_values(explored):
    pytest.importorskip("deal")
    assert broken(explored(DEAL, "divide")) == {
        ("ensure", "result != 12"), ("raises", "KeyError is not declared"),
    }  # fmt: skip
    assert broken(explored(DEAL, "grow")) == set()


def test_deal_itself_watches_side_effects_and_invariants(explored):
    pytest.importorskip("deal")
    loud = explored(DEAL, "loud")
    assert {path.args for path in loud if path.violation} == {(3,)}
    paths = explored(DEAL, "Post.like", exhaustive=False)
    raised = {path.exception_facts["type"] for path in paths if path.exception}
    assert raised == {"deal.InvContractError"}


ANNOTATED = """
from typing import Annotated
import annotated_types as at

def between(x: Annotated[int, at.Gt(3), at.Lt(6)]) -> int:
    return 1 // ((x == 4) + (x == 5))

def interval(x: Annotated[int, at.Interval(ge=7, le=14), at.MultipleOf(7)]) -> int:
    return 1 // ((x == 7) + (x == 14))

def sized(x: Annotated[list[Annotated[int, at.Gt(0)]], at.Len(1, 1)]) -> int:
    return 1 // x[0]

def short(x: Annotated[str, at.MinLen(1), at.MaxLen(2)]) -> int:
    return 2 // len(x)

def square(x: Annotated[int, at.Predicate(lambda v: v * v == 49)]) -> int:
    return 1 // (abs(x) == 7)

def finite(x: Annotated[float, at.Predicate(lambda v: 0.0 < v < 1.0)]) -> bool:
    return 1 // (x < 1.0)
"""

PYDANTIC = """
from dataclasses import dataclass
from typing import Annotated
from pydantic import Field, NonNegativeInt, conint, constr

def field(x: Annotated[int, Field(gt=3, lt=6)]) -> int:
    return 1 // ((x == 4) + (x == 5))

def alias(x: NonNegativeInt) -> int:
    return 1 // (x + 1)

def limited(x: conint(ge=1, le=3, multiple_of=3)) -> int:
    return 1 // (x == 3)

def pattern(x: Annotated[str, Field(pattern="^ab?$")]) -> int:
    return 1 // (x in ("a", "ab"))

def stripped(x: constr(strip_whitespace=True, min_length=1, max_length=1)) -> int:
    return 1 // (x != " ")

@dataclass
class Point:
    x: Annotated[int, Field(gt=0)]

def inside(point: Point) -> int:
    return 1 // point.x
"""


@pytest.mark.parametrize("name", ["between", "interval", "sized", "short", "square", "finite"])
def test_annotated_types_limit_inputs(explored, name):
    pytest.importorskip("annotated_types")
    paths = explored(ANNOTATED, name)
    assert paths and not any(path.exception for path in paths)


@pytest.mark.parametrize("name", ["field", "alias", "limited", "pattern", "stripped", "inside"])
def test_pydantic_fields_limit_inputs(explored, name):
    pytest.importorskip("pydantic")
    paths = explored(PYDANTIC, name)
    assert paths and not any(path.exception for path in paths)
