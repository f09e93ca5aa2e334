"""Dicts and sets with symbolic keys, or asked with one.

Which of the present keys is meant is one decision (`_native.find_key`). Methods of plain dicts and sets come
here when an argument is symbolic; those of a container that holds symbolic keys (`SymDict`,
`SymSet`) always do. The order of insertion is kept and equal keys are one, as in CPython.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pef import _native
from pef._native import dict_del, dict_get, dict_set, find_key, set_add, set_discard

_ABSENT = object()


def install() -> None:
    """Registers the methods, and gives them to the types with symbolic keys."""
    for plain, ours, methods in ((dict, _native.SymDict, _DICT), (set, _native.SymSet, _SET)):
        for name, model in methods.items():
            _native.register_guarded(vars(plain)[name], model)
            if not name.startswith("__"):  # slots are native
                setattr(ours, name, model)
    _native.register_guarded(vars(frozenset)["__contains__"], _contains)
    _native.SymDict.__eq__ = _dict_equals  # type: ignore[assignment,method-assign]
    _native.SymDict.__ne__ = _differs  # type: ignore[assignment,method-assign]
    _native.SymSet.__eq__ = _set_equals  # type: ignore[assignment,method-assign]
    _native.SymSet.__ne__ = _differs  # type: ignore[assignment,method-assign]


def _contains(container: Any, key: Any, /) -> bool:
    return find_key(container, key) is not None


def _get(self: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    found = find_key(self, key)
    return default if found is None else dict_get(self, found[0])


def _pop(self: dict[Any, Any], key: Any, default: Any = _ABSENT, /) -> Any:
    found = find_key(self, key)
    if found is not None:
        value = dict_get(self, found[0])
        dict_del(self, found[0])
        return value
    if default is _ABSENT:
        raise KeyError(key)
    return default


def _setdefault(self: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    found = find_key(self, key)
    if found is not None:
        return dict_get(self, found[0])
    dict_set(self, key, default)
    return default


def _update(self: dict[Any, Any], *others: Any, **named: Any) -> None:
    if len(others) > 1:
        raise TypeError(f"update expected at most 1 argument, got {len(others)}")
    for key, value in _pairs(others[0]) if others else ():
        dict_set(self, key, value)
    for key, value in named.items():
        dict_set(self, key, value)


def _pairs(source: Any) -> Iterable[tuple[Any, Any]]:
    """What a dict is made from, pair by pair, with CPython's complaints."""
    if isinstance(source, dict):
        yield from list(source.items())
    elif hasattr(source, "keys"):
        for key in source.keys():
            yield key, source[key]
    else:
        for position, pair in enumerate(source):
            try:
                parts = tuple(pair)
            except TypeError:
                raise TypeError(
                    f"cannot convert dictionary update sequence element #{position} to a sequence"
                ) from None
            if len(parts) != 2:
                raise ValueError(
                    f"dictionary update sequence element #{position} has length {len(parts)}; "
                    "2 is required"
                )
            yield parts


def _copy(self: dict[Any, Any]) -> dict[Any, Any]:
    copied: dict[Any, Any] = {}
    for key, value in self.items():
        dict_set(copied, key, value)
    return copied


def _or(self: dict[Any, Any], other: Any) -> Any:
    if not isinstance(other, dict):
        return NotImplemented
    merged = _copy(self)
    _update(merged, other)
    return merged


def _ror(self: dict[Any, Any], other: Any) -> Any:
    return _or(other, self) if isinstance(other, dict) else NotImplemented


def _ior(self: dict[Any, Any], other: Any) -> Any:
    _update(self, other)
    return self


def _delete(self: dict[Any, Any], key: Any, /) -> None:
    dict_del(self, key)


def _dict_equals(self: dict[Any, Any], other: object) -> Any:
    if not isinstance(other, dict):
        return NotImplemented
    if len(self) != len(other):
        return False
    for key, value in list(self.items()):
        found = find_key(other, key)
        if found is None or not dict_get(other, found[0]) == value:
            return False
    return True


def _set_equals(self: set[Any], other: object) -> Any:
    if not isinstance(other, (set, frozenset)):
        return NotImplemented
    return len(self) == len(other) and all(_contains(other, item) for item in self)


def _differs(self: Any, other: object) -> Any:
    equal = self.__eq__(other)
    return equal if equal is NotImplemented else not equal


def _add(self: set[Any], item: Any, /) -> None:
    set_add(self, item)


def _discard(self: set[Any], item: Any, /) -> None:
    found = find_key(self, item)
    if found is not None:
        set_discard(self, found[0])


def _remove(self: set[Any], item: Any, /) -> None:
    found = find_key(self, item)
    if found is None:
        raise KeyError(item)
    set_discard(self, found[0])


_DICT: dict[str, Callable[..., Any]] = {
    "__contains__": _contains,
    "__getitem__": dict_get,
    "get": _get,
    "pop": _pop,
    "setdefault": _setdefault,
    "update": _update,
    "copy": _copy,
}

_SET: dict[str, Callable[..., Any]] = {
    "__contains__": _contains,
    "add": _add,
    "discard": _discard,
    "remove": _remove,
}
