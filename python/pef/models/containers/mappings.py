"""`OrderedDict`, `defaultdict` and `Counter`: what they do in C beside what `dict` does."""

from __future__ import annotations

import collections
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from typing import Any

from pef import _native
from pef._native import dict_del, dict_get, dict_set, find_key, is_keyed, unrecorded
from pef.models.containers import dicts
from pef.models.containers.keyed import SUBSCRIPTS, made_by_default
from pef.models.text.calling import attempted


def install() -> None:
    """Registers the types and their methods."""
    for name, model in {**dicts.METHODS, **SUBSCRIPTS, **ORDERED, "__init__": _update}.items():
        real = vars(OrderedDict).get(name)
        if real is not None:
            _native.register_guarded(real, attempted(real, model))
    _native.register_guarded(OrderedDict.fromkeys, dicts.from_keys)
    _native.register_guarded(OrderedDict, _ordered_of)
    _native.register_guarded(vars(defaultdict)["__missing__"], made_by_default)
    _native.register_guarded(vars(defaultdict)["copy"], _copy_default)
    _native.register_guarded(defaultdict, _default_of)
    _native.register_guarded(collections._count_elements, _count)  # type: ignore[attr-defined]


def _ordered_of(*sources: Any, **named: Any) -> OrderedDict[Any, Any]:
    made: OrderedDict[Any, Any] = OrderedDict()
    _update(made, *sources, **named)
    return made


def _update(table: Any, /, *others: Any, **named: Any) -> None:
    """`OrderedDict.update`, which stores item by item as code outside would."""
    if len(others) > 1:
        raise TypeError(f"update() takes at most 1 positional argument ({len(others)} given)")
    place = _native.__pef_at__(table)
    for key, value in dicts.pairs(others[0]) if others else ():
        place[key] = value
    for key, value in named.items():
        place[key] = value


def _move_to_end(table: Any, key: Any, last: Any = True) -> None:
    found = find_key(table, key)
    if found is None:
        raise KeyError(key)
    unrecorded(OrderedDict.move_to_end, table, found[0], bool(last))


def _popitem(table: Any, last: Any = True) -> tuple[Any, Any]:
    if not len(table):
        raise KeyError("dictionary is empty")
    keys = unrecorded(list, OrderedDict.__iter__(table))
    key = keys[-1 if last else 0]
    value = dict_get(table, key)
    dict_del(table, key)
    return key, value


def _copy_ordered(table: Any, /) -> Any:
    kind = _native.model_type(table)
    made = OrderedDict() if kind is OrderedDict else _native.__pef_sel__(kind)()
    _update(made, table)
    return made


def _copy_default(table: Any, /) -> Any:
    kind = _native.model_type(table)
    if kind is not defaultdict:
        return _native.__pef_sel__(kind)(table.default_factory, table)
    made: defaultdict[Any, Any] = defaultdict(table.default_factory)
    unrecorded(dict.update, made, list(dict.items(table)))
    return _native.turn_keyed(made) if is_keyed(table) else made


def _default_of(*given: Any, **named: Any) -> Any:
    if given and given[0] is not None and not callable(given[0]):
        raise TypeError("first argument must be callable or None")
    made: defaultdict[Any, Any] = defaultdict(*given[:1])
    dicts.fill(made, *given[1:], **named)
    return made


def _count(counts: dict[Any, int], elements: Iterable[Any], /) -> None:
    """`_count_elements`, the heart of `Counter`."""
    for element in elements:
        found = find_key(counts, element)
        if found is None:
            dict_set(counts, element, 1)
        else:
            dict_set(counts, found[0], dict_get(counts, found[0]) + 1)


def _merged(copy: Any) -> Any:
    def or_(table: Any, other: Any, /) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        made = copy(table)
        _update(made, other)
        return made

    return or_


def _merged_backwards(empty: Any) -> Any:
    def ror(table: Any, other: Any, /) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        made = empty(table)
        _update(made, other)
        _update(made, table)
        return made

    return ror


def _ior(table: Any, other: Any, /) -> Any:
    _update(table, other)
    return table


ORDERED: dict[str, Any] = {
    "copy": _copy_ordered,
    "move_to_end": _move_to_end,
    "popitem": _popitem,
    "update": _update,
    "__or__": _merged(_copy_ordered),
    "__ror__": _merged_backwards(lambda table: OrderedDict()),
    "__ior__": _ior,
}
"""What `OrderedDict` has of its own."""

DEFAULT: dict[str, Any] = {
    "copy": _copy_default,
    "__copy__": _copy_default,
    "__or__": _merged(_copy_default),
    "__ror__": _merged_backwards(lambda table: defaultdict(table.default_factory)),
}
"""What `defaultdict` has of its own."""
