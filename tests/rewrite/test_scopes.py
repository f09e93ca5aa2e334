"""The scopes of a file agree with CPython's own symbol table."""

import ast
import inspect
import symtable
import sys

import pytest

from pef.rewrite.scopes import Kind, Scope, Scopes

FILES = ["argparse", "ast", "asyncio.base_events", "dataclasses", "enum", "functools", "inspect"]
FILES += ["statistics", "textwrap", "turtle", "typing", "unittest.mock", "zipfile"]

PROGRAM = """
import os.path as p, sys
from m import a as b
x = 1
class C(base := object):
    x = x
    __private = [y for y in x]
    def method(self, /, a, *args, k=x, **kw):
        global g, __mangled
        g = __mangled = x
        def inner():
            nonlocal a
            a = lambda z=x: z + a + self + __private
            try: pass
            except E as error: print(error)
            return [q for q in args if (w := q) for r in q], w
        for i, (j, *rest) in kw: pass
        with k as (m, n): del m
        match i:
            case [s, *t] | {"k": s, **t}: pass
            case str() as u: v: int
        return __class__, inner, __private
    async def other(self): return {c: d async for c, d in self}
"""


def find_source(name):
    module = __import__(name, fromlist=["x"])
    return inspect.getsource(module)


@pytest.mark.parametrize("name", FILES)
def test_standard_library_resolves_like_symtable(name):
    compare(find_source(name))


def test_every_binding_form_resolves_like_symtable():
    assert compare(PROGRAM) > 40


def compare(source):
    """Checks every name of every scope; returns how many there were."""
    tree = ast.parse(source)
    ours = group(scopes_of(tree), key=lambda item: item[0])
    table = symtable.symtable(source, "<file>", "exec")
    tables = [table, *nested_tables(table)]
    theirs = group(tables, key=lambda t: (t.get_type(), t.get_lineno(), t.get_name()))
    checked = 0
    for key, [(_, scope), *others] in ours.items():
        # Two lambdas on one line cannot be told apart in the symbol table.
        if not others and len(theirs.get(key, ())) == 1:
            checked += compare_scope(scope, theirs[key][0])
    return checked


def group(items, key):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def nested_tables(table):
    for child in table.get_children():
        yield child
        yield from nested_tables(child)


NAMES = {
    ast.Lambda: "lambda",
    ast.ListComp: "listcomp",
    ast.SetComp: "setcomp",
    ast.DictComp: "dictcomp",
    ast.GeneratorExp: "genexpr",
}


def scopes_of(tree):
    scopes = Scopes(tree)
    yield ("module", 0, "top"), scopes.module
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield ("function", node.lineno, node.name), scopes.opened_by(node, Kind.FUNCTION)
        elif isinstance(node, ast.ClassDef):
            yield ("class", node.lineno, node.name), scopes.opened_by(node, Kind.CLASS)
        elif type(node) in NAMES and is_evaluated(node, scopes):
            kind = Kind.FUNCTION if isinstance(node, ast.Lambda) else Kind.COMPREHENSION
            yield ("function", node.lineno, NAMES[type(node)]), scopes.opened_by(node, kind)


def is_evaluated(node, scopes):
    return any(key[0] == id(node) for key in scopes._opened)


def compare_scope(scope: Scope, table) -> int:
    names = 0
    for symbol in table.get_symbols():
        name = symbol.get_name()
        if name.startswith(".") or name == "__class__":
            continue
        owner = scope.owner(name)
        where = f"{name} in {table.get_name()}, line {table.get_lineno()}"
        if symbol.is_local() and not symbol.is_global():
            if owner is not scope and sys.version_info >= (3, 12):
                continue  # the variable of a comprehension that the compiler inlines here
            assert owner is scope, where
        elif symbol.is_free():
            assert owner is not None and owner is not scope and owner.kind is not Kind.MODULE, where
        elif symbol.is_global():
            assert owner is None or owner.kind is Kind.MODULE, where
        names += 1
    return names
