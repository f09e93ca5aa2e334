"""Every operation of `int`, explored symbolically, does what CPython does."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pef.models.table import operations

ROWS = [row for row in operations() if row.type == "int" and row.since <= sys.version_info[:2]]
ROWS = list(dict.fromkeys(row.name for row in ROWS))


@pytest.mark.parametrize("name", ROWS)
def test_every_path_agrees_with_cpython(name, engine):
    from pef.selftest.report import compare_rows, select

    for case in compare_rows(select([f"int.{name}"])):
        assert case.paths, case.program.case
        assert not case.mismatches, case.program.case


def expressions():
    """Python expressions over `x` and `y`, divisions and shifts kept small."""
    leaves = st.sampled_from(["x", "y", "0", "1", "-1", "3", "(-7)", "255", "True"])

    def grow(inner):
        binary = st.tuples(inner, st.sampled_from("+ - * & | ^ // % < <= == !=".split()), inner)
        unary = st.tuples(st.sampled_from(["-", "~", "+", "not "]), inner)
        shift = st.tuples(inner, st.sampled_from(["<<", ">>"]), st.sampled_from("123"))
        call = st.tuples(st.sampled_from(["abs", "int", "bool", "hash"]), inner)
        choice = st.tuples(inner, inner, inner)
        return st.one_of(
            binary.map(lambda parts: f"({' '.join(parts)})"),
            shift.map(lambda parts: f"({' '.join(parts)})"),
            unary.map(lambda parts: f"({''.join(parts)})"),
            call.map(lambda parts: f"{parts[0]}({parts[1]})"),
            choice.map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})"),
        )

    return st.recursive(leaves, grow, max_leaves=6)


def numbers():
    edges = [0, 1, -1, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 2**61 - 1, -(2**61), 10**30]
    return st.one_of(st.sampled_from(edges), st.integers(-20, 20), st.integers())


@settings(max_examples=60, deadline=None)
@given(expression=expressions(), x=numbers(), y=numbers())
def test_random_expressions_agree_at_random_inputs(explore, expression, x, y):
    seen = explore(
        f"""
        def f(x, y):
            if x == {x} and y == {y}:
                return {expression}
        """,
        names="xy",
        max_paths=8,
        timeout=5.0,
    )
    assert (x, y) in seen.inputs


@settings(max_examples=40, deadline=None)
@given(expression=expressions())
def test_every_path_of_a_random_expression_agrees(explore, expression):
    seen = explore(f"def f(x, y):\n    return {expression}\n", "xy", max_paths=20, timeout=2.0)
    assert seen.paths


def test_an_int_of_a_subclass_is_the_number_it_is(explore):
    seen = explore(
        """
        class Money(int):
            pass

        def f(x):
            if Money(3) + x == 10:
                return "left"
            if x - Money(3) == 10:
                return "right"
            return 1 if Money(50) < x else 2
        """
    )
    assert seen.results == {"'left'", "'right'", "1", "2"}
    assert not seen.pins


def test_an_operator_that_a_subclass_defines_is_asked_first(explore):
    seen = explore(
        """
        class Odd(int):
            def __radd__(self, other):
                return "mine"
            def __eq__(self, other):
                return "equal?"
            __hash__ = int.__hash__

        def f(x):
            return x + Odd(3), x == Odd(3)
        """
    )
    assert seen.results == {"('mine', 'equal?')"}
    assert seen.pins


def test_an_enum_member_compares_with_a_symbolic_int(explore):
    seen = explore(
        """
        from enum import IntEnum

        class Colour(IntEnum):
            RED = 3

        def f(x):
            if Colour.RED == x:
                return 1
            return 2 if x > Colour.RED else 3
        """
    )
    assert seen.results == {"1", "2", "3"}
    assert not seen.pins


def test_messages_name_the_type_int(explore):
    seen = explore("def f(x):\n    return x + []\n")
    assert seen.raised == {"TypeError"}
