"""Reader of leading asserts: those before any other statement say what a function expects.

They are code, not contract text: one that cannot be evaluated outside its function (it uses a
local variable, or awaits) is no error, it only ends the run. An assert further down is a claim of
the author's, and failing it an error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pef.contracts.errors import ContractError
from pef.contracts.form import ClauseKind
from pef.contracts.notation import ASSERT
from pef.contracts.subject import Reading, Subject
from pef.records import replace


def read(subject: Subject) -> Reading:
    """Reads the asserts that the body starts with."""
    reading = Reading()
    node = subject.where.node
    if node is None or not __debug__:
        return reading
    tests = [each.test for each in _leading(node.body)]
    if any(isinstance(each, ast.NamedExpr) for test in tests for each in ast.walk(test)):
        # A name bound in one is used in the next: they only make sense together.
        tests = [ast.copy_location(ast.BoolOp(ast.And(), tests), tests[0])]
    source = subject.where.source
    for test in tests:
        if _uses_locals(subject, test):
            break
        place = source.place_of(test.lineno, test.col_offset)
        text = ast.unparse(test)
        try:
            clause = subject.compiler.condition(
                ClauseKind.ASSUME, ASSERT, _copied(test), text, source, place
            )
        except ContractError:
            break
        reading.assumes.append(replace(clause, repeated=True))
    return reading


def _copied(test: ast.expr) -> ast.expr:
    from copy import deepcopy

    return deepcopy(test)


def _leading(body: list[ast.stmt]) -> Iterator[ast.Assert]:
    for position, statement in enumerate(body):
        if isinstance(statement, ast.Assert):
            yield statement
        elif position > 0 or not _is_docstring(statement):
            return


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _uses_locals(subject: Subject, test: ast.expr) -> bool:
    """Whether a name in it is a variable of the function, which has no value yet."""
    code = subject.function.__code__
    variables = {*code.co_varnames, *code.co_cellvars} - set(subject.parameters)
    variables -= set(subject.scope.ambient)
    names = [each for each in ast.walk(test) if isinstance(each, ast.Name)]
    bound = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in ast.walk(test) if isinstance(each, ast.arg)}
    return any(each.id in variables - bound for each in names)
