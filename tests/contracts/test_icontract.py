"""Contracts of icontract, read from functions that the real package decorated."""

import pytest

from pef.contracts import ClauseKind, ContractError, read
from pef.contracts.layers import bare

pytest.importorskip("icontract")

SOURCE = """
import icontract
from icontract import ensure, require, snapshot, invariant

@require(lambda x: x > 0, "positive")
@require(lambda y: y != 0, enabled=True)
@require(lambda x: x < 0, enabled=False)
@ensure(lambda x, result: result <= x)
def divide(x: int, y: int = 1) -> int:
    return x // y

@snapshot(lambda items: items[:])
@snapshot(lambda items: items, name="same")
@ensure(lambda items, value, OLD: items == OLD.items + [value])
@ensure(lambda items, OLD: items is OLD.same)
def push(items: list, value: int) -> None:
    items.append(value)

@require(lambda _ARGS, _KWARGS: len(_ARGS) == 2 and _KWARGS == {"c": 3})
def whole(a: int, b: int, *, c: int) -> int:
    return a

def is_small(x):
    return x < 10

@require(is_small)
def named(x: int) -> int:
    return x

class Base(icontract.DBC):
    @require(lambda x: x > 10)
    @ensure(lambda result: result > 0)
    def weaken(self, x: int) -> int:
        return x

class Derived(Base):
    @require(lambda x: x < 0)
    @ensure(lambda result: result > 1)
    def weaken(self, x: int) -> int:
        return x

@invariant(lambda self: self.low <= self.high, "ordered")
class Interval:
    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    @require(lambda by: by >= 0)
    def shrink(self, by: int) -> None:
        self.high -= by

@ensure(lambda nope: nope)
def wrong(x: int) -> int:
    return x
"""


@pytest.fixture(scope="module")
def module(load):
    return lambda name: load(SOURCE, name)


def test_conditions_become_clauses(module, texts):
    contract = read(module("divide"))
    assert texts(contract.assumes) == ["y != 0", "positive: x > 0"]
    assert contract.assumes[0].line == 6
    assert contract.violated_assume({"x": 1, "y": 0}).shown == "@icontract.require y != 0"
    assert contract.violated_assume({"x": 1, "y": 1}) is None
    entry = contract.enter({"x": 1, "y": 1})
    assert contract.violated_ensure(entry, 1) is None
    assert contract.violated_ensure(entry, 2).text == "result <= x"
    assert not contract.declares_exceptions


def test_a_snapshot_is_what_its_author_captured(module):
    contract = read(module("push"))
    items = [1]
    entry = contract.enter({"items": items, "value": 2})
    items.append(2)
    assert contract.violated_ensure(entry, None) is None
    items.append(3)
    assert contract.violated_ensure(entry, None).text == "items == OLD.items + [value]"


def test_all_arguments_can_be_asked_for_at_once(module):
    contract = read(module("whole"))
    assert contract.violated_assume({"a": 1, "b": 2, "c": 3}) is None
    assert contract.violated_assume({"a": 1, "b": 2, "c": 4}) is not None


def test_a_condition_may_be_a_function_with_a_name(module):
    contract = read(module("named"))
    assert contract.violated_assume({"x": 10}).text == "is_small(...)"
    assert contract.violated_assume({"x": 9}) is None


def test_a_subclass_may_ask_for_less_and_promises_more(module, texts):
    derived = module("Derived")
    contract = read(derived.weaken)
    holds = [contract.violated_assume({"self": None, "x": x}) is None for x in (11, -1, 5)]
    assert holds == [True, True, False]
    assert sorted(texts(contract.ensures)) == ["result > 0", "result > 1"]


def test_invariants_are_assumed_and_promised(module, texts):
    contract = read(module("Interval").shrink)
    assert texts(contract.assumes) == ["by >= 0", "ordered: self.low <= self.high"]
    assert [clause.kind for clause in contract.ensures] == [ClauseKind.INVARIANT]
    assert read(module("Interval").__init__).assumes == ()


def test_the_wrapper_is_taken_off(module):
    divide = module("divide")
    assert bare(divide)(-4, 2) == -2
    interval = module("Interval")
    one = interval(0, 1)
    bare(interval.shrink)(one, 5)
    assert one.high == -4
    assert bare(one.shrink).__self__ is one


def test_a_decorator_further_out_stays(load):
    source = SOURCE + (
        "import functools\n"
        "def twice(f):\n"
        "    @functools.wraps(f)\n"
        "    def wrapper(*args):\n"
        "        return 2 * f(*args)\n"
        "    return wrapper\n"
        "decorated = twice(divide)\n"
    )
    decorated = load(source, "decorated")
    assert bare(decorated) is decorated
    assert len(read(decorated).assumes) == 2


def test_a_condition_on_what_does_not_exist_is_an_error_with_its_place(module):
    with pytest.raises(ContractError) as caught:
        read(module("wrong"))
    assert caught.value.message == "the condition takes 'nope', which 'wrong' does not have"
    assert caught.value.source_line == "@ensure(lambda nope: nope)"


def test_icontract_itself_agrees(module):
    import icontract

    divide = module("divide")
    contract = read(divide)
    for x, y in [(x, y) for x in range(-3, 6) for y in range(-2, 4)]:
        arguments = {"x": x, "y": y}
        try:
            divide(x, y)
            kept = True
        except icontract.ViolationError:
            kept = False
        if contract.violated_assume(arguments):
            assert not kept, arguments
        else:
            broken = contract.violated_ensure(contract.enter(arguments), x // y)
            assert kept == (broken is None), arguments
