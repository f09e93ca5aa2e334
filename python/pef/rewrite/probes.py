"""Branch coverage: which way every test of a file went, symbolic or not.

Only when coverage is asked for, each test is wrapped in a probe, `if __pef_probe__(7, test):`. The
probe asks for the truth where the test stands, notes it, and hands it on. Probes are numbered over
all files of an exploration.
"""

from __future__ import annotations

import ast
from typing import TypeVar

from pef.records import record

PROBE = "__pef_probe__"

_Tested = TypeVar("_Tested", ast.If, ast.While, ast.IfExp)


@record(frozen=True)
class Probe:
    """A test. `column` counts from 1, `scope` is the qualified name of the function around it."""

    file: str
    line: int
    column: int
    scope: str


class Probes:
    """Numbers the tests of some files and puts probes around them."""

    def __init__(self) -> None:
        self.all: list[Probe] = []

    def insert(self, tree: ast.Module, file: str) -> ast.Module:
        """The tree with its tests probed, in place."""
        changed = _Inserter(self, file).visit(tree)
        assert isinstance(changed, ast.Module)
        return changed


class _Inserter(ast.NodeTransformer):
    def __init__(self, probes: Probes, file: str) -> None:
        self._probes = probes
        self._file = file
        self._scope: list[str] = []

    def _scoped(self, node: ast.AST, name: str) -> ast.AST:
        self._scope.append(name)
        self.generic_visit(node)
        self._scope.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._scoped(node, node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._scoped(node, node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._scoped(node, node.name)

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._tested(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._tested(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._tested(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs = [self._probed(test) for test in node.ifs]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        self.generic_visit(node)
        if node.guard is not None:
            node.guard = self._probed(node.guard)
        return node

    def _tested(self, node: _Tested) -> _Tested:
        self.generic_visit(node)
        node.test = self._probed(node.test)
        return node

    def _probed(self, test: ast.expr) -> ast.expr:
        """A constant test has only one way to go."""
        if isinstance(test, ast.Constant):
            return test
        number = len(self._probes.all)
        scope = ".".join(self._scope)
        self._probes.all.append(Probe(self._file, test.lineno, test.col_offset + 1, scope))
        call = ast.Call(
            func=ast.Name(id=PROBE, ctx=ast.Load()),
            args=[ast.Constant(value=number), test],
            keywords=[],
        )
        for part in (call, call.func, call.args[0]):
            ast.copy_location(part, test)
        return call
