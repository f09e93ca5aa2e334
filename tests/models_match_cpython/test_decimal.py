"""`decimal.Decimal` through its twin: on plain values against C, and on symbolic paths."""

import decimal
import operator
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pef.models.twins import decimals

ROUNDINGS = [
    *("ROUND_DOWN", "ROUND_UP", "ROUND_HALF_UP", "ROUND_HALF_DOWN", "ROUND_HALF_EVEN"),
    *("ROUND_CEILING", "ROUND_FLOOR", "ROUND_05UP"),
]
NUMBERS = st.one_of(
    st.decimals(),
    st.decimals(min_value=-1000, max_value=1000, places=2),
    st.integers(-(10**30), 10**30).map(Decimal),
)
OPERATORS = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, divmod, operator.eq, operator.ne, operator.lt, operator.le),
]
METHODS = [
    *("is_nan", "is_zero", "is_signed", "is_infinite", "as_tuple", "adjusted", "normalize"),
    *("to_integral_value", "__neg__", "__abs__", "__trunc__", "__floor__", "__ceil__", "__round__"),
    *("number_class", "logb", "next_plus", "copy_negate", "__str__", "__bool__"),
]


def told(run, *arguments):
    """What comes of a call, in a form that can be compared; with the flags it set."""
    with decimal.localcontext() as context:
        context.clear_flags()
        try:
            result = run(*arguments)
        except Exception as problem:
            result = (type(problem), str(problem))
        flags = [signal.__name__ for signal, was_set in context.flags.items() if was_set]
    return repr(plain(result)), sorted(flags)


def plain(value):
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.__pef_plain__() if hasattr(value, "__pef_plain__") else value


@pytest.mark.parametrize("run", OPERATORS, ids=lambda run: run.__name__)
@given(left=NUMBERS, right=NUMBERS)
@settings(max_examples=60, deadline=None)
def test_operators_of_the_twin_are_those_of_c(engine, run, left, right):
    assert told(run, decimals.twin_of(left), right) == told(run, left, right)


@pytest.mark.parametrize("name", METHODS)
@given(value=NUMBERS)
@settings(max_examples=60, deadline=None)
def test_methods_of_the_twin_are_those_of_c(engine, name, value):
    run = operator.methodcaller(name)
    assert told(run, decimals.twin_of(value)) == told(run, value)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_symbolic_rounding_is_that_of_c(explore, rounding):
    seen = explore(
        f"""
        from decimal import Decimal
        def f(x):
            y = (Decimal(x % 400 - 200) / 100).quantize(Decimal("0.1"), "{rounding}")
            return 1 if y == Decimal("1.3") else 2 if y == Decimal("-0.8") else 3
        """
    )
    assert seen.results == {"1", "2", "3"}
    assert not seen.pins


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_symbolic_rounding_to_the_context_is_that_of_c(explore, rounding):
    seen = explore(
        f"""
        from decimal import Decimal, localcontext
        def f(x):
            with localcontext() as context:
                context.prec, context.rounding = 2, "{rounding}"
                return Decimal(x % 2000 - 1000) + 0
        """
    )
    assert seen.exhaustive
    assert not seen.pins


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("Decimal(x) / 4 == Decimal('2.5')", "10"),
        ("Decimal(x) * 3 + Decimal('0.5') == Decimal('21.5')", "7"),
        ("Decimal('1.5') * x == 12", "8"),
        ("x == Decimal(17)", "17"),
        ("Decimal('16.5') < x and x <= Decimal('17.5')", "17"),
        ("int(Decimal(x) / 2) == 7 and x % 2 == 1", "15"),
        ("divmod(Decimal(x), 7) == (5, 3)", "38"),
        ("max(Decimal(x), Decimal('2.5')) < 3 and x > 1", "2"),
        ("sum([Decimal(x), Decimal('0.1')]) == Decimal('3.1')", "3"),
    ],
)
def test_an_equation_is_solved(explore, expression, wanted):
    seen = explore(
        f"""
        from decimal import Decimal
        def f(x):
            if {expression}:
                return x
            return "no"
        """
    )
    assert wanted in seen.results


def test_division_by_zero_is_seen(explore):
    seen = explore("from decimal import Decimal\ndef f(x):\n    return Decimal(1) / (x % 3)")
    assert seen.raised == {"DivisionByZero"}
    assert seen.exhaustive


def test_too_many_digits_for_quantize_are_seen(explore):
    seen = explore(
        "from decimal import Decimal\ndef f(x):\n    return Decimal(x).quantize(Decimal('0.01'))"
    )
    assert "InvalidOperation" in seen.raised


def test_text_is_decided(explore):
    seen = explore(
        """
        from decimal import Decimal
        def f(s):
            if len(s) != 3:
                return 0
            return 1 if Decimal(s) == Decimal("1.5") else 2
        """,
        names="s",
    )
    assert {"0", "1", "2"} <= seen.results
    assert seen.raised == {"InvalidOperation"}


def test_flags_are_those_of_c(explore):
    seen = explore(
        """
        from decimal import Decimal, Inexact, localcontext
        def f(x):
            with localcontext() as context:
                context.clear_flags()
                Decimal(x % 10) / 3
                return bool(context.flags[Inexact])
        """
    )
    assert seen.results == {"True", "False"}


@pytest.mark.parametrize(
    "expression",
    ["hash(Decimal(x))", "float(Decimal(x % 9))", "f'{Decimal(x % 9):.2f}'", "complex(x % 9, 2)"],
)
def test_what_only_c_can_do_pins(explore, expression):
    seen = explore(f"from decimal import Decimal\ndef f(x):\n    return {expression}", max_paths=5)
    assert seen.pins


@pytest.mark.parametrize("expression", ["Own(1) + x", "x * Own(2)", "Own(3) < x", "Own(x % 4) + 1"])
def test_a_subclass_pins(explore, expression):
    seen = explore(
        f"""
        from decimal import Decimal
        class Own(Decimal):
            pass
        def f(x):
            return {expression}
        """,
        max_paths=5,
    )
    assert seen.pins


def test_a_float_pins(explore):
    seen = explore(
        "from decimal import Decimal\ndef f(f):\n    return Decimal(f)", "f", max_paths=5
    )
    assert seen.pins
