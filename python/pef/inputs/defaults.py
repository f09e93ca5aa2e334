"""Defaults that the types of their parameters do not tell of.

`def f(x: int = None)` may be called as `f()`, whatever the annotation says. A default that no input
of the declared types is like is one more alternative.
"""

from __future__ import annotations

import collections.abc
import enum
import typing
from types import EllipsisType, NoneType
from typing import Any

from pef import _native
from pef.contracts.signature import Empty
from pef.contracts.typeforms import flatten
from pef.inputs.constraints import conditions
from pef.inputs.makers import Around, Made, Maker
from pef.inputs.recipes import Leaf, Omitted, Recipe
from pef.inputs.standard import ANYTHING, CONSTRUCTED, DICTS, LISTS, SETS, full_name
from pef.records import record

_SCALARS = (int, bool, str, bytes, float, NoneType)

_FACTORIES = (list, dict, set, tuple, frozenset, *_SCALARS)
"""What makes a default and can be called without consequences."""


@record(frozen=True)
class OrDefault(Around):
    """An argument, or the default of its parameter."""

    inner: Maker
    default: Any
    recipe: Recipe
    cost: int

    def make(self, name: str, level: int = 0) -> Made:
        if _native.choose_shape(f"default of {name}", 2, self.cost):
            return self.default, self.recipe
        return self.inner.make(name, level)

    def other(self, number: int) -> Made | None:
        """As of what may be given."""
        return self.inner.other(number)


def is_told(alternatives: tuple[object, ...], default: Any) -> bool:
    """Whether inputs of these types include a default; an object with an identity is no other."""
    return any(_makes(form, default) for form in alternatives)


def recipe_of(default: Any, may_be_left: bool) -> Recipe | None:
    """How to pass the default: by leaving the argument out, else as it is; None if neither."""
    if may_be_left:
        return Omitted(default)
    return Leaf(default) if is_literal(default) else None


def is_literal(value: Any) -> bool:
    """Whether a value can be written down, and nobody can tell one from another."""
    if type(value) is tuple:
        return all(map(is_literal, value))
    return type(value) in _SCALARS or type(value) is EllipsisType


def with_factory(kind: Any, name: str, default: Any) -> Any:
    """The default of a field: what its factory makes, or `Empty` if that is not to be called.

    A factory of another kind is taken to make what its annotation says.
    """
    declared = getattr(kind, "__dataclass_fields__", {}).get(name)
    factory = getattr(declared, "default_factory", None)
    for each in getattr(kind, "__attrs_attrs__", ()):
        if name in (each.name, getattr(each, "alias", None), each.name.lstrip("_")):
            factory = getattr(each.default, "factory", None)
    if factory is None or type(factory).__name__ == "_MISSING_TYPE":
        return default
    return factory() if factory in _FACTORIES else Empty


def _makes(form: Any, value: Any) -> bool:
    """Whether inputs of a type that is no union include a value."""
    kind = type(value)
    if any(form is each for each in _SCALARS):
        return kind is form
    if form is typing.Any or form is object or form is Empty:
        return kind in ANYTHING
    if isinstance(form, typing.TypeVar):
        bound = flatten(form.__bound__) if form.__bound__ else ANYTHING[:1]
        return is_told(tuple(form.__constraints__) or bound, value)
    origin, arguments = typing.get_origin(form) or form, typing.get_args(form)
    if origin is typing.Literal:
        return any(type(each) is kind and each == value for each in arguments)
    if origin is typing.Annotated:
        return is_told(flatten(arguments[0]), value) and _holds(arguments[1:], value)
    if isinstance(origin, type) and issubclass(origin, enum.Enum):
        return kind is origin
    if origin is type:
        return isinstance(value, type) and bool(arguments) and value is arguments[0]
    if kind in (list, dict, set, frozenset, tuple):
        return _holds_such(origin, arguments, value)
    return kind is origin and _is_made_of_numbers(full_name(origin))


def _is_made_of_numbers(name: str) -> bool:
    return name in CONSTRUCTED or name.startswith("pathlib.")


def _holds(metadata: tuple[Any, ...], value: Any) -> bool:
    try:
        return all(condition(value) for condition in conditions(metadata))
    except Exception:  # it is about values of another kind
        return False


def _holds_such(origin: Any, arguments: tuple[Any, ...], value: Any) -> bool:
    """Whether a built-in container is one of those that are made for a type."""
    kind = type(value)
    if not isinstance(origin, collections.abc.Hashable):
        return False
    if kind is dict:
        forms = arguments if len(arguments) == 2 else (int, int)
        return origin in DICTS and all(
            is_told(flatten(form), part)
            for pair in value.items()
            for form, part in zip(forms, pair, strict=True)
        )
    if kind is tuple:
        return origin is tuple and _fits(arguments, value)
    made = LISTS if kind is list else SETS if kind is set else frozenset({frozenset})
    item = flatten(arguments[0]) if arguments else ANYTHING[:1]
    return origin in made and all(is_told(item, each) for each in value)


def _fits(arguments: tuple[Any, ...], value: tuple[Any, ...]) -> bool:
    if arguments == ((),):
        arguments = ()
    elif not arguments or arguments[1:] == (Ellipsis,):
        arguments = (arguments[0] if arguments else int,) * len(value)
    return len(arguments) == len(value) and all(
        is_told(flatten(form), each) for form, each in zip(arguments, value, strict=True)
    )
