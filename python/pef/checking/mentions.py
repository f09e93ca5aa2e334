"""The names that a piece of code mentions: what it may lead to.

Text counts where it can be a name: types in quotes, arguments of `getattr`, contracts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import CodeType

_WORD = re.compile(r"[^\W\d]\w*")
_EXPRESSION = re.compile(r"[\w\s.,|\[\]]{1,200}")
_PROSE = re.compile(r"\w\s+\w")
_CONTRACT = re.compile(r"^\s*(:\w+[^:\n]*:|(pre|post|inv|raises)\b.*:|Raises\b)", re.MULTILINE)


def names_of_code(code: CodeType) -> Iterator[str]:
    """Yield the names a function looks up outside of itself, and attributes of anything."""
    for name in code.co_names:
        yield name
        # `self.__x` in a class C is compiled to `self._C__x`.
        at = name.find("__", 1) if name.startswith("_") else -1
        while at > 0:
            yield name[at:]
            at = name.find("__", at + 1)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_of_code(constant)
        elif isinstance(constant, str):
            yield from _text_names(constant)


def names_of_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield the names in annotations, defaults and decorators."""
    arguments = node.args
    for argument in (
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        *filter(None, (arguments.vararg, arguments.kwarg)),
    ):
        if argument.annotation is not None:
            yield from names_in(argument.annotation)
    parts = (*node.decorator_list, *arguments.defaults, *arguments.kw_defaults, node.returns)
    for part in parts:
        if part is not None:
            yield from names_in(part)


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield every name, attribute and text that could be one."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield from _text_names(each.value)


def _text_names(text: str) -> list[str]:
    """Return the names in a text that looks like a type in quotes, or like an attribute."""
    is_name = _EXPRESSION.fullmatch(text) and not _PROSE.search(text)
    return _WORD.findall(text) if is_name else []


def names_of_contract(docstring: str | None) -> set[str]:
    """Return the words of a docstring from its first contract on."""
    found = _CONTRACT.search(docstring) if docstring else None
    return set(_WORD.findall(docstring[found.start() :])) if docstring and found else set()


def looks_up_any_name(node: ast.AST) -> bool:
    """Whether this is a call of `getattr` with a name that is made at run time."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and not (len(node.args) > 1 and isinstance(node.args[1], ast.Constant))
    )


def called_in(node: ast.AST) -> Iterator[str]:
    """Yield the names of what an expression calls."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            yield last_name(each.func)


def last_name(node: ast.expr) -> str:
    """Return `b` for `a.b`, `a.b(...)` and `a.b[...]`; nothing for other expressions."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
