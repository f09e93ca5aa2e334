"""Clauses compiled once, so that a path only pays for running them.

A clause becomes a function of exactly the values it uses, over the live globals of the analysed
function's module. Compiling as a function, not as an `eval` string, is what lets a lambda or a
comprehension inside a clause see the parameters.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Callable
from types import FunctionType

from pef.contracts.errors import ContractError
from pef.contracts.form import Clause, ClauseKind, Expression, Old
from pef.contracts.naming import resolve_names
from pef.contracts.notation import PEF, Notation
from pef.contracts.parsing import Item
from pef.contracts.placed import Place, SourceText
from pef.contracts.scope import Scope

#: Makes an expression fit for symbolic values; see `pef.rewrite`.
Transform = Callable[[ast.Expression], ast.Expression]


class ClauseCompiler:
    """Turns expressions of one function's contract into clauses."""

    def __init__(self, scope: Scope, transform: Transform | None) -> None:
        self._scope = scope
        self._transform = transform

    def within(self, scope: Scope) -> ClauseCompiler:
        """A compiler that treats expressions of another scope the same way."""
        return ClauseCompiler(scope, self._transform)

    def clause(self, kind: ClauseKind, item: Item, notation: Notation = PEF) -> Clause:
        """The clause that says an expression of a docstring is true."""
        source, place = item.body.source, item.body.place(item.start)
        return self.condition(kind, notation, item.node, item.text, source, place)

    def condition(
        self,
        kind: ClauseKind,
        notation: Notation,
        node: ast.expr,
        text: str,
        source: SourceText,
        place: Place,
    ) -> Clause:
        """The clause that says a parsed expression is true; may change the tree."""
        try:
            resolved = resolve_names(node, kind, notation, self._scope, source)
            condition = self.expression(truth(resolved.node), tuple(resolved.takes), kind.value)
            olds = [
                Old(name, self.expression(old.node, tuple(old.takes), "old"))
                for name, old in resolved.olds
            ]
        except (SyntaxError, ValueError, RecursionError) as error:
            raise _refusal(error, source, place) from None
        return Clause(
            kind,
            text,
            source.file,
            place.line,
            place.column,
            condition,
            tuple(olds),
            notation.keyword(kind),
        )

    def expression(
        self,
        body: ast.expr,
        takes: tuple[str, ...],
        name: str,
    ) -> Expression:
        """A resolved expression as a function."""
        parameters = ast.arguments(
            posonlyargs=[],
            args=[ast.copy_location(ast.arg(each), body) for each in takes],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        )
        tree = ast.Expression(ast.copy_location(ast.Lambda(parameters, body), body))
        if self._transform is not None:
            tree = self._transform(tree)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(tree, self._scope.file, "eval")
        function = builtins.eval(code, self._scope.namespace)
        assert isinstance(function, FunctionType)
        function.__code__ = function.__code__.replace(co_name=f"<{name}>")
        return Expression(function, takes)


def written_at(text: str, source: SourceText, place: Place) -> ast.expr:
    """The tree of an expression of ours that stands for something at this place."""
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.keyword)):
            node.lineno = node.end_lineno = place.line
            node.col_offset = node.end_col_offset = source.byte_offset(place)
    return tree


def truth(node: ast.expr) -> ast.expr:
    """`True if node else False`: asks for the truth at the node's own place."""
    yes, no = ast.Constant(True), ast.Constant(False)
    for each in (yes, no):
        ast.copy_location(each, node)
    return ast.copy_location(ast.IfExp(node, yes, no), node)


def _refusal(error: Exception, source: SourceText, place: Place) -> ContractError:
    reason = error.msg if isinstance(error, SyntaxError) else error
    return source.error(f"cannot compile this: {reason}", place)
