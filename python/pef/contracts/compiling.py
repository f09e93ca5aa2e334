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

from pef.contracts.form import Clause, ClauseKind, Expression, Old
from pef.contracts.naming import Resolved, resolve_names
from pef.contracts.parsing import Item
from pef.contracts.scope import Scope

#: Makes an expression fit for symbolic values; see `pef.rewrite`.
Transform = Callable[[ast.Expression], ast.Expression]


class ClauseCompiler:
    """Turns parsed expressions of one function's contract into clauses."""

    def __init__(self, scope: Scope, transform: Transform | None) -> None:
        self._scope = scope
        self._transform = transform

    def clause(self, kind: ClauseKind, item: Item) -> Clause:
        """The clause that says the expression is true."""
        text, place, source = item.text, item.body.place(item.start), item.body.source
        resolved = resolve_names(item.node, kind, self._scope, source)
        try:
            condition = self._compile(_truth(resolved.node), resolved, kind.value)
            olds = [Old(name, self._compile(old.node, old, "old")) for name, old in resolved.olds]
        except (SyntaxError, ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else error
            raise item.error(f"cannot compile this: {reason}") from None
        return Clause(kind, text, source.file, place.line, place.column, condition, tuple(olds))

    def _compile(self, body: ast.expr, resolved: Resolved, name: str) -> Expression:
        takes = tuple(resolved.takes)
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
            code = compile(tree, self._scope.function.__code__.co_filename, "eval")
        function = builtins.eval(code, self._scope.function.__globals__)
        assert isinstance(function, FunctionType)
        function.__code__ = function.__code__.replace(co_name=f"<{name}>")
        return Expression(function, takes)


def _truth(node: ast.expr) -> ast.expr:
    """`True if node else False`: asks for the truth at the node's own place."""
    yes, no = ast.Constant(True), ast.Constant(False)
    for each in (yes, no):
        ast.copy_location(each, node)
    return ast.copy_location(ast.IfExp(node, yes, no), node)
