"""Types as contracts write them, resolved to what Python means by them.

A type in a docstring may be a forward reference, an alternative in brackets or a name from `typing`
the module never imported, so it is resolved here part by part, each part with its place. Which
inputs a type has is for the engine.
"""

from __future__ import annotations

import ast
import collections.abc
import types
import typing
from collections.abc import Iterable
from contextlib import suppress
from types import NoneType

from pef.contracts.errors import ContractError, did_you_mean
from pef.contracts.form import TypeForm
from pef.contracts.placed import SourceText
from pef.contracts.scope import Scope
from pef.contracts.typing_only import Unknown

_UNIONS = (typing.Union, types.UnionType)


def flatten(form: TypeForm) -> tuple[TypeForm, ...]:
    """The alternatives of a form: unions taken apart, aliases and `NewType`s seen through."""
    if form is None:
        return (NoneType,)
    if typing.get_origin(form) in _UNIONS:
        return _distinct(part for each in typing.get_args(form) for part in flatten(each))
    if isinstance(form, typing.NewType):
        return flatten(form.__supertype__)
    if type(form).__name__ == "TypeAliasType":
        return flatten(form.__value__)  # type: ignore[attr-defined]
    return (form,)


def union_of(alternatives: tuple[TypeForm, ...]) -> TypeForm:
    """One form for several alternatives, to stand inside another."""
    return alternatives[0] if len(alternatives) == 1 else typing.Union[alternatives]  # noqa: UP007


def is_type_form(value: object) -> bool:
    """Whether a value can be used as a type."""
    if value is None or isinstance(value, (type, typing.TypeVar, typing.NewType)):
        return True
    if value is typing.Any or isinstance(value, Unknown) or typing.get_origin(value) is not None:
        return True
    # Special forms such as Callable, Self or a `type` alias share only their module.
    return type(value).__module__ == "typing"


class TypeReader:
    """Resolves type expressions of one function's contract."""

    def __init__(self, scope: Scope, source: SourceText) -> None:
        self._scope = scope
        self._source = source

    def alternatives(self, node: ast.expr) -> tuple[TypeForm, ...]:
        """The types an expression allows, in order."""
        if isinstance(node, ast.List):
            if not node.elts:
                raise self._error(node, "a list of alternatives cannot be empty")
            return _distinct(form for each in node.elts for form in self.alternatives(each))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            both = (node.left, node.right)
            return _distinct(form for each in both for form in self.alternatives(each))
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.Subscript):
            return flatten(self._subscript(node))
        return self._named(node)

    def lookup(self, node: ast.expr, what: str) -> object:
        """The value of a dotted name; `what` names in an error what was looked for."""
        if isinstance(node, ast.Attribute):
            owner = self.lookup(node.value, what)
            try:
                value: object = getattr(owner, node.attr)
            except AttributeError:
                hint = did_you_mean(node.attr, dir(owner))
                raise self._error(node, f"unknown {what} '{ast.unparse(node)}'", hint) from None
            return value
        if not isinstance(node, ast.Name):
            raise self._error(node, f"expected the name of {_article(what)} {what}")
        try:
            return self._scope.find_static(node.id)
        except KeyError:
            hint = did_you_mean(
                node.id, self._class_names(BaseException if what == "exception" else object)
            )
            raise self._error(node, f"unknown {what} '{node.id}'", hint) from None

    def _class_names(self, base: type) -> list[str]:
        classes = []
        for name in self._scope.names():
            with suppress(KeyError):
                value = self._scope.find_static(name)
                if isinstance(value, type) and issubclass(value, base):
                    classes.append(name)
        return classes

    def _named(self, node: ast.expr) -> tuple[TypeForm, ...]:
        value = self._typing_name(node) or self.lookup(node, "type")
        if isinstance(value, str):
            return self._forward(value, node)
        if not is_type_form(value):
            raise self._error(node, f"'{ast.unparse(node)}' is not a type")
        return flatten(value)

    def _typing_name(self, node: ast.expr) -> object:
        """`NoneType`, `Optional`, ... mean what they say even where they were never imported."""
        if not isinstance(node, ast.Name) or self._scope.knows(node.id):
            return None
        if node.id == "NoneType":
            return NoneType
        return getattr(typing, node.id) if node.id in typing.__all__ else None

    def _constant(self, node: ast.Constant) -> tuple[TypeForm, ...]:
        if node.value is None:
            return (NoneType,)
        if isinstance(node.value, str):
            return self._forward(node.value, node)
        raise self._error(node, f"'{ast.unparse(node)}' is not a type")

    def _forward(self, text: str, node: ast.expr) -> tuple[TypeForm, ...]:
        try:
            inner = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self._error(node, f"'{text}' is not a type") from None
        for each in ast.walk(inner):
            if isinstance(each, (ast.expr, ast.keyword, ast.arg)):
                ast.copy_location(each, node)
        return self.alternatives(inner)

    def _subscript(self, node: ast.Subscript) -> TypeForm:
        origin = self._named(node.value)[0]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if origin is typing.Literal:
            arguments = tuple(self._literal(each) for each in parts)
        elif origin is typing.Annotated:
            arguments = (self._argument(parts[0]), *(self._evaluated(each) for each in parts[1:]))
        elif origin in (typing.Callable, collections.abc.Callable):
            arguments = tuple(self._callable_part(each) for each in parts)
        else:
            arguments = tuple(self._argument(each) for each in parts)
        try:
            form: TypeForm = origin[arguments if len(arguments) != 1 else arguments[0]]  # type: ignore[index]
        except Exception as error:
            raise self._error(node, f"'{ast.unparse(node)}' is not a type: {error}") from None
        return form

    def _one(self, node: ast.expr) -> TypeForm:
        return union_of(self.alternatives(node))

    def _argument(self, node: ast.expr) -> TypeForm:
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            return Ellipsis
        return self._one(node)

    def _callable_part(self, node: ast.expr) -> object:
        """In `Callable[[int, str], bool]` brackets hold parameters, not alternatives."""
        if isinstance(node, ast.List):
            return [self._argument(each) for each in node.elts]
        return self._argument(node)

    def _literal(self, node: ast.expr) -> object:
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError):
            return self.lookup(node, "literal")  # a member of an Enum

    def _evaluated(self, node: ast.expr) -> object:
        namespace = self._scope.namespace
        try:
            return eval(compile(ast.Expression(node), self._source.file, "eval"), namespace)
        except Exception as error:
            raise self._error(node, f"cannot evaluate '{ast.unparse(node)}': {error}") from None

    def _error(self, node: ast.expr, message: str, hint: str | None = None) -> ContractError:
        place = self._source.place_of(node.lineno, node.col_offset)
        return self._source.error(message, place, hint)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _distinct(forms: Iterable[TypeForm]) -> tuple[TypeForm, ...]:
    kept: list[TypeForm] = []
    for form in forms:
        if not any(form is each or form == each for each in kept):
            kept.append(form)
    return tuple(kept)
