"""Facts about a single expression that hold whatever the program does.

They let the rewriter leave a place alone: no symbolic value can reach a constant index, and a
literal that can never be called, subscripted or formatted fails the same way without our help
(and only then does the compiler still print its SyntaxWarning about it).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from typing import Any

LISTS = (ast.List, ast.ListComp)

_ARITHMETIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift)
"""Operators no str or bytes takes part in, so what they return is not one either."""

_MOST_PUSHED = 30
"""With more arguments than this the compiler builds a tuple first."""

_UNCALLABLE = (
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.ListComp,
    ast.Dict,
    ast.DictComp,
    ast.Set,
    ast.SetComp,
    ast.GeneratorExp,
    ast.JoinedStr,
    ast.FormattedValue,
)
_UNSUBSCRIPTABLE = (ast.Set, ast.SetComp, ast.GeneratorExp, ast.Lambda)
_INDEXED_BY_INT = (ast.Constant, ast.Tuple, ast.List, ast.ListComp, ast.JoinedStr)
_NEVER_AN_INT = (*_UNCALLABLE[1:], ast.Lambda)


def is_constant(node: ast.expr) -> bool:
    """Whether `node` has the same value in every run: a literal, or operators on literals."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.UnaryOp):
        return is_constant(node.operand)
    if isinstance(node, ast.BinOp):
        return is_constant(node.left) and is_constant(node.right)
    if isinstance(node, ast.Tuple):
        return all(is_constant(item) for item in node.elts)
    if isinstance(node, ast.Slice):
        parts = (node.lower, node.upper, node.step)
        return all(part is None or is_constant(part) for part in parts)
    return False


def is_constant_but_bool(node: ast.expr) -> bool:
    """Whether `node` is a constant, and not the literal True or False."""
    is_bool = isinstance(node, ast.Constant) and isinstance(node.value, bool)
    return is_constant(node) and not is_bool


def passes_constants_only(node: ast.Call) -> bool:
    """Whether the call hands over nothing but constants (or nothing at all)."""
    values: Iterable[ast.expr] = (*node.args, *(keyword.value for keyword in node.keywords))
    return all(is_constant(value) for value in values)


def is_plain_list_call(node: ast.Call, method: str) -> bool:
    """Whether `[].method(...)` needs no model: the list only stores or compares.

    `pop` and `insert` take an index, `extend` asks text for its length, `index` shows what it
    did not find, and `sort` may hand items to a C function as its key; only that last one
    qualifies, in the forms that do not.
    """
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return False
    if method == "sort":
        return not node.args and all(_is_plain_sort_option(word) for word in node.keywords)
    one_argument = len(node.args) == 1 and not node.keywords
    return one_argument and method in {"append", "count", "remove"}


def _is_plain_sort_option(keyword: ast.keyword) -> bool:
    return keyword.arg is not None and (
        is_constant(keyword.value) or isinstance(keyword.value, ast.Lambda)
    )


def cannot_be_called(node: ast.expr) -> bool:
    """Whether calling `node` is a TypeError for certain."""
    return isinstance(node, _UNCALLABLE)


def cannot_be_subscripted(value: ast.expr, index: ast.expr) -> bool:
    """Whether `value[index]` is a TypeError for certain."""
    if isinstance(value, _UNSUBSCRIPTABLE):
        return True
    if isinstance(value, ast.Constant) and not isinstance(value.value, (str, bytes)):
        return True
    if isinstance(index, ast.Tuple) and any(isinstance(item, ast.Starred) for item in index.elts):
        return False
    return isinstance(value, _INDEXED_BY_INT) and isinstance(index, _NEVER_AN_INT)


def cannot_be_text(node: ast.expr) -> bool:
    """Whether `node % x` is arithmetic for certain, not the formatting of a str or bytes."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, (str, bytes))
    if isinstance(node, ast.UnaryOp):
        return True
    return isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC)


def holds_slice(index: ast.expr) -> bool:
    """Whether `index` is a tuple with a slice in it, which only `[]` can spell."""
    return isinstance(index, ast.Tuple) and any(isinstance(item, ast.Slice) for item in index.elts)


def folded_container(node: ast.expr) -> ast.expr:
    """The container of an `in`, as the compiler would fold it.

    Right of `in` the compiler makes a list display a tuple and a set of constants a frozenset, so
    that nothing has to be built. It does not do so for the argument of a call.
    """
    if isinstance(node, ast.List):
        if any(isinstance(item, ast.Starred) for item in node.elts):
            return node
        return ast.copy_location(ast.Tuple(elts=node.elts, ctx=ast.Load()), node)
    if isinstance(node, ast.Set) and all(is_constant(item) for item in node.elts):
        try:
            constant: Any = frozenset(map(ast.literal_eval, node.elts))
        except ValueError:  # an operator that only the compiler evaluates
            return node
        return ast.copy_location(ast.Constant(value=constant), node)
    return node


def method_of(node: ast.expr) -> ast.Attribute | None:
    """The `a.b` of `a.b(...)`, if CPython compiles that as a method call, without binding `b`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    if any(keyword.arg is None for keyword in node.keywords):
        return None
    if sys.version_info < (3, 11) and node.keywords:
        return None
    pushed = len(node.args) + len(node.keywords) + bool(node.keywords)
    return node.func if pushed < _MOST_PUSHED else None
