"""Which names a clause uses, and what each means at the moment the clause runs.

In an `:ensure:` the name of a parameter means its value at entry, `final(x)` its value at exit and
`old(expr)` a value computed at entry; other notations have other words for it. After this room an
expression contains only plain names, each standing for one value that is handed to it; nothing here
compiles or evaluates.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from pef.contracts.errors import ContractError, did_you_mean
from pef.contracts.form import RESULT, ClauseKind
from pef.contracts.notation import Notation
from pef.contracts.placed import SourceText
from pef.contracts.scope import Scope
from pef.records import field, record

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def live_name(parameter: str) -> str:
    """The name under which a clause receives the parameter's object as it is at exit."""
    return f"__pef_final_{parameter}__"


@record
class Resolved:
    """A clause's expression over plain names, the names it takes, and its hoisted `old`s."""

    node: ast.expr
    takes: dict[str, None]
    olds: list[tuple[str, Resolved]] = field(default_factory=list)


def resolve_names(
    node: ast.expr, kind: ClauseKind, notation: Notation, scope: Scope, source: SourceText
) -> Resolved:
    """Checks every name of the expression and gives each its meaning; may change the tree."""
    return _Resolver(kind, notation, scope, source).resolve(node)


class _Resolver(ast.NodeTransformer):
    """One walk over an expression, with the names bound inside it (lambda, for, :=) in view.

    `later` is None, or, inside `old(...)`, the names bound around it: they do not exist at entry.
    """

    def __init__(
        self,
        kind: ClauseKind,
        notation: Notation,
        scope: Scope,
        source: SourceText,
        later: frozenset[str] | None = None,
    ) -> None:
        self._promises = kind is ClauseKind.ENSURE
        self._before = kind is ClauseKind.ASSUME
        self._notation = notation
        self._keyword = notation.keyword(kind)
        self._scope = scope
        self._source = source
        self._later = later
        self._bound: frozenset[str] = frozenset()
        self._in_final = False
        self._takes: dict[str, None] = {}
        self._olds: list[tuple[str, Resolved]] = []

    def resolve(self, node: ast.expr) -> Resolved:
        with self._binding(_walrus_targets(node)):
            resolved = self._expr(node)
        return Resolved(resolved, self._takes, self._olds)

    # Names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        name = node.id = self._scope.mangle(node.id)
        if name in self._bound:
            return node
        is_result = self._is_result(name)
        if self._later is not None and (name in self._later or is_result):
            raise self._error(node, f"old() cannot use '{name}': it does not exist at entry")
        if is_result and not self._promises:
            raise self._error(node, f"'{name}' is only known in {self._promise}")
        if is_result:
            return self._take(node, RESULT)
        if self._scope.is_local(name):
            at_exit = name in self._scope.parameters and self._reads_exit
            return self._take(node, live_name(name) if at_exit else name)
        if name == self._notation.old:
            raise self._error(node, f"'{name}' alone means nothing", f"write '{name}.PARAMETER'")
        if not self._scope.knows(name):
            raise self._unknown(node)
        return node

    def _is_result(self, name: str) -> bool:
        """A parameter hides the name of the result; so does the module where there is none."""
        if name not in self._notation.results or self._scope.is_local(name):
            return False
        return self._promises or name == RESULT or not self._scope.knows(name)

    @property
    def _reads_exit(self) -> bool:
        return self._in_final or (self._notation.at_exit and self._promises)

    @property
    def _promise(self) -> str:
        return self._notation.keyword(ClauseKind.ENSURE)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.attr = self._scope.mangle(node.attr)
        if self._is_old(node.value):
            return self._take(self._old_parameter(node), node.attr)
        node.value = self._expr(node.value)
        return node

    def _is_old(self, node: ast.expr) -> bool:
        """Whether this is the object whose attributes are the parameters at entry."""
        if not isinstance(node, ast.Name) or node.id != self._notation.old:
            return False
        return node.id not in self._bound and not self._scope.is_local(node.id)

    def _old_parameter(self, node: ast.Attribute) -> ast.Name:
        old = self._notation.old
        if not self._promises:
            raise self._error(node, f"'{old}' is only known in {self._promise}")
        if node.attr not in self._scope.parameters:
            hint = did_you_mean(node.attr, list(self._scope.parameters))
            raise self._error(node, f"there is no parameter '{node.attr}'", hint)
        return ast.copy_location(ast.Name(node.attr, ast.Load()), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        # Identity does not change with time, and a copy of the entry value would lose it.
        identity = all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
        read = self._identity if identity else self._expr
        node.left = read(node.left)
        node.comparators = [read(each) for each in node.comparators]
        return node

    def _identity(self, operand: ast.expr) -> ast.expr:
        at_exit = not self._before and self._later is None
        if isinstance(operand, ast.Attribute) and self._is_old(operand.value):
            operand = self._old_parameter(operand)
        if at_exit and isinstance(operand, ast.Name):
            name = self._scope.mangle(operand.id)
            if name in self._scope.parameters and name not in self._bound:
                return self._take(operand, live_name(name))
        return self._expr(operand)

    def _take(self, node: ast.Name, name: str) -> ast.Name:
        node.id = name
        self._takes[name] = None
        return node

    def _unknown(self, node: ast.Name) -> ContractError:
        known = self._scope.names()
        if self._promises:
            known += [*self._notation.results, *self._notation.calls]
        hint = did_you_mean(node.id, known)
        return self._error(node, f"unknown name '{node.id}' in {self._keyword}", hint)

    # final(...) and old(...)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in self._notation.calls or not self._is_special(name):
            return self._children(node)
        if not self._promises:
            raise self._error(node, f"'{name}()' is only known in {self._promise}")
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            raise self._error(node, f"'{name}()' takes exactly one expression")
        if self._later is not None or self._in_final:
            raise self._error(node, "old() and final() cannot be nested")
        return self._final(node.args[0]) if name == "final" else self._old(node)

    def _is_special(self, name: str) -> bool:
        """A parameter or local of that name hides it; outside :ensure: so does the module."""
        if name in self._bound or self._scope.is_local(name):
            return False
        return self._promises or not self._scope.knows(name)

    def _final(self, argument: ast.expr) -> ast.expr:
        self._in_final = True
        try:
            return self._expr(argument)
        finally:
            self._in_final = False

    def _old(self, node: ast.Call) -> ast.expr:
        inner = _Resolver(
            ClauseKind.ENSURE, self._notation, self._scope, self._source, later=self._bound
        )
        name = f"__pef_old_{node.lineno}_{node.col_offset}__"
        self._olds.append((name, inner.resolve(node.args[0])))
        return self._take(ast.copy_location(ast.Name(name, ast.Load()), node), name)

    # Binding constructs

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        args = node.args
        args.defaults = [self._expr(each) for each in args.defaults]
        args.kw_defaults = [each and self._expr(each) for each in args.kw_defaults]
        every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
        names = {arg.arg for arg in every if arg is not None}
        with self._binding(names | _walrus_targets(node.body)):
            node.body = self._expr(node.body)
        return node

    def _comprehension(self, node: _Comprehension) -> ast.expr:
        # Only the first iterable is evaluated outside the new scope.
        first = node.generators[0]
        first.iter = self._expr(first.iter)
        with self._binding({name for each in node.generators for name in _stored(each.target)}):
            for generator in node.generators:
                generator.target = self._expr(generator.target)
                if generator is not first:
                    generator.iter = self._expr(generator.iter)
                generator.ifs = [self._expr(each) for each in generator.ifs]
            if isinstance(node, ast.DictComp):
                node.key, node.value = self._expr(node.key), self._expr(node.value)
            else:
                node.elt = self._expr(node.elt)
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        name = node.target.id
        outside = self._later or frozenset()
        if name == RESULT or name in outside or self._scope.is_local(name):
            raise self._error(node, f"a contract cannot assign to '{name}'")
        node.value = self._expr(node.value)
        return node

    def _not_in_contracts(self, node: ast.expr) -> ast.expr:
        raise self._error(node, "a contract cannot use 'yield' or 'await'")

    visit_Yield = visit_YieldFrom = visit_Await = _not_in_contracts  # noqa: N815

    # The walk

    def _expr(self, node: ast.expr) -> ast.expr:
        visited: ast.expr = self.visit(node)
        return visited

    def _children(self, node: ast.expr) -> ast.expr:
        visited = self.generic_visit(node)
        assert isinstance(visited, ast.expr)
        return visited

    @contextmanager
    def _binding(self, names: set[str]) -> Iterator[None]:
        outer = self._bound
        self._bound = outer | names
        try:
            yield
        finally:
            self._bound = outer

    def _error(self, node: ast.expr, message: str, hint: str | None = None) -> ContractError:
        place = self._source.place_of(node.lineno, node.col_offset)
        return self._source.error(message, place, hint)


def _stored(target: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _walrus_targets(node: ast.expr) -> set[str]:
    """Names that `:=` binds in the function scope of the expression: not those inside lambdas."""
    targets: set[str] = set()
    pending: list[ast.AST] = [node]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.NamedExpr):
            targets.add(each.target.id)
        if not isinstance(each, ast.Lambda):
            pending += ast.iter_child_nodes(each)
    return targets
