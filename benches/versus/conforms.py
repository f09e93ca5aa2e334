"""Whether a value is of a type hint: a counterexample outside the hints is none."""

from __future__ import annotations

import collections.abc
import types
import typing
from typing import Any


def conforms(value: Any, hint: Any) -> bool:
    """Whether the value is what the hint asks for, looking into containers."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if hint is float:
        return isinstance(value, (float, int))
    if origin in (typing.Union, types.UnionType):
        return any(conforms(value, option) for option in args)
    if origin is collections.abc.Callable:
        return callable(value)
    if origin is tuple:
        return isinstance(value, tuple) and _is_row(value, args)
    if origin in (list, set, frozenset, collections.deque):
        return isinstance(value, origin) and all(conforms(item, args[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(
            conforms(key, args[0]) and conforms(item, args[1]) for key, item in value.items()
        )
    if origin is typing.Literal:
        return value in args
    return isinstance(value, origin or hint)


class OutsideTypesError(BaseException):
    """A callback returned what its hint rules out; no `Exception`, so that nobody handles it."""


def watched(value: Any, hint: Any) -> Any:
    """The value; a callback is held to its hint when it returns."""
    args = typing.get_args(hint)
    if typing.get_origin(hint) is not collections.abc.Callable or not args:
        return value

    def callback(*arguments: Any) -> Any:
        result = value(*arguments)
        if not conforms(result, args[-1]):
            raise OutsideTypesError
        return result

    return callback


def _is_row(value: tuple[Any, ...], args: tuple[Any, ...]) -> bool:
    if len(args) == 2 and args[1] is ...:
        return all(conforms(item, args[0]) for item in value)
    return len(value) == len(args) and all(map(conforms, value, args))
