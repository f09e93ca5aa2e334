"""Whether a constructor can make every state its objects will ever be in.

Inputs of a class are made by its constructor. If a method changes an attribute that the constructor
does not take as it is given, objects get into states that no input shows, and what was explored is
not all there is. Decided from the source of the class, on the side of doubt.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator

from pef.contracts.source import class_statements

_CHANGING = frozenset(
    {
        *("add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert"),
        *("move_to_end", "pop", "popitem", "popleft", "remove", "reverse", "rotate"),
        *("setdefault", "sort", "subtract", "update", "write"),
    }
)


@functools.lru_cache(maxsize=1024)
def outgrows_constructor(cls: type) -> bool:
    """Whether some method leads to objects the constructor does not make.

    Of the standard library's classes it is taken that they keep to what they were made from.
    """
    if cls.__module__.partition(".")[0] in sys.stdlib_module_names:
        return False
    classes = [tree for each in cls.__mro__ for tree in class_statements(each)]
    taken = set(_fields(cls))
    changed: set[str] = set()
    for tree in classes:
        for method in tree.body:
            if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if method.name == "__init__":
                    taken |= set(_taken_as_given(method))
                elif method.name not in ("__new__", "__post_init__", "__setattr__"):
                    changed |= set(_changed(method))
    return bool(changed - taken)


def _fields(cls: type) -> Iterator[str]:
    """Attributes that a generated constructor takes as they are given."""
    yield from getattr(cls, "__dataclass_fields__", ())
    yield from (each.name for each in getattr(cls, "__attrs_attrs__", ()))
    yield from getattr(cls, "model_fields", ())


def _taken_as_given(constructor: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Attributes set to a parameter and nothing else: `self.x = x`."""
    receiver, *others = [each.arg for each in _parameters(constructor)] or [""]
    for node in ast.walk(constructor):
        target = None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        elif isinstance(node, ast.AnnAssign):
            target = node.target
        if (
            isinstance(target, ast.Attribute)
            and _is_name(target.value, receiver)
            and isinstance(node, (ast.Assign, ast.AnnAssign))
            and isinstance(node.value, ast.Name)
            and node.value.id in others
        ):
            yield target.attr


def _changed(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Attributes of the receiver that a method sets, deletes or changes in place."""
    receiver = next((each.arg for each in _parameters(method)), "")
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield from _root(node, receiver)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield from _root(node.value, receiver)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _CHANGING
        ):
            yield from _root(node.func.value, receiver)


def _root(node: ast.expr, receiver: str) -> Iterator[str]:
    """The attribute of the receiver through which something is reached: `x` of `self.x.y[0]`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and _is_name(node.value, receiver):
            yield node.attr
            return
        node = node.value


def _parameters(method: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    return [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
