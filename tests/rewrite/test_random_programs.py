"""Random programs end the same plain and rewritten: same values, same exception, same range."""

import ast
import os
import re
import warnings

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pef.rewrite.compiling import compile_file

EXAMPLES = int(os.environ.get("PEF_RANDOM_PROGRAMS", "150"))
"""The same programs every time; with any other number, new ones."""

NAMES = st.sampled_from(["a", "b", "xs", "d", "s", "o", "t", "f", "i"])
ATOMS = NAMES | st.sampled_from(
    [
        "0",
        "1",
        "-1",
        "7",
        "True",
        "False",
        "None",
        "'k'",
        "'%s'",
        "'%d %s'",
        "()",
        "[]",
        "...",
        "2.5",
    ]
)
OPERATORS = st.sampled_from(["+", "-", "*", "%", "//", "<", "==", ">=", "is", "is not"])
MEMBERSHIP = st.sampled_from(["in", "not in"])


def compound(inner):
    pair = st.tuples(inner, inner)
    triple = st.tuples(inner, inner, inner)
    return st.one_of(
        st.tuples(inner, OPERATORS, inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(inner, MEMBERSHIP, inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(inner, OPERATORS, NAMES, OPERATORS, inner).map(lambda p: f"({' '.join(p)})"),
        inner.map(lambda e: f"(not {e})"),
        pair.map(lambda p: f"({p[0]} and {p[1]})"),
        pair.map(lambda p: f"({p[0]} or not {p[1]})"),
        triple.map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
        pair.map(lambda p: f"{p[0]}[{p[1]}]"),
        triple.map(lambda p: f"{p[0]}[{p[1]}:{p[2]}]"),
        triple.map(lambda p: f"o[{p[0]}:{p[1]}, {p[2]}]"),
        pair.map(lambda p: f"{p[0]}({p[1]})"),
        inner.map(lambda e: f"f({e}, k={e})"),
        inner.map(lambda e: f"o.call({e})"),
        inner.map(lambda e: f"len({e})"),
        inner.map(lambda e: f"(lambda i, f=f: {e})(1)"),
        pair.map(lambda p: f"[{p[0]} for i in xs if {p[1]}]"),
        pair.map(lambda p: f"{{i: {p[0]} for i, _ in enumerate(xs) if not {p[1]}}}"),
        inner.map(lambda e: f"(w := {e})"),
        inner.map(lambda e: f"f'{{{e}!s:>3}}'" if "'" not in e else e),
        pair.map(lambda p: f"({p[0]}, {p[1]})"),
        pair.map(lambda p: f"{p[0]} % ({p[1]},)"),
    )


EXPRESSIONS = st.recursive(ATOMS, compound, max_leaves=8)


def indented(text):
    return "\n".join(f"    {line}" for line in text.splitlines())


def blocks(inner):
    body = st.lists(inner, min_size=1, max_size=3).map(lambda lines: indented("\n".join(lines)))
    tested = st.tuples(EXPRESSIONS, body, body)
    return st.one_of(
        tested.map(lambda p: f"if {p[0]}:\n{p[1]}\nelse:\n{p[2]}"),
        tested.map(lambda p: f"while not {p[0]}:\n{p[1]}\n    break\nelse:\n{p[2]}"),
        tested.map(lambda p: f"for i in {p[0]}:\n{p[1]}\n    if i: break\n{indented(p[2])}"),
        tested.map(lambda p: f"try:\n{p[1]}\nexcept (TypeError, {p[0]}):\n{p[2]}"),
        tested.map(lambda p: f"try:\n{p[1]}\nexcept Exception as e:\n    log(type(e))\n{p[2]}"),
        body.map(lambda b: f"def h(x=xs, *r, k=None, **kw):\n    nonlocal a\n{b}\nlog(h(1))"),
        body.map(lambda b: f"class C:\n{b}\nlog(sorted(n for n in vars(C) if n < '_'))"),
        body.map(lambda b: f"def g(a, xs=xs):\n{b}\n    yield a\nlog(list(g(b)))"),
        tested.map(
            lambda p: (
                f"match {p[0]}:\n    case True | [False, *_]:\n{indented(p[1])}\n"
                f"    case [x, *_] if x in xs:\n{indented(p[2])}\n    case _: log('other')"
            )
        ),
    )


SIMPLE = st.one_of(
    EXPRESSIONS.map(lambda e: f"log({e})"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda p: f"{p[0]} = {p[1]}"),
    st.tuples(NAMES, EXPRESSIONS, EXPRESSIONS).map(lambda p: f"{p[0]}[{p[1]}] = {p[2]}"),
    st.tuples(NAMES, EXPRESSIONS, EXPRESSIONS).map(lambda p: f"{p[0]}[{p[1]}] += {p[2]}"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda p: f"{p[0]} %= {p[1]}"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda p: f"del {p[0]}[{p[1]}]"),
    st.tuples(EXPRESSIONS, EXPRESSIONS).map(lambda p: f"assert {p[0]}, {p[1]}"),
    EXPRESSIONS.map(lambda e: f"xs.append({e})"),
    EXPRESSIONS.map(lambda e: f"out = []\nout.append({e})\nlog(out)"),
)
STATEMENTS = st.recursive(SIMPLE, blocks, max_leaves=5)
PROGRAMS = st.lists(STATEMENTS, min_size=1, max_size=4).map("\n".join)

FRAME = """
class O:
    def __getitem__(self, index): return index
    def call(self, *args): return args
def double(x=0, *rest, k=0): return x * 2
def main(log):
    a, b, xs, d, s, t, i = 3, -2, [1, 0, 5], {{1: "one", "k": [2]}}, "text %d", (True, 2), 0
    o, f = O(), double
{body}
"""


def run(code):
    """What the program logs, and how it ends."""
    logged = []
    namespace = {"__name__": "program"}
    exec(code, namespace)
    try:
        namespace["main"](lambda *values: logged.append(shown(values)))
    except RecursionError:
        return "recursion"  # where exactly the stack ends, is not for programs to know
    except Exception as error:
        return logged, type(error), shown(error.args), failing_range(error)
    return logged, None


def shown(value, depth=4):
    """A value without addresses, and never deeper than a list that contains itself."""
    if depth == 0:
        return "..."
    if isinstance(value, (list, tuple)):
        return type(value), [shown(item, depth - 1) for item in value[:20]]
    if isinstance(value, dict):
        return [(shown(k, depth - 1), shown(v, depth - 1)) for k, v in value.items()]
    if isinstance(value, (int, float, str, slice, type(None))):
        return re.sub("0x[0-9a-f]+", "0x", repr(value))[:200]
    return getattr(value, "__name__", type(value).__name__)


def failing_range(error):
    traceback = error.__traceback__.tb_next
    while traceback.tb_next and traceback.tb_next.tb_frame.f_code.co_filename == "<program>":
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    if not hasattr(code, "co_positions"):
        return traceback.tb_lineno
    return list(code.co_positions())[traceback.tb_lasti // 2]


@settings(
    max_examples=EXAMPLES,
    derandomize=EXAMPLES == 150,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(PROGRAMS)
def test_random_program_ends_the_same(program):
    source = FRAME.format(body=indented(program))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            plain = compile(ast.parse(source), "<program>", "exec", dont_inherit=True)
        except SyntaxError:
            return  # `nonlocal a` after a use, say
        rewritten = compile_file(source, "<program>").code
    assert run(plain) == run(rewritten)
