"""Dicts with symbolic keys, or asked with one.

Methods of plain dicts come here when an argument is symbolic; those of a dict that holds symbolic
keys always do. The order of insertion is kept and equal keys are one, as in CPython.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pef import _native
from pef._native import dict_del, dict_get, dict_set, find_key, unrecorded
from pef.models.containers.keyed import SUBSCRIPTS
from pef.models.text.calling import attempted

_ABSENT = object()

Table = dict[Any, Any]


def install() -> None:
    """Registers the methods of `dict`, and `dict` itself."""
    for name, model in {**METHODS, **SUBSCRIPTS, "__init__": fill}.items():
        real = vars(dict)[name]
        _native.register_guarded(real, attempted(real, model))
    _native.register_guarded(dict.fromkeys, from_keys)
    # Always: an object may hide symbolic keys.
    _native.register_model(dict, dict_of)


def get(table: Table, key: Any, default: Any = None, /) -> Any:
    """`table.get(key, default)`"""
    found = find_key(table, key)
    return default if found is None else dict_get(table, found[0])


def pop(table: Table, key: Any, default: Any = _ABSENT, /) -> Any:
    """`table.pop(key, default)`"""
    found = find_key(table, key)
    if found is not None:
        value = dict_get(table, found[0])
        dict_del(table, found[0])
        return value
    if default is _ABSENT:
        raise KeyError(key)
    return default


def setdefault(table: Table, key: Any, default: Any = None, /) -> Any:
    """`table.setdefault(key, default)`"""
    found = find_key(table, key)
    if found is not None:
        return dict_get(table, found[0])
    dict_set(table, key, default)
    return default


def update(table: Table, /, *others: Any, **named: Any) -> None:
    """`table.update(other, **named)`"""
    _merge("update", table, others, named)


def fill(table: Table, /, *others: Any, **named: Any) -> None:
    """`dict.__init__`"""
    _merge("dict", table, others, named)


def _merge(name: str, table: Table, others: tuple[Any, ...], named: Table) -> None:
    if len(others) > 1:
        raise TypeError(f"{name} expected at most 1 argument, got {len(others)}")
    for key, value in pairs(others[0]) if others else ():
        dict_set(table, key, value)
    for key, value in named.items():
        dict_set(table, key, value)


def pairs(source: Any) -> Iterator[tuple[Any, Any]]:
    """What a dict is made from, pair by pair, with CPython's complaints."""
    if isinstance(source, dict):
        yield from list(source.items())
    elif hasattr(source, "keys"):
        for key in source.keys():  # noqa: SIM118
            yield key, _native.__pef_getitem__(source, key)
    else:
        for position, pair in enumerate(source):
            yield _pair(position, pair)


def _pair(position: int, pair: Any) -> tuple[Any, Any]:
    try:
        first, *rest = pair
    except TypeError:
        raise TypeError(
            f"cannot convert dictionary update sequence element #{position} to a sequence"
        ) from None
    except ValueError:
        first, rest = None, None
    if rest is None or len(rest) != 1:
        length = 0 if rest is None else len(rest) + 1
        raise ValueError(
            f"dictionary update sequence element #{position} has length {length}; 2 is required"
        )
    return first, rest[0]


def copy(table: Table, /) -> Table:
    """`table.copy()`: the keys are different already."""
    _native.touch(table)
    copied: Table = unrecorded(dict, list(dict.items(table)))
    return _native.turn_keyed(copied) if _native.is_keyed(table) else copied


def dict_of(*sources: Any, **named: Any) -> Table:
    """`dict(source, **named)`"""
    made: Table = {}
    if len(sources) == 1 and isinstance(sources[0], dict):
        made, sources = copy(sources[0]), ()
    _merge("dict", made, sources, named)
    return made


def from_keys(kind: type, keys: Iterable[Any], value: Any = None, /) -> Any:
    """`kind.fromkeys(keys, value)`"""
    table = {} if kind is dict else _native.__pef_sel__(kind)()
    place = _native.__pef_at__(table)
    for key in keys:
        place[key] = value
    return table


METHODS: dict[str, Any] = {
    "get": get,
    "pop": pop,
    "setdefault": setdefault,
    "update": update,
    "copy": copy,
}
"""The methods that look keys up."""
