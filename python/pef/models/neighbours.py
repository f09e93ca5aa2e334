"""Functions that a rewritten function calls directly, without asking `sel`.

The rewriter leaves calls of functions of the same file alone: in a file that is rewritten as a
whole, they are rewritten too. A function that is adopted by itself brings them along.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType


def neighbours(callee: object) -> list[FunctionType]:
    """The functions of the same file that `callee` (a function or class) may call by name."""
    todo = list(_functions(callee))
    seen = set(todo)
    found: list[FunctionType] = []
    while todo:
        function = todo.pop()
        for name in _names(function.__code__):
            other = function.__globals__.get(name)
            if isinstance(other, FunctionType) and other not in seen and _beside(other, function):
                seen.add(other)
                found.append(other)
                todo.append(other)
    return found


def _beside(other: FunctionType, function: FunctionType) -> bool:
    return other.__code__.co_filename == function.__code__.co_filename


def _functions(callee: object) -> Iterator[FunctionType]:
    if isinstance(callee, MethodType):
        callee = callee.__func__
    if isinstance(callee, FunctionType):
        yield callee
        return
    kind = callee if isinstance(callee, type) else type(callee)
    for base in kind.__mro__:
        for attribute in vars(base).values():
            for held in (attribute, *(getattr(attribute, name, None) for name in _HOLDERS)):
                if isinstance(held, FunctionType):
                    yield held


_HOLDERS = ("__func__", "fget", "fset", "fdel", "func")
"""Where static and class methods, properties and cached properties keep their functions."""


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
