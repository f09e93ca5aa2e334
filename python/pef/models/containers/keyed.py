"""What dicts and sets with symbolic keys do instead of what their class does in C.

For every class there is a twin of the same layout, made natively when the first of its instances
gets a symbolic key. It is given the models of all methods that look keys up; what the class or a
base of it defines in Python stays, and reaches the models through `super()`.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from types import FunctionType
from typing import Any

from pef import _native
from pef._native import dict_del, dict_get, dict_set, find_key
from pef.models.text.calling import attempted


def equip(keyed: type, base: type) -> None:
    """Gives the twin of a class its methods."""
    _native.register_stand_in(keyed, base)
    for name in _SLOTS & vars(keyed).keys():
        _native.register_transparent(vars(keyed)[name])
    if base in (dict, set, frozenset):
        from pef.models.containers import copies

        twin: Any = keyed
        twin.__deepcopy__ = copies.of_keyed_dict if base is dict else copies.of_keyed_set
    for name, model in _models(base).items():
        real = getattr(base, name, None)
        if real is not None and not isinstance(real, FunctionType):
            setattr(keyed, name, attempted(real, model))


_SLOTS = {"__contains__", "__delitem__", "__getitem__", "__iter__", "__setitem__"}
"""Native ones, called by name."""


def _models(base: type) -> dict[str, Any]:
    from pef.models.containers import dicts, mappings, sets, views

    if issubclass(base, (set, frozenset)):
        models = sets.UPDATING if issubclass(base, set) else sets.READING
    elif issubclass(base, OrderedDict):
        models = {**SUBSCRIPTS, **dicts.METHODS, **mappings.ORDERED, **views.ORDERED}
    elif issubclass(base, defaultdict):
        models = {**SUBSCRIPTS, **dicts.METHODS, **mappings.DEFAULT, **views.PLAIN}
    else:
        models = {**SUBSCRIPTS, **dicts.METHODS, **views.PLAIN}
    if base in (dict, set, frozenset):  # their slots are native
        return {name: model for name, model in models.items() if not name.startswith("__")}
    return models


def missing(table: dict[Any, Any], key: Any) -> Any:
    """`table[key]` of a subclass of dict, if no key is the one."""
    method = getattr(type(table), "__missing__", None)
    if method is None:
        raise KeyError(key)
    if method is defaultdict.__missing__:
        return made_by_default(table, key)
    return _native.__pef_sel__(method)(table, key)


def made_by_default(table: Any, key: Any, /) -> Any:
    """`defaultdict.__missing__`"""
    if table.default_factory is None:
        raise KeyError(key)
    value = _native.__pef_sel__(table.default_factory)()
    dict_set(table, key, value)
    return value


def contains(container: Any, key: Any, /) -> bool:
    """`container.__contains__(key)`"""
    return find_key(container, key) is not None


def _getitem(table: dict[Any, Any], key: Any, /) -> Any:
    return dict_get(table, key)


def _setitem(table: dict[Any, Any], key: Any, value: Any, /) -> None:
    dict_set(table, key, value)


def _delitem(table: dict[Any, Any], key: Any, /) -> None:
    dict_del(table, key)


SUBSCRIPTS: dict[str, Any] = {
    "__contains__": contains,
    "__getitem__": _getitem,
    "__setitem__": _setitem,
    "__delitem__": _delitem,
}
"""What `[]` and `in` call."""
