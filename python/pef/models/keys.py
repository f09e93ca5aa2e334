"""Dicts and sets asked with a symbolic key.

Which of the present keys is meant is one decision (`_native.key_in`); after that the container is
asked with the plain key. What is stored under a new symbolic key is stored under its concrete value,
visibly: the hash pins it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pef import _native
from pef._native import concrete, is_symbolic, key_in


def install() -> None:
    """Registers the methods that look a key up."""
    for method in (dict.get, dict.pop, dict.setdefault, dict.__getitem__, dict.__contains__):
        _native.register_guarded(method, _looking_up(method))
    for kind in (set, frozenset):
        _native.register_guarded(kind.__contains__, _looking_up(kind.__contains__))
    for method in (set.add, set.discard, set.remove):
        _native.register_guarded(method, _looking_up(method))


def _looking_up(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, with its symbolic key settled first."""

    def model(container: Any, *arguments: Any) -> Any:
        if arguments and is_symbolic(arguments[0]):
            key, *rest = arguments
            if key_in(container, key):
                return method(container, concrete(key), *rest)
            return _missing(method, container, key, rest)
        return method(container, *arguments)

    model.__name__ = method.__name__
    return model


def _missing(method: Callable[..., Any], container: Any, key: Any, rest: list[Any]) -> Any:
    """A key that is not there: nothing needs to be hashed to say so."""
    match method.__name__:
        case "__contains__":
            return False
        case "get" if len(rest) < 2:
            return rest[0] if rest else None
        case "discard" if not rest:
            return None
        case "pop" if len(rest) == 1:
            return rest[0]
        case "pop" | "remove" | "__getitem__" if not rest and type(container) in (dict, set):
            raise KeyError(key)
        case _:
            return method(container, key, *rest)
