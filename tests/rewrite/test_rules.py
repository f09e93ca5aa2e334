"""What each rule makes of a piece of source, and what it leaves alone."""

import ast
import sys

import pytest

from pef.rewrite.transform import transform_expression, transform_module


def rewritten(source):
    return ast.unparse(transform_module(ast.parse(source)))


def same(source):
    return ast.unparse(ast.parse(source))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f(x)", "__pef_sel__(f)(x)"),
        ("f()", "__pef_sel__(f)()"),
        ("f(*a, k=b, **c)", "__pef_sel__(f)(*a, k=b, **c)"),
        ("o.m(x)", "__pef_sel__(o.m)(x)"),
        ("f(x)(y)", "__pef_sel__(__pef_sel__(f)(x))(y)"),
        ("print(1)", "__pef_sel__(print)(1)"),
        ("a[i]", "__pef_getitem__(a, i)"),
        ("a[-i]", "__pef_getitem__(a, -i)"),
        ("a[i, 1]", "__pef_getitem__(a, (i, 1))"),
        ("a[i:]", "__pef_getslice__(a, i, None, None)"),
        ("a[1:n:2]", "__pef_getslice__(a, 1, n, 2)"),
        ("a[i:j, k]", "__pef_at__(a)[i:j, k]"),
        ("a[i] = x", "__pef_at__(a)[i] = x"),
        ("a[i] += x", "__pef_at__(a)[i] += x"),
        ("a[i:j] = x", "__pef_at__(a)[i:j] = x"),
        ("del a[i]", "del __pef_at__(a)[i]"),
        ("x, a[i] = y", "x, __pef_at__(a)[i] = y"),
        ("for a[i] in b: pass", "for __pef_at__(a)[i] in b:\n    pass"),
        ("with c as a[i]: pass", "with c as __pef_at__(a)[i]:\n    pass"),
        ("a[i]: int = 1", "__pef_at__(a)[i]: int = 1"),
        ("a[i][j] = x", "__pef_at__(__pef_getitem__(a, i))[j] = x"),
        ("x in c", "__pef_in__(x, c)"),
        ("x not in c", "__pef_not_in__(x, c)"),
        ("x in [1, 2]", "__pef_in__(x, (1, 2))"),
        ("x is y", "__pef_is__(x, y)"),
        ("x is not y", "__pef_is_not__(x, y)"),
        ("x is True", "__pef_is__(x, True)"),
        ("y = not x", "y = __pef_not__(x)"),
        ("y = not x in c", "y = __pef_not_in__(x, c)"),
        ("y = not x is None", "y = x is not None"),
        ("y = not x is True", "y = __pef_is_not__(x, True)"),
        ("y = a and not b", "y = a and __pef_not__(b)"),
        ("y = not a and b", "y = not a and b"),
        ("if not x in c: pass", "if not __pef_in__(x, c):\n    pass"),
        ("len(a) % b", "__pef_sel__(len)(a) % b"),
        ("{k: v}", "__pef_dict__(None, k, v)"),
        ("{1: v, k: 2}", "__pef_dict__(None, 1, v, k, 2)"),
        ("{**a}", "__pef_spread__(__pef_dict__(None), a)"),
        ("{k: v, **a, 1: 2}", "__pef_dict__(__pef_spread__(__pef_dict__(None, k, v), a), 1, 2)"),
        ("{a, 1}", "__pef_set__(None, a, 1)"),
        ("{*a, b}", "__pef_set__(__pef_spread__(__pef_set__(None), a), b)"),
        ("{k: v for k in a}", "__pef_entries__({__pef_entry__(k, v): None for k in a})"),
        ("{k for k in a}", "__pef_entries__({__pef_entry__(k) for k in a})"),
        ("def f(a, b, c): return a < b is c", None),
    ],
)
def test_place_is_rewritten(source, expected):
    if expected is None:
        expected = "def f(a, b, c):\n    return a < b and __pef_is__(b, c)"
    assert rewritten(source) == same(expected)


@pytest.mark.parametrize(
    "source",
    [
        "o.m()",
        "o.m(1, 'a', key=(1, 2))",
        "range(3)",
        "super(A, b)",
        "super().__init__()",
        "(lambda x: x)(y)",
        "'text'(x)",
        "a[0]",
        "a[-1]",
        "a['k']",
        "a[1:2]",
        "a[:]",
        "a[1:2, ...]",
        "a[2 ** 3 - 1]",
        "a[0] = x",
        "del a[0]",
        "None[x]",
        "[1][x, y]",
        "{'a': x, 1: y}",
        "{1, 2}",
        "{}",
        "{1: v for v in a}",
        "{1 for v in a}",
        "[v for v in a]",
        "x is None",
        "None is not x",
        "x is ...",
        "x is 5",
        "x is -1",
        "1 in (1, 2)",
        "a < b < c",
        "a is b.c < d",
        "if not x: pass",
        "while not x or not y: pass",
        "assert not x, y",
        "y = a if not b else c",
        "[a for a in b if not a]",
        "if (not a if not b else not c): pass",
        "5 % x",
        "-a % b",
        "(a - b) % c",
        "a % 7",
        "a % (10**9 + 7)",
        "a %= b",
        "def f(x: a[b], *, y: c(d)=1) -> e[f]: pass",
        "x: a[b] = 1",
        "x: a(b)",
        "a[i]: b(c)",
        "from __future__ import annotations",
        "'docstring of (x) and a[i]'",
        "match x:\n case None | 1 | [a, *b] | {'k': c, **d}: pass",
    ],
)
def test_place_is_left_alone(source):
    assert rewritten(source) == same(source)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are new in 3.12")
@pytest.mark.parametrize(
    "source",
    [
        "def f[T: a[b], *S, **P](x: T) -> c[T]: pass",
        "class C[T: (a(b), int)]: pass",
        "type X[T] = dict[T, f(x)]",
    ],
)
def test_type_parameters_are_left_alone(source):
    assert rewritten(source) == same(source)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="starred subscripts are new in 3.11")
def test_starred_index_is_passed_as_a_tuple():
    assert rewritten("a[*b]") == "__pef_getitem__(a, (*b,))"


def test_bool_pattern_becomes_a_class_pattern():
    source = "match x:\n case True | {'k': False}: pass"
    assert "case __pef_True__() | {'k': __pef_False__()}:" in rewritten(source)


@pytest.mark.skipif(sys.version_info >= (3, 11), reason="`%` is a slot of the left operand")
def test_formatting_is_rewritten_where_it_bypasses_the_slot():
    assert rewritten("a % b") == "__pef_mod__(a, b)"
    assert rewritten("'%d' % x") == "__pef_mod__('%d', x)"


def test_module_function_is_selected_even_without_arguments():
    source = "import os, random as r\nos.getcwd()\nr.a.b(1)\n"
    assert rewritten(source).endswith("__pef_sel__(os.getcwd)()\n__pef_sel__(r.a.b)(1)")


def test_set_display_of_a_membership_test_becomes_a_constant():
    tree = transform_expression(ast.parse("x in {1, 2}", mode="eval"))
    container = tree.body.args[1]
    assert isinstance(container, ast.Constant)
    assert container.value == frozenset({1, 2})


def test_lone_expression_takes_no_name_for_known():
    tree = transform_expression(ast.parse("not f(range(3))", mode="eval"))
    expected = "__pef_not__(__pef_sel__(f)(__pef_sel__(range)(3)))"
    assert ast.unparse(tree) == expected


KNOWN = [
    "def f(): pass\nf(x)",
    "def f(): pass\ndef g(): f(x)",
    "def g(): f(x)\ndef f(): pass",
    "async def f(): pass\ndef g(): f(x)",
    "from m import *\ndef f(): pass\nf(x)",
    "def g():\n def f(): pass\n f(x)",
    "def g(c):\n if c:\n  def f(): pass\n f(x)",
    "def f(): pass\nclass C:\n def m(self): f(x)\n def f(self): pass",
    "def f(): pass\n[f(x) for y in z]",
    "def g():\n out = []\n out.append(x)",
    "def g():\n out: list[int] = []\n out += [1]\n out.append(x)",
    "def g():\n out = []\n def h(): out.append(x)",
    "def g():\n out = [a for a in b]\n out.sort(key=lambda a: a, reverse=True)",
    "def g():\n a = b = [1]\n b.count(x); a.remove(x)",
]

UNKNOWN = [
    "f(x)",
    "f(x)\ndef f(): pass",
    "if c:\n def f(): pass\nf(x)",
    "@d\ndef f(): pass\nf(x)",
    "def f(): pass\nf = 1\nf(x)",
    "def f(): pass\ndef f(): pass\nf(x)",
    "def f(): pass\ndel f\nf(x)",
    "def f(): pass\ndef g():\n global f\n f = 1\nf(x)",
    "def f(): pass\nfrom m import *\nf(x)",
    "def f(): pass\nimport f\nf(x)",
    "def f(): pass\nfor f in y: pass\nf(x)",
    "def f(): pass\nwith y as f: pass\nf(x)",
    "def f(): pass\ntry: pass\nexcept E as f: pass\nf(x)",
    "def f(): pass\n(f := 1)\nf(x)",
    "def f(): pass\n[(f := y) for y in z]\nf(x)",
    "def f(): pass\nmatch y:\n case [*f]: pass\nf(x)",
    "def f(): pass\nmatch y:\n case {**f}: pass\nf(x)",
    "def f(): pass\nmatch y:\n case 1 as f: pass\nf(x)",
    "def f(): pass\nglobals()['f'] = 1\nf(x)",
    "def f(): pass\nexec(s)\nf(x)",
    "def f(): pass\ndef g(f): f(x)",
    "def f(): pass\nlambda f: f(x)",
    "def f(): pass\n[f(x) for f in z]",
    "def f(): pass\ndef g():\n f(x)\n f = 1",
    "def f(): pass\ndef g():\n f = 1\n def h(): f(x)",
    "def f(): pass\nclass C:\n f = 1\n f(x)",
    "class C:\n def f(): pass\n f(x)",
    "def __f(): pass\nclass C:\n def m(self): __f(x)",
    "def g():\n def f(): pass\n def h():\n  nonlocal f\n  f = 1\n f(x)",
    "out = []\nout.append(x)",
    "def g(out):\n out.append(x)",
    "def g():\n out = []\n out.insert(x, 1)",
    "def g():\n out = []\n out.pop(x)",
    "def g():\n out = []\n out.sort(key=x)",
    "def g():\n out = []\n out += y\n out.append(x)",
    "def g():\n out = []\n out = y\n out.append(x)",
    "def g():\n out = []\n for out in y: pass\n out.append(x)",
    "def g():\n out = []\n def h():\n  nonlocal out\n  out = 1\n out.append(x)",
    "def g():\n out = {1}\n out.add(x)",
    "def g():\n global out\n out = []\n out.append(x)",
]


@pytest.mark.parametrize("source", KNOWN)
def test_call_of_something_known_is_direct(source):
    assert "__pef_sel__" not in rewritten(source)


@pytest.mark.parametrize("source", UNKNOWN)
def test_call_of_something_uncertain_is_selected(source):
    assert "__pef_sel__" in rewritten(source)


def test_shadowed_builtin_type_is_selected():
    assert "__pef_sel__(range)" in rewritten("from m import range\nrange(3)")
    assert "__pef_sel__(range)" in rewritten("from m import *\nrange(3)")


def test_deeply_nested_expression_is_rewritten():
    source = " + ".join(["f(x)"] * 1500)
    tree = transform_module(ast.parse(source))
    assert sum(isinstance(node, ast.Call) for node in ast.walk(tree)) == 3000
