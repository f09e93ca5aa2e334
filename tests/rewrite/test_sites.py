"""The instruction that asks for a truth leads back to the test it belongs to."""

import ast
import dis
import sys

import pytest

from pef.rewrite.compiling import compile_file, nested_codes
from pef.rewrite.sites import SiteIndex, branch_sites

# One statement per line; each is followed by the tests that its instructions must lead to.
STATEMENTS = [
    ("if a: g()", {("if", "a")}),
    ("if a > 1: g()", {("if", "a > 1")}),
    ("if not a: g()", {("if", "a")}),
    ("if g(a): g()", {("if", "g(a)")}),
    ("if a in xs: g()", {("if", "a in xs")}),
    ("if xs[a]: g()", {("if", "xs[a]")}),
    ("if a is True: g()", {("if", "a is True")}),
    ("if a and b: g()", {("and", "a"), ("if", "b")}),
    ("if a > 1 and b: g()", {("and", "a > 1"), ("if", "b")}),
    ("if a and b > 1: g()", {("and", "a"), ("if", "b > 1")}),
    ("if not (a or g(b)) and c: g()", {("or", "a"), ("and", "g(b)"), ("if", "c")}),
    ("if a < b < c: g()", {("compare-chain", "a < b < c")}),
    ("if a < b is c: g()", {("compare-chain", "a < b is c")}),
    ("while not a or b: g()", {("or", "a"), ("while", "b")}),
    ("while xs[a]: g()", {("while", "xs[a]")}),
    ("y = [q for q in xs if q]", {("comprehension-if", "q")}),
    (
        "y = [q for q in xs if q > 1 if not q]",
        {("comprehension-if", "q > 1"), ("comprehension-if", "q")},
    ),
    ("y = {q: 1 for q in xs if q and a}", {("and", "q"), ("comprehension-if", "a")}),
    ("y = a and b", {("and", "a and b")}),
    ("y = a or b > 1 and c", {("or", "a or b > 1 and c"), ("and", "b > 1 and c")}),
    ("y = a < b < c", {("compare-chain", "a < b < c")}),
    ("y = a if b else c", {("ifexp", "b")}),
    ("y = 1, (a if not xs[b] else c)", {("ifexp", "xs[b]")}),
    ("if (a if b else c): g()", {("ifexp", "b"), ("if", "a"), ("if", "c")}),
    ("assert a, b", {("assert", "a")}),
    ("assert a and b > 1", {("and", "a"), ("assert", "b > 1")}),
    ("y = b and not a and c", {("and", "b and not a and c"), ("not", "not a")}),
    ("g(lambda: a and b)", {("and", "a and b")}),
    ("é = 'ü'; y = a if b else c", {("ifexp", "b")}),
]

MATCH = """\
def f(a, b):
    match a:
        case 5 if b:
            g()
        case [1, _] if b and a > 1:
            g()
        case True | 7:
            g()
        case {"k": "v"}:
            g()
"""


def asked_about(source):
    """(kind, text) of every test that an instruction of the rewritten source leads to."""
    compiled = compile_file(source, "<sites>")
    lines = [line.encode() for line in source.splitlines()]
    texts = {
        (site.line, site.column): lines[site.line - 1][site.column : site.end_column].decode()
        for site in reversed(branch_sites(ast.parse(source)))
    }
    for code in nested_codes(compiled.code):
        for offset in truth_asking(code):
            kind, line, column = compiled.sites.at(code, offset)
            yield kind, line, texts.get((line, column))


def truth_asking(code):
    previous = ""
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        is_about_exception = previous in ("CHECK_EXC_MATCH", "CHECK_EG_MATCH")
        previous = name
        if name.endswith("NONE") or is_about_exception:
            continue
        if name in ("UNARY_NOT", "TO_BOOL"):
            yield instruction.offset
        elif name == "COMPARE_OP" and "bool(" in instruction.argrepr:
            yield instruction.offset
        elif "JUMP_IF" in name or "_IF_" in name:
            if sys.version_info < (3, 13):  # since then, a jump only sees real bools
                yield instruction.offset


@pytest.mark.parametrize(("statement", "expected"), STATEMENTS)
def test_instruction_leads_to_its_test(statement, expected):
    found = set(asked_about(f"def f(a, b, c, xs):\n    {statement}\n"))
    assert found, "nothing asks for a truth"
    if sys.version_info >= (3, 11):
        assert {(kind, text) for kind, _, text in found} == expected
    else:
        assert {kind for kind, _, _ in found} <= {kind for kind, _ in expected}


def test_patterns_and_guards_are_told_apart():
    found = {(line, kind) for kind, line, _ in asked_about(MATCH)}
    expected = {(3, "match-case"), (3, "match-guard"), (5, "match-case"), (5, "and")}
    expected |= {(5, "match-guard"), (7, "match-case"), (9, "match-case")}
    if sys.version_info < (3, 11):
        expected = {(line, kind) for line, kind in expected if kind == "match-case"}
    assert found == expected


@pytest.mark.skipif(sys.version_info < (3, 11), reason="3.10 has no columns")
def test_every_test_of_the_standard_library_is_known():
    """No instruction of real code that asks for a truth is left nameless."""
    import argparse
    import inspect

    source = inspect.getsource(argparse)
    found = list(asked_about(source))
    assert len(found) > 200
    assert not [line for kind, line, _ in found if kind == "truth"]


def test_loop_is_found_from_its_iteration_instruction():
    source = "def f(xs):\n    for x in xs:\n        g(x)\n    return {y for y in xs}\n"
    compiled = compile_file(source, "<sites>")
    found = set()
    for code in nested_codes(compiled.code):
        for instruction in dis.get_instructions(code):
            if instruction.opname == "FOR_ITER":
                found.add(compiled.sites.at(code, instruction.offset)[:2])
    assert found == {("for", 2), ("for", 4)}


def test_range_inside_a_test_belongs_to_the_innermost_one():
    index = SiteIndex(ast.parse("if any(p for p in q if r(p)): pass"))
    assert index.lookup(1, 25, 1, 26) == ("comprehension-if", 1, 23)
    assert index.lookup(1, 3, 1, 6) == ("if", 1, 3)


def test_range_outside_any_test_is_a_plain_truth():
    index = SiteIndex(ast.parse("x = sorted(y)\nif z: pass"))
    assert index.lookup(1, 4, 1, 13) == ("truth", 1, 4)


def test_range_of_a_whole_statement_leads_to_its_test():
    """CPython 3.11 puts it on the jump of a test that is no comparison."""
    index = SiteIndex(ast.parse("if p and q[r or s]: pass\nx = a if b else c"))
    assert index.lookup(1, 0, 1, 24) == ("if", 1, 9)
    assert index.lookup(2, 4, 2, 17) == ("ifexp", 2, 9)


def test_without_columns_the_statement_wins_over_its_operands():
    index = SiteIndex(ast.parse("x = [a for a in b if a or c]\nif p and q: pass\ny = 1"))
    assert index.lookup(2, None, None, None) == ("if", 2, 9)
    assert index.lookup(1, None, None, None) == ("comprehension-if", 1, 26)
    assert index.lookup(3, None, None, None) == ("truth", 3, 0)


def test_sites_come_in_source_order_with_their_scope():
    source = "class C:\n    def m(self):\n        while a or b: pass\nif c: pass"
    sites = [(s.line, s.column, s.kind, s.scope) for s in branch_sites(ast.parse(source))]
    assert sites == [(3, 14, "or", "C.m"), (3, 19, "while", "C.m"), (4, 3, "if", "")]
