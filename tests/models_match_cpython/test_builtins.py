"""Built-in functions and syntax on symbolic values do what CPython does."""

import sys

import pytest

from pef.models.table import operations

TESTED_ELSEWHERE = frozenset(
    {
        *("int", "bool", "str", "bytes", "bytearray", "memoryview", "binary"),
        *("float", "math", "datetime", "re"),
    }
)
ROWS = list(
    dict.fromkeys(
        f"{row.type}.{row.name}"
        for row in operations()
        if row.type not in TESTED_ELSEWHERE and row.since <= sys.version_info[:2]
    )
)


@pytest.mark.parametrize("name", ROWS)
def test_every_path_agrees_with_cpython(name, engine):
    from pef.selftest.report import compare_rows, select

    for case in compare_rows(select([name])):
        assert case.paths, case.program.case
        assert not case.mismatches, case.program.case


def test_each_step_over_a_symbolic_range_is_a_decision(explore):
    seen = explore(
        """
        def f(n):
            total = 0
            for i in range(n):
                total += i
                if total > 5:
                    return total
            return -1
        """,
        names="n",
    )
    assert seen.results == {"-1", "6"}
    assert seen.paths == 5
    assert seen.exhaustive


def test_a_range_knows_which_step_is_not_allowed(explore):
    seen = explore("def f(x):\n    return list(range(0, 4, x))[:2]\n", max_paths=12)
    assert "ValueError" in seen.raised
    assert {"[0, 1]", "[]"} <= seen.results


def test_a_symbolic_range_passes_for_a_range(explore):
    seen = explore(
        """
        def f(x):
            r = range(x)
            try:
                r.start = 3
            except AttributeError as problem:
                message = str(problem)
            return type(r) is range, isinstance(r, range), r.__class__, message, r.stop == x
        """
    )
    assert len(seen.results) == 1
    assert not seen.pins


def test_print_pins_nothing_and_shows_the_value(explore, capsys):
    seen = explore("def f(x):\n    print('x is', x, [x])\n    return 1 if x > 3 else 2\n")
    assert seen.results == {"1", "2"}
    assert not seen.pins


def test_print_to_a_stream_of_ones_own_pins(explore):
    seen = explore(
        """
        import io

        def f(x):
            stream = io.StringIO()
            print(x, file=stream)
            return stream.getvalue()
        """,
        max_paths=4,
    )
    assert seen.pins == {"argument of print()"}


def test_print_to_a_redirected_stream_pins(explore):
    seen = explore(
        """
        import contextlib, io

        def f(x):
            stream = io.StringIO()
            with contextlib.redirect_stdout(stream):
                print(x)
            return stream.getvalue()
        """,
        max_paths=4,
    )
    assert seen.pins == {"argument of print()"}


def test_a_character_must_exist(explore):
    seen = explore("def f(x):\n    return chr(x)\n", max_paths=6)
    assert seen.raised & {"ValueError", "OverflowError"}
    assert not seen.pins
    assert seen.exhaustive


def test_the_hash_of_an_int_is_modelled(explore):
    seen = explore(
        """
        def f(x):
            if hash(x) == -2:
                return "minus one" if x == -1 else "another"
            if x > 2**61 and hash(x) == 5:
                return "wrapped"
            return None
        """
    )
    assert seen.results == {"'minus one'", "'another'", "'wrapped'", "None"}
    assert not seen.pins


def test_wrong_calls_fail_as_in_cpython(explore):
    for call in (
        "sum()",
        "sum(1, 2, 3)",
        "range()",
        "range(x, 1, 2, 3)",
        "range(stop=x)",
        "sum(x)",
    ):
        assert explore(f"def f(x):\n    return {call}\n").raised == {"TypeError"}, call
    for call in ("enumerate()", "int(x, 10)", "bool(x, x)", "hash(x, x)", "len(x)"):
        assert explore(f"def f(x):\n    return {call}\n").raised == {"TypeError"}, call


def test_sum_of_floats_is_rounded_as_cpython_does(explore):
    seen = explore("def f(x):\n    return sum([x % 3, 0.1, 0.2, 0.3, -0.6, x % 5])\n")
    assert seen.results
    assert not seen.pins


def test_sum_of_objects_keeps_symbolic_items(explore):
    seen = explore(
        """
        class Money:
            def __init__(self, cents):
                self.cents = cents
            def __add__(self, other):
                return Money(self.cents + (other if isinstance(other, int) else other.cents))

        def f(x, y):
            return 1 if sum([x, Money(y)], Money(0)).cents == 42 else 2
        """,
        names="xy",
    )
    assert seen.results == {"1", "2"}
    assert not seen.pins
