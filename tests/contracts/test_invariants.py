"""What holds of an object between calls of its methods."""

import pytest

from pef.contracts import ClauseKind, ContractError, read
from pef.contracts.invariants import invariants_of, violated_invariant

INTERVAL = '''
class Base:
    """Text.

    :invariant: self.low is not None
    """

class Interval(Base):
    """inv: self.low <= self.high"""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def move(this, by: int) -> None:
        this.low += by

    def _half_done(self) -> None:
        pass

    @staticmethod
    def origin() -> int:
        return 0
'''


@pytest.fixture
def interval(load):
    return load(INTERVAL, "Interval")


def test_a_public_method_may_rely_on_invariants_and_restores_them(interval, texts):
    contract = read(interval.move)
    assert texts(contract.assumes) == ["self.low is not None", "self.low <= self.high"]
    assert texts(contract.ensures) == texts(contract.assumes)
    assert {clause.kind for clause in contract.ensures} == {ClauseKind.INVARIANT}
    one = interval(0, 1)
    entry = contract.enter({"this": one, "by": 2})
    interval.move(one, 2)
    assert contract.violated_ensure(entry, None).shown == "inv: self.low <= self.high"
    assert contract.violated_assume({"this": one, "by": 2}).text == "self.low <= self.high"


def test_a_constructor_cannot_rely_on_them(interval, texts):
    contract = read(interval.__init__)
    assert contract.assumes == ()
    assert texts(contract.ensures) == ["self.low is not None", "self.low <= self.high"]


@pytest.mark.parametrize("name", ["_half_done", "origin"])
def test_private_and_static_methods_are_free(interval, name):
    assert not read(getattr(interval, name)).says_something


def test_a_bound_method_knows_its_object(interval):
    contract = read(interval(3, 2).move)
    assert contract.violated_assume({"by": 1}).text == "self.low <= self.high"


def test_an_invariant_that_raises_does_not_hold(load):
    kind = load("class C:\n    '''inv: self.nope > 0'''\n", "C")
    assert violated_invariant(invariants_of(kind), kind()).text == "self.nope > 0"


def test_an_object_can_be_asked_directly(interval):
    clauses = invariants_of(interval)
    assert violated_invariant(clauses, interval(0, 1)) is None
    assert violated_invariant(clauses, interval(1, 0)).line == 9


def test_a_class_sees_its_module_and_its_private_names(load):
    source = (
        "LIMIT = 3\n"
        "class C:\n"
        '    """:invariant: self.__n < LIMIT"""\n'
        "    def __init__(self, n: int) -> None:\n"
        "        self.__n = n\n"
    )
    kind = load(source, "C")
    assert violated_invariant(invariants_of(kind), kind(2)) is None
    assert violated_invariant(invariants_of(kind), kind(3)) is not None


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        (":invariant: self.x >", "the expression is not complete", 28),
        (":invariant: nope", "unknown name 'nope' in :invariant:", 20),
        (":invariant:", "':invariant:' is empty", 8),
        (":invarient: self.x", "unknown field ':invarient:'", 9),
        ("inv: x > 0", "unknown name 'x' in inv:", 13),
        ("inv:", "'inv:' is empty", 8),
    ],
)
def test_a_malformed_invariant_is_an_error_with_its_place(load, text, message, column):
    source = f'class C:\n    """{text}"""\n    def m(self) -> None: ...\n'
    with pytest.raises(ContractError) as caught:
        read(load(source, "C").m)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, 2, column)


def test_an_invariant_belongs_to_a_class(contract_error):
    error = contract_error(":invariant: x > 0")
    assert error.message == "':invariant:' belongs in the docstring of a class"
