"""Names every branch of a file, so that a decision can say which `if` it belongs to.

A native value asked for its truth knows only the instruction that asked. Since CPython 3.12 a jump
carries the range of the *operand* it looks at: in `while not a or b:` one jump at `a`, one at `b`.
In 3.11 it often carries the range of the statement, so the range is taken from the instruction
that pushed the operand. 3.10 keeps no columns at all; there the line has to do, and the test that
decides a statement wins over its operands.

Positions are those of `ast`: lines from 1, columns from 0, counted in UTF-8 bytes. Reports that
speak to an editor convert at their own edge.
"""

# ruff: noqa: N815  (the visitor names are those of `ast`)
from __future__ import annotations

import ast
import opcode
import sys
from itertools import islice
from types import CodeType
from typing import Literal, cast

from pef.records import NamedTuple, record
from pef.rewrite.places import Place, place_of
from pef.rewrite.scopes import ComprehensionNode

SiteKind = Literal[
    "if",
    "while",
    "and",
    "or",
    "ifexp",
    "assert",
    "comprehension-if",
    "match-guard",
    "match-case",
    "for",
    "with",
    "compare-chain",
    "not",
    "truth",
]

_BY_LINE: tuple[SiteKind, ...] = (
    *("if", "while", "assert", "match-case", "match-guard", "ifexp", "comprehension-if"),
    *("compare-chain", "and", "or", "not", "for", "with", "truth"),
)
"""Which of several tests on one line a decision is said to belong to, if columns are unknown."""


_DECIDING: dict[type[ast.AST], SiteKind] = {
    ast.If: "if",
    ast.While: "while",
    ast.Assert: "assert",
    ast.IfExp: "ifexp",
}


@record(frozen=True)
class BranchSite:
    """One place that asks for a truth.

    An operand of `and` or `or` that is followed by another one has the operator as its kind; the
    last operand decides the whole test and has the kind of that. `not` is transparent in a test.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    kind: SiteKind
    scope: str

    @property
    def located(self) -> Located:
        """The start of the range, with the kind."""
        return Located(self.kind, self.line, self.column)

    def contains(self, line: int, column: int, end_line: int, end_column: int) -> bool:
        """Whether the given range lies within this one."""
        starts_before = (self.line, self.column) <= (line, column)
        return starts_before and (end_line, end_column) <= (self.end_line, self.end_column)


class Located(NamedTuple):
    """Where and what the branch of an instruction is."""

    kind: SiteKind
    line: int
    column: int


def branch_sites(tree: ast.Module) -> list[BranchSite]:
    """Every test of the file, in source order.

    >>> [(s.line, s.column, s.kind) for s in branch_sites(ast.parse("if a and b: pass"))]
    [(1, 3, 'and'), (1, 9, 'if')]
    """
    sites = dict.fromkeys(SiteIndex(tree).sites)
    return sorted(sites, key=lambda site: (site.line, site.column, _extent(site)))


class SiteIndex:
    """Finds the branch of an instruction from the instruction's source range.

    Built from the tree as parsed; rewriting keeps ranges, so it serves both.
    """

    def __init__(self, tree: ast.Module | ast.Expression) -> None:
        collector = _Collector()
        collector.visit(tree)
        self.sites: list[BranchSite] = collector.sites
        self._exact = collector.exact

    def at(self, code: CodeType, offset: int) -> Located:
        """The branch of the instruction at `offset` (`f_lasti`) of `code`."""
        return self.lookup(*_asked_range(code, offset))

    def lookup(
        self, line: int, column: int | None, end_line: int | None, end_column: int | None
    ) -> Located:
        """The test with exactly this range, else the innermost test around it, else "truth"."""
        if column is None or end_line is None or end_column is None:
            return self._on_line(line)
        exact = self._exact.get(Place(line, column, end_line, end_column))
        if exact is not None:
            return exact.located
        around = [site for site in self.sites if site.contains(line, column, end_line, end_column)]
        return min(around, key=_extent).located if around else Located("truth", line, column)

    def _on_line(self, line: int) -> Located:
        here = [site for site in self.sites if site.line == line]
        if here:
            return min(here, key=lambda site: _BY_LINE.index(site.kind)).located
        around = [site for site in self.sites if site.line <= line <= site.end_line]
        return min(around, key=_extent).located if around else Located("truth", line, 0)


def _extent(site: BranchSite) -> tuple[int, int]:
    return site.end_line - site.line, site.end_column - site.column


if sys.version_info >= (3, 11):

    def _asked_range(code: CodeType, offset: int) -> tuple[int, int | None, int | None, int | None]:
        unit = offset // 2
        if sys.version_info < (3, 12):
            unit = _unit_asked_about(code.co_code, unit)
        position = next(islice(code.co_positions(), unit, None), (None, None, None, None))
        line, end_line, column, end_column = position
        return line or code.co_firstlineno, column, end_line, end_column

else:

    def _asked_range(code: CodeType, offset: int) -> tuple[int, int | None, int | None, int | None]:
        for start, end, line in code.co_lines():
            if start <= offset < end and line is not None:
                return line, None, None, None
        return code.co_firstlineno, None, None, None


def _unit_asked_about(bytecode: bytes, unit: int) -> int:
    """The code unit that pushed what the jump at `unit` looks at; `unit` itself if no jump."""
    if not opcode.opname[bytecode[2 * unit]].startswith("POP_JUMP"):
        return unit
    passive = {opcode.opmap[name] for name in ("CACHE", "EXTENDED_ARG", "NOP")}
    pushed = unit - 1
    while pushed > 0 and bytecode[2 * pushed] in passive:
        pushed -= 1
    return pushed


class _Collector(ast.NodeVisitor):
    def __init__(self) -> None:
        self.sites: list[BranchSite] = []
        self.exact: dict[Place, BranchSite] = {}
        self._scope: list[str] = []

    def _add(self, node: ast.expr | ast.pattern, kind: SiteKind) -> BranchSite:
        place = place_of(node)
        site = BranchSite(
            place.line,
            place.column,
            place.end_line or place.line,
            place.end_column or place.column,
            kind,
            ".".join(self._scope),
        )
        self.sites.append(site)
        self.exact.setdefault(place, site)
        return site

    # Tests.

    def _test(self, node: ast.expr, kind: SiteKind) -> BranchSite:
        """Records what the compiler's jumps look at as it takes a test apart; returns the last."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return self._test(node.operand, kind)
            case ast.BoolOp():
                *followed, last = node.values
                for value in followed:
                    self._test(value, _operator(node))
                return self._test(last, kind)
            case ast.IfExp():
                self._test(node.test, "ifexp")
                self._test(node.body, kind)
                return self._test(node.orelse, kind)
            case ast.Compare(ops=[_, _, *_]):
                site = self._add(node, "compare-chain")
                self.generic_visit(node)
            case _:
                site = self._add(node, kind)
                self.visit(node)
        return site

    def _deciding_test(self, node: ast.If | ast.While | ast.Assert | ast.IfExp) -> None:
        """Records the test of `node`; CPython 3.11 may report it at the range of all of `node`."""
        site = self._test(node.test, _DECIDING[type(node)])
        self.exact.setdefault(place_of(node), site)

    def _visit_branch(self, node: ast.If | ast.While) -> None:
        self._deciding_test(node)
        self._each([*node.body, *node.orelse])

    visit_If = _visit_branch
    visit_While = _visit_branch

    def visit_Assert(self, node: ast.Assert) -> None:
        self._deciding_test(node)
        if node.msg is not None:
            self.visit(node.msg)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._deciding_test(node)
        self._each([node.body, node.orelse])

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        # As a value, `a and b` asks for `a` at the range of the whole expression.
        self._add(node, _operator(node))
        self._each(node.values)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) > 1:
            self._add(node, "compare-chain")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add(node, "not")
        self.generic_visit(node)

    # Loops, `with` and `match`. Up to CPython 3.12 their jumps have the range of the statement.

    def _visit_for(self, node: ast.For | ast.AsyncFor) -> None:
        self.exact.setdefault(place_of(node), self._add(node.iter, "for"))
        self.generic_visit(node)

    visit_For = _visit_for
    visit_AsyncFor = _visit_for

    def _visit_comprehension(self, node: ComprehensionNode) -> None:
        for generator in node.generators:
            self.exact.setdefault(place_of(node), self._add(generator.iter, "for"))
            self._each([generator.iter, generator.target])
            for test in generator.ifs:
                self._test(test, "comprehension-if")
        self._each([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])

    visit_ListComp = _visit_comprehension
    visit_SetComp = _visit_comprehension
    visit_DictComp = _visit_comprehension
    visit_GeneratorExp = _visit_comprehension

    def _visit_with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.exact.setdefault(place_of(node), self._add(item.context_expr, "with"))
        self.generic_visit(node)

    visit_With = _visit_with
    visit_AsyncWith = _visit_with

    def visit_match_case(self, node: ast.match_case) -> None:
        self._patterns(node.pattern)
        if node.guard is not None:
            self._test(node.guard, "match-guard")
        self._each(node.body)

    def _patterns(self, node: ast.pattern) -> None:
        self._add(node, "match-case")
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.pattern):
                self._patterns(part)

    # Scopes, by qualified name.

    def _named(self, name: str, body: list[ast.stmt]) -> None:
        self._scope.append(name)
        self._each(body)
        self._scope.pop()

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outside = [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]
        self._each([part for part in outside if part is not None])
        self._named(node.name, node.body)

    visit_FunctionDef = _visit_function
    visit_AsyncFunctionDef = _visit_function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._each([*node.decorator_list, *node.bases, *node.keywords])
        self._named(node.name, node.body)

    def _each(self, nodes: object) -> None:
        for node in cast("list[ast.AST]", nodes):
            self.visit(node)


def _operator(node: ast.BoolOp) -> SiteKind:
    return "and" if isinstance(node.op, ast.And) else "or"
