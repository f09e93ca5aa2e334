"""Clauses from condition functions: icontract and deal take lambdas where others take text.

The condition stays the function its author wrote. The clause is an expression that calls it, at the
place where it is written, so that it is rewritten, recorded and reported like any other.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from pef.contracts.compiling import ClauseCompiler, truth, written_at
from pef.contracts.form import Clause, ClauseKind, Expression, Old
from pef.contracts.placed import Place, SourceText
from pef.contracts.scope import Scope
from pef.contracts.source import parse_source
from pef.records import record
from pef.sources import lines_of

Condition = Callable[..., Any]


@record(frozen=True)
class Written:
    """Where a condition stands, and its text."""

    source: SourceText
    place: Place
    text: str


@record(frozen=True)
class Called:
    """A call as source: the names it takes and the objects it refers to."""

    text: str
    takes: tuple[str, ...]
    objects: dict[str, object]


def clause_of(
    compiler: ClauseCompiler,
    kind: ClauseKind,
    keyword: str,
    called: Called,
    where: Written,
    olds: tuple[Old, ...] = (),
) -> Clause:
    """The clause that says a call gives something true."""
    return Clause(
        kind,
        where.text,
        where.source.file,
        where.place.line,
        where.place.column,
        expression_of(compiler, called, where, asks=True),
        olds,
        keyword,
    )


def expression_of(
    compiler: ClauseCompiler, called: Called, where: Written, asks: bool = False
) -> Expression:
    """The call as an expression; `asks` for its truth or gives its value."""
    body = written_at(called.text, where.source, where.place)
    scope = Scope(called.objects, where.source.file, called.takes, {}, None)
    within = compiler.within(scope)
    return within.expression(truth(body) if asks else body, called.takes, "condition")


class Gathered:
    """Values by name, as attributes or items: icontract's `OLD`, deal's `_`."""

    def __init__(self, values: dict[str, object]) -> None:
        self.__dict__.update(values)

    def __getitem__(self, name: str) -> object:
        return self.__dict__[name]


def gathered(**values: object) -> Gathered:
    """The values in one object; not a class, which would be called by C code."""
    return Gathered(values)


def written_condition(condition: Condition, otherwise: Written) -> Written:
    """Where a condition is written; `otherwise` if its source cannot be found."""
    if not isinstance(condition, FunctionType):
        return Written(otherwise.source, otherwise.place, _named(condition))
    code = condition.__code__
    lines = lines_of(code.co_filename)
    source = SourceText(code.co_filename, lines)
    if code.co_name != "<lambda>":
        return Written(source, Place(code.co_firstlineno, 1), f"{condition.__name__}(...)")
    tree = parse_source("\n".join(lines)) if lines else None
    found = _lambda(tree, code) if tree is not None else None
    if found is None:
        return Written(source, Place(code.co_firstlineno, 1), "lambda ...")
    place = source.place_of(found.body.lineno, found.body.col_offset)
    return Written(source, place, ast.unparse(found.body))


def _named(condition: object) -> str:
    name = getattr(condition, "__qualname__", type(condition).__qualname__)
    return f"{name}(...)"


def _lambda(tree: ast.Module, code: CodeType) -> ast.Lambda | None:
    """The lambda that was compiled to this code, if only one can be it."""
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    fitting = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda)
        and node.lineno == code.co_firstlineno
        and tuple(
            arg.arg for arg in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        )
        == arguments
    ]
    positions = getattr(code, "co_positions", None)  # since 3.11
    if len(fitting) > 1 and positions is not None:
        known = [(line, column) for line, _, column, _ in positions() if column is not None]
        fitting = [node for node in fitting if _holds(node.body, known)]
    return fitting[0] if len(fitting) == 1 else None


def _holds(body: ast.expr, places: list[tuple[int, int]]) -> bool:
    """Whether every place of an instruction lies within the expression."""
    start = body.lineno, body.col_offset
    end = body.end_lineno or body.lineno, body.end_col_offset or 0
    # The instruction that enters the function has a place before everything.
    return all(start <= place <= end for place in places if place[1] > 0)
