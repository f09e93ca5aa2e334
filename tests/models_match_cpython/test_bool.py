"""Every operation of `bool`, explored symbolically, does what CPython does."""

import pytest

from pef.models.table import operations

ROWS = list(dict.fromkeys(row.name for row in operations() if row.type == "bool"))


@pytest.mark.parametrize("name", ROWS)
def test_every_path_agrees_with_cpython(name, engine):
    from pef.selftest.report import compare_rows, select

    for case in compare_rows(select([f"bool.{name}"])):
        assert case.paths, case.program.case
        assert not case.mismatches, case.program.case


def test_a_condition_is_a_bool_for_everyone(explore):
    seen = explore(
        """
        def f(x):
            p = x > 3
            return type(p) is bool, isinstance(p, bool), p.__class__, p is True, str(p), [p]
        """
    )
    assert len(seen.results) == 2


def test_both_sides_of_an_identity_are_explored(explore):
    seen = explore("def f(x):\n    return 1 if (x > 3) is False else 2\n")
    assert seen.results == {"1", "2"}
    assert seen.exhaustive


def test_a_plain_bool_on_the_left_loses_nothing(explore):
    seen = explore(
        """
        def f(x):
            if True + x == 9:
                return 1
            if False | (x > 100):
                return 2
            return 3 if True < x else 4
        """
    )
    assert seen.results == {"1", "2", "3", "4"}
    assert not seen.pins
