"""Every operation of `float` and `math`, explored symbolically, does what CPython does."""

import math
import struct
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pef.models.table import operations

ROWS = [
    (row.type, row.name)
    for row in operations()
    if row.type in ("float", "math", "datetime") and row.since <= sys.version_info[:2]
]


@pytest.mark.parametrize(("kind", "name"), dict.fromkeys(ROWS))
def test_every_path_agrees_with_cpython(kind, name, engine):
    from pef.selftest.report import compare_rows, select

    for case in compare_rows(select([f"{kind}.{name}"])):
        assert case.paths, case.program.case
        assert not case.mismatches, case.program.case


def expressions():
    """Python expressions over the floats `f` and `g` and the int `x`."""
    leaves = st.sampled_from(["f", "g", "x", "0.0", "-0.0", "1.5", "3", "1e16", "True"])

    def grow(inner):
        binary = st.tuples(inner, st.sampled_from("+ - * / // % < <= == !=".split()), inner)
        unary = st.tuples(st.sampled_from(["-", "+", "not "]), inner)
        call = st.tuples(st.sampled_from(["abs", "int", "bool", "float", "round"]), inner)
        return st.one_of(
            binary.map(lambda parts: f"({' '.join(parts)})"),
            unary.map(lambda parts: f"({''.join(parts)})"),
            call.map(lambda parts: f"{parts[0]}({parts[1]})"),
        )

    return st.recursive(leaves, grow, max_leaves=5)


def floats():
    edges = [0.0, -0.0, 1.0, 0.1, 2.0**53, 1e308, 5e-324, math.inf, -math.inf, math.nan]
    return st.one_of(st.sampled_from(edges), st.floats(allow_nan=False))


def is_at(name, value):
    if value != value:
        return f"{name} != {name}"
    sign = "<" if math.copysign(1.0, value) < 0 else ">"
    return f"{name} == float('{value!r}') and math.copysign(1.0, {name}) {sign} 0"


def same_bits(a, b):
    return struct.pack("d", a) == struct.pack("d", b) or (a != a and b != b)


@settings(max_examples=60, deadline=None)
@given(expression=expressions(), f=floats(), g=floats(), x=st.integers(-(2**70), 2**70))
def test_random_expressions_agree_at_random_inputs(explore, expression, f, g, x):
    seen = explore(
        f"""
        import math

        def f(f, g, x):
            if {is_at("f", f)}:
                if {is_at("g", g)} and x == {x}:
                    return {expression}
        """,
        names="fgx",
        max_paths=12,
        timeout=5.0,
    )
    assert any(
        same_bits(found[0], f) and same_bits(found[1], g) and found[2] == x for found in seen.inputs
    )


@settings(max_examples=30, deadline=None)
@given(expression=expressions())
def test_every_path_of_a_random_expression_agrees(explore, expression):
    source = f"def f(f, g, x):\n    return {expression}\n"
    seen = explore(source, "fgx", max_paths=15, timeout=2.0)
    assert seen.paths


def test_arithmetic_and_comparison_ask_nothing(explore):
    seen = explore("def f(f, g):\n    return (f + g) * 2.5 - f < g\n", "fg")
    assert seen.paths == 1
    assert seen.exhaustive
    assert not seen.pins


def test_a_float_of_a_subclass_is_the_number_it_is(explore):
    seen = explore(
        """
        class Metres(float):
            pass

        def f(f):
            if Metres(3.0) + f == 10.5:
                return "left"
            if f * Metres(2.0) == 9.0:
                return "right"
            return 1 if Metres(50.0) < f else 2
        """,
        "f",
    )
    assert seen.results == {"'left'", "'right'", "1", "2"}
    assert not seen.pins


def test_an_operator_that_a_subclass_defines_is_asked_first(explore):
    seen = explore(
        """
        class Odd(float):
            def __radd__(self, other):
                return "mine"
            def __eq__(self, other):
                return "equal?"
            __hash__ = float.__hash__

        def f(f):
            return f + Odd(3.0), f == Odd(3.0)
        """,
        "f",
    )
    assert seen.results == {"('mine', 'equal?')"}
    assert seen.pins


def test_an_object_with_operators_gets_the_float_whole(explore):
    seen = explore(
        """
        class Weight:
            def __init__(self, value):
                self.value = value
            def __radd__(self, other):
                return Weight(self.value + other)
            def __gt__(self, other):
                return self.value > other

        def f(f):
            return 1 if (f + Weight(1.5)).value == 4.0 else 2 if f < Weight(0.5) else 3
        """,
        "f",
    )
    assert seen.results == {"1", "2", "3"}
    assert not seen.pins


def test_what_dunder_float_returns_is_pinned(explore):
    seen = explore(
        """
        class Box:
            def __init__(self, value):
                self.value = value
            def __float__(self):
                return self.value

        def f(f):
            return float(Box(f + 1.5))
        """,
        "f",
    )
    assert seen.pins


def test_an_int_and_a_float_are_compared_exactly(explore):
    seen = explore(
        """
        def f(x, f):
            if x > 2**53 and f == 2.0**53 and x <= f + 2.0 and x != f + 2.0:
                return x
        """,
        "xf",
    )
    assert str(2**53 + 1) in seen.results
    assert not seen.pins


def test_a_sum_is_followed(explore):
    seen = explore("def f(f):\n    return 1 if sum([f, 1, 0.5]) == 4.5 else 2\n", "f")
    assert {"1", "2"} <= seen.results
    assert not seen.pins


def test_rounding_to_digits_is_followed_away_from_ties(explore):
    seen = explore(
        "def f(f):\n    if 0 < f < 100 and round(f, 2) == 12.34:\n        return 1\n", "f"
    )
    assert "1" in seen.results


def test_a_stale_float_is_its_value():
    from pef import _native
    from pef.engine import Engine

    kept = []
    with Engine():
        session = _native.Session(kept.append, [("f", "positional", _native.input_float())])
        while session.next_path() is not None:
            pass
    (stale,) = kept[-1:]
    assert stale + 1.5 == 1.5
    assert (stale < 1, int(stale), round(stale), stale.is_integer()) == (True, 0, 0, True)
    assert (2 - stale, stale**2, divmod(stale, 3)) == (2.0, 0.0, (0.0, 0.0))
    assert repr(stale) == "0.0"


def test_the_greatest_common_divisor_is_decided(explore):
    seen = explore("import math\ndef f(x):\n    return math.gcd(x, 12)\n")
    assert seen.results == {"1", "2", "3", "4", "6", "12"}
    assert seen.exhaustive
    assert not seen.pins


def test_a_date_passes_for_one_of_c(explore):
    seen = explore(
        """
        import datetime

        def f(x):
            day = datetime.date(2020, 1, x % 28 + 1)
            assert isinstance(day, datetime.date) and type(day) is datetime.date
            if day == datetime.date(2020, 1, 9):
                return "nine"
            return sorted([day, datetime.date(2020, 1, 15)])[0] is day
        """
    )
    assert seen.results == {"'nine'", "True", "False"}
    assert not seen.pins


CONDITIONS = """
f + 1 == 8.5
1j * f == 7.5j
complex(f) == 7.5
decimal.Decimal(f) == decimal.Decimal(7.5)
fractions.Fraction(f) == fractions.Fraction(15, 2)
fractions.Fraction(1, 2) + f == 8.0
fractions.Fraction(15, 2) == f
f * fractions.Fraction(2) == 15.0
datetime.timedelta(days=f) == datetime.timedelta(7.5)
datetime.timedelta(2) * f == datetime.timedelta(15)
f * datetime.timedelta(2) == datetime.timedelta(15)
str(f) == "7.5"
f"{f:.1f}" == "7.5"
"%s" % f == "7.5"
"%.1f" % (f,) == "7.5"
"{}".format(f) == "7.5"
f.hex() == "0x1.e000000000000p+2"
{7.5: 1}.get(f) == 1
f in {7.5, 8}
f in [7.5]
f in (7, 7.5)
hash(f) == hash(7.5)
int(f) == 7
math.floor(f) == 7
math.hypot(f, 0.0) == 7.5
math.fsum([f, 0.5]) == 8.0
math.fsum(v for v in [f]) == 7.5
math.frexp(f) == (0.9375, 3)
math.sqrt(f) == 3.0
max(f, 3) == 7.5
min([f, 9.0]) == 7.5
sorted([f, 3.0])[1] == 7.5
sum([f, 0.5]) == 8.0
sum([1, f]) == 8.5
array.array("d", [f])[0] == 7.5
struct.pack("<d", f) == struct.pack("<d", 7.5)
json.dumps(f) == "7.5"
json.dumps({"a": [f]}) == '{"a": [7.5]}'
pickle.loads(pickle.dumps(f)) == 7.5
copy.deepcopy([f]) == [7.5]
statistics.mean([f, 0.5]) == 4.0
statistics.fmean([f, 0.5]) == 4.0
list(map(int, [f])) == [7]
list(map(float, [f])) == [7.5]
list(map(str, [f])) == ["7.5"]
list(map((1.5).__add__, [f])) == [9.0]
list(map(math.floor, [f])) == [7]
functools.reduce(float.__add__, [f, 1.0]) == 8.5
functools.partial(math.pow, f)(2.0) == 56.25
operator.add(1, f) == 8.5
operator.truediv(15, f) == 2.0
float.__add__(1.5, f) == 9.0
float.__neg__(f) == -7.5
float.is_integer(f + 0.5)
f.real == 7.5
f.__class__(f) == 7.5
type(f)(f) == 7.5
round(f, 1) == 7.5
divmod(f, 2) == (3.0, 1.5)
f ** 2 == 56.25
2 ** f == 2 ** 7.5
pow(f, 2) == 56.25
abs(-f) == 7.5
dataclasses.make_dataclass("D", ["a"])(f).a == 7.5
type("MyFloat", (float,), {})(f) == 7.5
type("MyFloat", (float,), {})(1.5) + f == 9.0
f < type("MyFloat", (float,), {})(1.5)
ctypes.c_double(f).value == 7.5
itertools.accumulate([1.0, f]).__class__ and list(itertools.accumulate([1.0, f]))[1] == 8.5
colorsys.rgb_to_hsv(f, 0, 0)[2] == 7.5
random.Random(1).uniform(f, f) == 7.5
float(f) == 7.5
bool(f)
f is not None and f == 7.5
bisect.bisect([1.0, 5.0, 9.0], f) == 2
heapq.nsmallest(1, [f, 9.0])[0] == 7.5
time.gmtime(f).tm_sec == 7
""".strip().splitlines()

IMPORTS = """
import array, bisect, colorsys, copy, ctypes, dataclasses, datetime, decimal, fractions, functools
import heapq, itertools, json, math, operator, pickle, random, statistics, struct, time
"""


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_value_is_followed_or_pinned(condition, explore):
    """No operation reads a symbolic float in silence, see `test_no_silent_loss`."""
    seen = explore(
        f"{IMPORTS}\ndef f(f):\n    if {condition}:\n        return 'found'\n    return 'not'\n",
        "f",
        max_paths=40,
        timeout=10.0,
    )
    assert "'found'" in seen.results or seen.pins or not seen.exhaustive
