"""Random programs end the same plain and rewritten: same values, same exception, same range.

Programs are templates filled with each other. Most of them fail somewhere, which is as good as
success: where and how has to be the same. `PEF_RANDOM_PROGRAMS=20000` looks for longer.
"""

import ast
import os
import re
import sys
import warnings

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, Phase, given, settings
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
    "({e} < {n} <= {e} != {e})",
    "[*xs, {e}]",
    "{{{e}, *({e},)}}",
    "{{**d, {e}: {e}}}",
    "{{v for v in (1, 2, {e}) if v != {e}}}",
    "[v for row in [[{e}], xs] for v in row if v is not {e}]",
    "list(v for v in xs if {e})",
    "[w for v in xs if (w := {e}) and v]",
    "f(*[{e}], **{{'k': {e}}})",
    "(lambda *p, k={e}: (p, k))(*xs)",
    "sorted(xs, key=lambda v: {e})",
    "any({e} for v in xs)",
    "isinstance({e}, (int, str))",
    "d.get({e}, {e})",
    "max({e}, {e})",
    "getattr(o, 'attr', {e})",
    "str({e})",
    "f'{{{e}!r:>{{abs(b)}}}}{{{n}}}'",
    "s[{e}]",
    "xs[{e}:][{e}]",
    "(a, *xs, {e})[{e}]",
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
    "{n}, *i = {e}, {e}, {e}",
    "[a, (b, *t)] = {e}, xs",
    "a = {n} = {e}",
    "{n}: int = {e}",
    "o.attr = {e}",
    "o.attr += {e}",
    "del o.attr",
    "del {n}, a",
    "xs[{e}:{e}] = {e}",
    "a += {e}",
    "t |= {e}",
    "d |= {{{e}: {e}}}",
    "i = {e},",
    "log(*{e}, *xs)",
    "raise ValueError({e})",
    "return {e}",
    "log(w)",
    "import math as i\nlog(i.floor({e}))",
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
    "match {e}:\n case {{'k': i, **t}}:\n{b}\n case O(attr=i) | int(i):\n{b}\n"
    " case (a, b) | [a, b, *_]:\n{b}\n case 'k' | None | -1:\n{b}\n case str() as s if {e}:\n{b}",
    "match d, {e}:\n case ({{1: 'one'}}, i) if {e}:\n{b}\n case _ if {e}:\n{b}",
    "try:\n{b}\nfinally:\n{b}",
    "try:\n{b}\nexcept ValueError:\n{b}\nelse:\n{b}\nfinally:\n    log(a)",
    "try:\n{b}\nexcept LookupError:\n    raise RuntimeError({e}) from None",
    "with Held(log, {e}) as i:\n{b}",
    "with Held(log, 1), Held(log, {e}) as (a, *t):\n{b}",
    "@noted({e})\ndef h(x, /, *, k={e}):\n{b}\n    return x, k\nlog(h(1))",
    "class C(Base):\n    z = {e}\n    def m(self, q={e}):\n        return super().m(q), self.z\n"
    "    @property\n    def p(self): return {e}\n    @classmethod\n    def c(cls, v): return v\n"
    "    def __len__(self): return {e}\n    def __contains__(self, v): return {e}\n"
    "log(C().m(), C().p, C.c({e}), 3 in C(), len(C()))",
    "def counter():\n    a = 0\n    def step(by={e}):\n        nonlocal a\n        a += by\n"
    "        return a\n    return step\nstep = counter()\nlog(step(), step({e}))",
    "def put():\n    global G\n    G = {e}\n    return G\nlog(put(), G)",
    "def g():\n    try:\n        log((yield {e}))\n        yield from {e}\n    finally:\n"
    "        log(b)\nit = g()\nlog(next(it), it.send({e}), list(it))",
    "async def co(v):\n    return v, {e}\nasync def ag():\n    for v in xs:\n"
    "        yield await co(v)\nasync def main_task():\n    async with Awaited(log, {e}) as q:\n"
    "        return [v async for v in ag() if {e}], await co(q)\nlog(drive(main_task()))",
    "for a, *t in [({e}, 1, 2), xs]:\n{b}\n    if a: continue\nelse:\n{b}",
    "n = 0\nwhile (n := n + 1) < 4:\n{b}\n    if {e}: continue",
    "if {e}:\n{b}\nelif {e} < a < {e}:\n{b}",
    "n = 3\nif {e}: n += 1\nelif n > 2: n = 7\nlog(n, a if {e} else n)",
]
if sys.version_info >= (3, 11):
    BLOCKS.append(
        "try:\n    raise ExceptionGroup('g', [ValueError({e}), KeyError({e})])\n"
        "except* ValueError as e:\n    log(len(e.exceptions))\n{b}\nexcept* LookupError:\n{b}"
    )
if sys.version_info >= (3, 12):
    BLOCKS.append("def h[T](x: T) -> T:\n{b}\n    return x\ntype A = int\nlog(h({e}), A.__value__)")


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
    attr = 5
class Base:
    def m(self, q=None): return q, 'base'
class Held:
    def __init__(self, log, held): self.log, self.held = log, held
    def __enter__(self): return self.held
    def __exit__(self, kind, *rest):
        self.log('left', kind and kind.__name__)
        return kind is KeyError
class Awaited(Held):
    async def __aenter__(self): return self.held
    async def __aexit__(self, *rest): return self.__exit__(*rest)
def noted(note):
    def around(function):
        def inner(*args, **named): return note, function(*args, **named)
        return inner
    return around
def drive(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    return 'suspended'
G = 1
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
        returned = namespace["main"](lambda *values: logged.append(shown(values)))
    except RecursionError:
        return "recursion"  # where exactly the stack ends, is not for programs to know
    except Exception as error:
        return logged, type(error), shown(error.args), failing_range(error)
    return logged, shown(returned)


def shown(value, depth=4):
    """A value without addresses, and never deeper than a list that contains itself."""
    if depth == 0:
        return "..."
    if isinstance(value, (list, tuple)):
        return type(value), [shown(item, depth - 1) for item in value[:20]]
    if isinstance(value, (set, frozenset)):
        return sorted(str(shown(item, depth - 1)) for item in value)
    if isinstance(value, dict):
        return [(shown(k, depth - 1), shown(v, depth - 1)) for k, v in value.items()]
    if isinstance(value, (int, float, str, slice, type(None))):
        return re.sub("0x[0-9a-f]+", "0x", repr(value))[:200]
    return getattr(value, "__name__", type(value).__name__)


def failing_range(error):
    traceback = error.__traceback__.tb_next
    if traceback is None:
        return None  # a group put together from what handlers raised
    while traceback.tb_next and traceback.tb_next.tb_frame.f_code.co_filename == "<program>":
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    # In comprehensions, CPython 3.11 blames an unhashable item on what was compiled before it.
    if not hasattr(code, "co_positions") or "unhashable" in str(error):
        return traceback.tb_lineno
    return list(code.co_positions())[traceback.tb_lasti // 2]


@settings(
    max_examples=EXAMPLES,
    derandomize=EXAMPLES == 150,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
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
        rewritten = [compile_file(source, "<program>", merging=each).code for each in (False, True)]
    expected = run(plain)
    assert [run(each) for each in rewritten] == [expected, expected]
