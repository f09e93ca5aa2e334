"""Contracts of deal, read from functions that the real package decorated."""

import pytest

from pef.contracts import UndeclaredException, read
from pef.contracts.layers import bare

pytest.importorskip("deal")

SOURCE = """
import deal

@deal.pre(lambda x, y: y != 0)
@deal.pre(lambda _: _.x > _['y'], message="larger")
@deal.post(lambda result: result != 7)
@deal.ensure(lambda x, y, result: result <= x)
@deal.ensure(lambda _: _.result >= 0)
@deal.raises(ValueError, KeyError)
def divide(x: int, y: int) -> int:
    return x // y

@deal.safe
def safe(x: int) -> int:
    return 1 // x

@deal.reason(ValueError, lambda x: x < 0)
def reasoned(x: int) -> int:
    raise ValueError

@deal.reason(ValueError, lambda x: x < 0)
@deal.raises(ValueError)
def both(x: int) -> int:
    raise ValueError

@deal.chain(deal.pre(lambda x: x > 0), deal.post(lambda r: r > 1))
def chained(x: int) -> int:
    return x

@deal.pre(lambda x: True if x else "x is zero")
def explained(x: int) -> int:
    return x

@deal.has("stdout")
@deal.pre(lambda x: x > 0)
def talks(x: int) -> int:
    print(x)
    return x

@deal.pre(lambda a, *rest, key: a and rest and key)
def shapes(a: int, *rest: int, key: int) -> int:
    return a

@deal.pre(lambda n: n > 0)
@deal.post(lambda item: item != 3)
def count(n: int):
    yield from range(n)

@deal.inv(lambda post: post.likes >= 0)
class Post:
    likes = 0

    def like(self, n: int) -> None:
        self.likes += n
"""


@pytest.fixture(scope="module")
def module(load):
    return lambda name: load(SOURCE, name)


def test_conditions_take_the_arguments_or_all_of_them_in_one(module, texts):
    contract = read(module("divide"))
    assert sorted(texts(contract.assumes)) == ["larger: _.x > _['y']", "y != 0"]
    assert contract.violated_assume({"x": 1, "y": 0}).shown == "@deal.pre y != 0"
    assert contract.violated_assume({"x": 1, "y": 2}).text == "larger: _.x > _['y']"
    assert contract.violated_assume({"x": 2, "y": 1}) is None
    entry = contract.enter({"x": 9, "y": 1})
    broken = [contract.violated_ensure(entry, result) for result in (7, 10, -1, 9)]
    assert [clause and clause.text for clause in broken] == [
        "result != 7", "result <= x", "_.result >= 0", None,
    ]  # fmt: skip


def test_raises_is_closed_and_says_nothing_about_subclasses(module):
    contract = read(module("divide"))
    entry = contract.enter({"x": 2, "y": 1})
    assert contract.violated_raises(entry, KeyError()) is None
    for error in (IndexError(), UnicodeError()):
        assert isinstance(contract.violated_raises(entry, error), UndeclaredException)


def test_a_safe_function_raises_nothing(module):
    contract = read(module("safe"))
    assert contract.raises == () and contract.closed
    broken = contract.violated_raises(contract.enter({"x": 0}), ZeroDivisionError())
    assert isinstance(broken, UndeclaredException)


def test_a_reason_says_when(module):
    contract = read(module("reasoned"))
    assert not contract.closed
    assert contract.violated_raises(contract.enter({"x": -1}), ValueError()) is None
    assert contract.violated_raises(contract.enter({"x": 1}), ValueError()).text == "x < 0"
    assert contract.violated_raises(contract.enter({"x": 1}), KeyError()) is None
    both = read(module("both"))
    assert both.violated_raises(both.enter({"x": 1}), ValueError()).text == "x < 0"
    assert both.violated_raises(both.enter({"x": 1}), KeyError()) is not None


def test_a_chain_is_what_it_joins(module):
    contract = read(module("chained"))
    assert contract.violated_assume({"x": 0}) is not None
    assert contract.violated_ensure(contract.enter({"x": 1}), 1) is not None


def test_a_text_is_a_no(module):
    contract = read(module("explained"))
    assert contract.violated_assume({"x": 0}) is not None
    assert contract.violated_assume({"x": 1}) is None


def test_every_kind_of_parameter_is_passed_on(module):
    contract = read(module("shapes"))
    assert contract.violated_assume({"a": 1, "rest": (2,), "key": 3}) is None
    assert contract.violated_assume({"a": 1, "rest": (), "key": 3}) is not None


def test_the_wrapper_is_taken_off_unless_it_watches_side_effects(module):
    safe = module("safe")
    with pytest.raises(ZeroDivisionError):
        bare(safe)(0)
    talks = module("talks")
    assert bare(talks) is talks
    assert read(talks).violated_assume({"x": 0}) is not None


def test_the_items_of_a_generator_are_left_to_deal(module):
    count = module("count")
    assert bare(count) is count
    contract = read(count)
    assert len(contract.assumes) == 1 and contract.ensures == ()


def test_a_method_of_a_class_with_invariants_knows_its_class(module):
    post = module("Post")
    assert read(post.like).parameters[0].alternatives[0].__mro__[0] is not object


def test_deal_itself_agrees(module):
    import deal

    divide = module("divide")
    contract = read(divide)
    for x, y in [(x, y) for x in range(-3, 16) for y in range(-2, 4)]:
        arguments = {"x": x, "y": y}
        try:
            divide(x, y)
            verdict = "kept"
        except deal.PreContractError:
            verdict = "excluded"
        except deal.PostContractError:
            verdict = "broken"
        if contract.violated_assume(arguments):
            assert verdict == "excluded", arguments
        else:
            broken = contract.violated_ensure(contract.enter(arguments), x // y)
            assert verdict == ("broken" if broken else "kept"), arguments
