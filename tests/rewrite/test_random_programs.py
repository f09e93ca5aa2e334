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

NAMES = ["a", "b", "xs", "d", "s", "o", "t", "f", "i"]
ATOMS = [*NAMES, "0", "1", "-1", "7", "True", "False", "None", "'k'", "'%s'", "'%d %s'", "()", "[]"]
OPERATORS = ["+", "-", "*", "%", "//", "<", "==", ">=", "is", "is not", "in", "not in"]

# {e} an expression, {n} a name, {op} an operator, {b} an indented block.
EXPRESSIONS = [
    "({e} {op} {e})",
    "({e} {op} {n} {op} {e})",
    "(not {e})",
    "({e} and {e})",
    "({e} or not {e})",
    "({e} if {e} else {e})",
    "{n}[{e}]",
    "({e})[{e}:{e}]",
    "o[{e}:{e}, {e}]",
    "{n}({e})",
    "f({e}, k={e})",
    "o.call({e})",
    "o.call(*{e})",
    "len({e})",
    "(lambda i, f=f: {e})(1)",
    "[{e} for i in xs if {e}]",
    "{{i: {e} for i, _ in enumerate(xs) if not {e}}}",
    "(w := {e})",
    'f"{{{n}!s:>3}} {{{n}=}}"',
    "({e}, {e})",
    "{e} % ({e},)",
]
STATEMENTS = [
    "log({e})",
    "{n} = {e}",
    "{n}[{e}] = {e}",
    "{n}[{e}] += {e}",
    "{n} %= {e}",
    "del {n}[{e}]",
    "assert {e}, {e}",
    "xs.append({e})",
    "out = []\nout.append({e})\nlog(out)",
]
BLOCKS = [
    "if {e}:\n{b}\nelse:\n{b}",
    "while not {e}:\n{b}\n    break\nelse:\n{b}",
    "for i, _ in zip({e}, range(4)):\n{b}\n    if i: break",
    "try:\n{b}\nexcept (TypeError, {e}):\n{b}",
    "try:\n{b}\nexcept Exception as e:\n    log(type(e))\n{b}",
    "def h(x=xs, *r, k=None, **kw):\n    nonlocal a\n{b}\nlog(h(1))",
    "class C:\n{b}\nlog(sorted(n for n in vars(C) if n < '_'))",
    "def g(a, xs=xs):\n{b}\n    yield a\nlog(list(g(b)))",
    "match {e}:\n case True | [False, *_]:\n{b}\n case [x, *_] if x in xs:\n{b}\n case _: log(1)",
]


@st.composite
def programs(draw):
    def choose(options):
        return draw(st.sampled_from(options))

    def fill(template, depth):
        parts = {
            "{e}": lambda: expression(depth - 1),
            "{n}": lambda: choose(NAMES),
            "{op}": lambda: choose(OPERATORS),
            "{b}": lambda: block(depth - 1),
        }
        filled = re.sub(r"\{(e|n|op|b)\}", lambda hole: parts[hole[0]](), template)
        return filled.replace("{{", "{").replace("}}", "}")

    def expression(depth):
        return (
            fill(choose(EXPRESSIONS), depth)
            if depth > 0 and choose([True, False])
            else choose(ATOMS)
        )

    def block(depth):
        lines = [statement(depth) for _ in range(choose([1, 2]))]
        return indented("\n".join(lines))

    def statement(depth):
        compound = depth > 0 and choose([True, False])
        return fill(choose(BLOCKS), depth) if compound else fill(choose(STATEMENTS), 3)

    return "\n".join(statement(2) for _ in range(choose([1, 2, 3, 4])))


def indented(text):
    return "\n".join(f"    {line}" for line in text.splitlines())


FRAME = """
class O:
    __iter__ = __contains__ = None  # else `[]` alone would make it an endless sequence
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
@given(programs())
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
