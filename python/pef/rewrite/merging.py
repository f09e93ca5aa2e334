"""Finds branches that do nothing but choose a number.

    if x > limit:                       x = limit if x > limit else x
        x = limit

Explored as two paths, ten such lines make a thousand. Where both values can be computed without
anybody noticing, they become one value that depends on the condition. To compute is unnoticed if
it adds, subtracts or multiplies ints: constants, and variables of the function that surely have a
value. Whether that is an int only a run can tell (`names.NUMBERS`). An `elif` is one more arm of
the same choice, if its test only compares such values: it is looked at in any case.

What stays out: how such a place is rewritten (`transform`), and when it pays (the recorder).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeVar

from pef.records import NamedTuple

_OPERATORS = (ast.Add, ast.Sub, ast.Mult)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_MOST_OPERATIONS = 3
"""In one value: more is no longer a choice."""
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_UNLIKELY = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, *_SCOPES)
"""What has them is no plain test: it waits, binds, or decides item by item."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
_Node = TypeVar("_Node", bound=ast.AST)


class Arm(NamedTuple):
    """A test, and the number that is chosen if it is the first that holds."""

    test: ast.expr
    value: ast.expr


class Choice(NamedTuple):
    """A place that chooses between numbers."""

    arms: tuple[Arm, ...]
    other: ast.expr
    """The number if no test holds."""
    target: str | None
    """The variable of a statement; None for an expression."""
    variables: tuple[str, ...]
    """Those that must hold ints."""


def choices(function: Function) -> dict[ast.AST, Choice]:
    """The `if` statements and expressions in a function that can be merged."""
    return _Finder(function).found


def copied(node: _Node) -> _Node:
    """Another tree that says the same in the same place."""
    fields = {name: _copied_field(value) for name, value in ast.iter_fields(node)}
    return ast.copy_location(type(node)(**fields), node)


def _copied_field(value: object) -> object:
    if isinstance(value, ast.AST):
        return copied(value)
    return [_copied_field(each) for each in value] if isinstance(value, list) else value


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """As `ast.walk`, which imports something on its first call."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


class _Finder:
    def __init__(self, function: Function) -> None:
        self.found: dict[ast.AST, Choice] = {}
        arguments = function.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        self._shy = set(_unsure(function))
        self._block(function.body, {each.arg for each in named} - self._shy)

    def _block(self, statements: Sequence[ast.stmt], bound: set[str]) -> set[str]:
        """Go through statements; the variables that have a value after them."""
        bound = set(bound)
        for statement in statements:
            bound = self._statement(statement, bound)
        return bound

    def _statement(self, node: ast.stmt, bound: set[str]) -> set[str]:
        for part in _expressions(node):
            if isinstance(part, ast.IfExp):
                self._choice(part, [Arm(part.test, part.body)], part.orelse, None, bound)
        if isinstance(node, ast.If):
            self._if(node, bound)
            return self._block(node.body, bound) & self._block(node.orelse, bound)
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self._block(node.body, bound | (set(_names(node.target)) - self._shy))
            self._block(node.orelse, bound)
        elif not isinstance(node, _SCOPES):
            for block in _blocks(node):
                self._block(block, bound)
        return bound | (set(_assigned(node)) - self._shy)

    def _if(self, node: ast.If, bound: set[str]) -> None:
        arms: list[Arm] = []
        targets: set[str] = set()
        rest: Sequence[ast.stmt] = [node]
        while len(rest) == 1 and isinstance(branch := rest[0], ast.If):
            assigned = _assignment(branch.body)
            if assigned is None:
                return
            targets.add(assigned[0])
            arms.append(Arm(branch.test, assigned[1]))
            rest = branch.orelse
        otherwise = _assignment(rest)
        if otherwise is not None:
            targets.add(otherwise[0])
        if len(targets) == 1 and (otherwise or not rest):
            (target,) = targets
            before = ast.copy_location(ast.Name(id=target, ctx=ast.Load()), node)
            self._choice(node, arms, otherwise[1] if otherwise else before, target, bound)

    def _choice(
        self,
        node: ast.AST,
        arms: Sequence[Arm],
        other: ast.expr,
        target: str | None,
        bound: set[str],
    ) -> None:
        if target in self._shy or any(isinstance(each, _UNLIKELY) for each in _walk(arms[0].test)):
            return
        if not all(_is_comparison(arm.test, bound) for arm in arms[1:]):
            return
        values = [other, *(arm.value for arm in arms)]
        if all(_is_computed(value, bound) for value in values):
            known = [*values, *(arm.test for arm in arms[1:])]
            parts = [part for each in known for part in _walk(each)]
            used = {part.id for part in parts if isinstance(part, ast.Name)}
            self.found[node] = Choice(tuple(arms), other, target, tuple(sorted(used)))


def _is_computed(node: ast.expr, bound: set[str]) -> bool:
    """Whether a value is made of known numbers by a few operations that cannot fail."""
    if sum(isinstance(each, ast.BinOp) for each in _walk(node)) > _MOST_OPERATIONS:
        return False
    if isinstance(node, ast.BinOp):
        is_safe = isinstance(node.op, _OPERATORS)
        return is_safe and _is_computed(node.left, bound) and _is_computed(node.right, bound)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _is_computed(node.operand, bound)
    if isinstance(node, ast.Name):
        return node.id in bound
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_comparison(node: ast.expr, bound: set[str]) -> bool:
    """Whether a test compares two such values and does nothing else."""
    if not isinstance(node, ast.Compare) or len(node.ops) > 1:
        return False
    is_order = isinstance(node.ops[0], _COMPARISONS)
    return is_order and all(_is_computed(each, bound) for each in (node.left, *node.comparators))


def _assignment(body: Sequence[ast.stmt]) -> tuple[str, ast.expr] | None:
    """The variable and the value, if that is all that is done."""
    match body:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value)]:
            return name, value
        case [ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value)]:
            before = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), target)
            whole = ast.BinOp(left=before, op=operator, right=value)
            return name, ast.copy_location(whole, body[0])
    return None


def _unsure(function: Function) -> Iterator[str]:
    """Variables that are not the function's own, or may lose their value again."""
    for node in _walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, ast.Delete):
            yield from (name for target in node.targets for name in _names(target))
        elif isinstance(node, ast.ExceptHandler) and node.name is not None:
            yield node.name


def _assigned(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _names(target)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.AnnAssign) and node.value is not None
    ):
        yield from _names(node.target)


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for each in target.elts:
            yield from _names(each)


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value
        elif isinstance(value, list):
            for each in value:
                if isinstance(each, (ast.ExceptHandler, ast.match_case)):
                    yield each.body


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a statement that belong to the same scope, without its blocks."""
    if isinstance(node, _SCOPES):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(child, _SCOPES):
            yield child
            yield from _expressions(child)
        elif isinstance(child, (ast.keyword, ast.withitem, ast.FormattedValue, ast.Slice)):
            yield from _expressions(child)
