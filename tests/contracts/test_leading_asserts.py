"""The asserts a function starts with say what it expects."""

import pytest

from pef.contracts import read


def assumed(load, body, signature="x: int, y: int", prelude=""):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return read(load(f"{prelude}def f({signature}):\n{lines}"))


def test_leading_asserts_are_assumptions(load, texts):
    contract = assumed(load, '"""Text."""\nassert x > 0\nassert y > x, "why"\nx += 1\nassert x > 9')
    assert texts(contract.assumes) == ["x > 0", "y > x"]
    assert contract.violated_assume({"x": 1, "y": 1}).shown == "assert y > x"
    assert contract.violated_assume({"x": 1, "y": 2}) is None
    assert not contract.declares_exceptions


def test_another_statement_ends_the_run(load):
    assert assumed(load, "z = x\nassert z > 0").assumes == ()


def test_what_an_assert_raises_is_left_to_the_function(load):
    contract = assumed(load, "assert 1 // x\nassert y > 0")
    assert contract.violated_assume({"x": 0, "y": 0}) is None
    assert contract.violated_assume({"x": 1, "y": 0}) is not None


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("assert x > 0\nassert later > 0\nlater = 1", 1),
        ("assert x > 0\nassert unknown_name", 1),
        ("assert [z for z in range(x)]\nz = 1", 1),
        ("assert (lambda z: z)(x)", 1),
    ],
)
def test_an_assert_that_needs_the_function_ends_the_run(load, body, count):
    assert len(assumed(load, body).assumes) == count


def test_a_name_bound_in_one_assert_is_known_in_the_next(load):
    contract = assumed(load, "assert (n := x + y) > 0\nassert n < 10")
    assert contract.violated_assume({"x": 1, "y": 1}) is None
    assert contract.violated_assume({"x": 5, "y": 5}) is not None


def test_docstring_assumptions_come_first(load, texts):
    contract = assumed(load, '""":assume: x != 0"""\nassert 1 // x > 0')
    assert texts(contract.assumes) == ["x != 0", "1 // x > 0"]


def test_private_names_are_those_of_the_class(load):
    source = (
        "class C:\n    def __init__(self):\n        self.__n = 1\n"
        "    def m(self):\n        assert self.__n\n"
    )
    kind = load(source, "C")
    assert read(kind.m).violated_assume({"self": kind()}) is None
