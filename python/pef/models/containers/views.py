"""`keys()`, `items()` and `values()` of dicts with symbolic keys.

The views in C look keys up in the table of their dict. These ask the dict, and pass for them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from pef import _native
from pef._native import dict_get, find_key, unrecorded
from pef.models.containers import algebra, sets


class _View:
    __slots__ = ("_table",)

    def __init__(self, table: dict[Any, Any]) -> None:
        self._table = table

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return type(_STAND_INS[type(self)])

    @property
    def mapping(self) -> MappingProxyType[Any, Any]:
        """The dict, for reading."""
        return MappingProxyType(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[Any]:
        return (self._shown(key) for key in self._table)

    def __reversed__(self) -> Iterator[Any]:
        return (self._shown(key) for key in reversed(self._table))

    def _shown(self, key: Any) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        from pef.models.text.digits import joined
        from pef.models.text.printing import repr_of

        shown: str = joined(f"{type(self).__name__}(", repr_of(list(self)), ")")
        return shown


class Values(_View):
    """`dict_values`"""

    __slots__ = ()

    def _shown(self, key: Any) -> Any:
        return dict_get(self._table, key)


class _SetView(_View):
    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, item: Any) -> bool:
        raise NotImplementedError

    def _as_set(self) -> set[Any]:
        """The keys are different already; items are, too."""
        made: set[Any] = sets.gathered(set, self)
        return made

    def _compared(self, other: Any, comparison: int) -> Any:
        if not isinstance(other, (set, frozenset, *_SET_VIEWS)):
            return NotImplemented
        theirs = other if isinstance(other, (set, frozenset)) else sets.set_of(other)
        return algebra.compare_sets(self._as_set(), theirs, comparison)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, 0)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, 1)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, 2)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, 3)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, 4)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, 5)

    def __and__(self, other: Any) -> Any:
        return sets.common(self._as_set(), sets.set_of(other))

    def __or__(self, other: Any) -> Any:
        return sets.united(self._as_set(), other)

    def __sub__(self, other: Any) -> Any:
        return sets.without(self._as_set(), other)

    def __xor__(self, other: Any) -> Any:
        return sets.in_one(self._as_set(), other)

    __rand__ = __and__
    __rxor__ = __xor__

    def __ror__(self, other: Any) -> Any:
        return sets.united(sets.set_of(other), self)

    def __rsub__(self, other: Any) -> Any:
        return sets.without(sets.set_of(other), self)

    def isdisjoint(self, other: Any) -> bool:
        """As that of `dict_keys`."""
        return sets.is_disjoint(self._as_set(), other)


class Keys(_SetView):
    """`dict_keys`"""

    __slots__ = ()

    def _shown(self, key: Any) -> Any:
        return key

    def __contains__(self, item: Any) -> bool:
        return find_key(self._table, item) is not None


class Items(_SetView):
    """`dict_items`"""

    __slots__ = ()

    def _shown(self, key: Any) -> Any:
        return key, dict_get(self._table, key)

    def __contains__(self, item: Any) -> bool:
        if not isinstance(item, tuple) or len(item) != 2:
            return False
        found = find_key(self._table, item[0])
        if found is None:
            return False
        value = dict_get(self._table, found[0])
        return value is item[1] or bool(value == item[1])


class _OrderedKeys(Keys):
    __slots__ = ()


class _OrderedItems(Items):
    __slots__ = ()


class _OrderedValues(Values):
    __slots__ = ()


_STAND_INS: dict[type, Any] = {
    Keys: {}.keys(),
    Items: {}.items(),
    Values: {}.values(),
    _OrderedKeys: OrderedDict().keys(),
    _OrderedItems: OrderedDict().items(),
    _OrderedValues: OrderedDict().values(),
}

_SET_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.items()))

PLAIN: dict[str, Any] = {
    "keys": lambda self: Keys(self),
    "items": lambda self: Items(self),
}
"""The methods of a dict; its values are not looked up."""


def _in_order(table: OrderedDict[Any, Any]) -> Iterator[Any]:
    yield from _steps(table, unrecorded(list, OrderedDict.__iter__(table)))


def _backwards(table: OrderedDict[Any, Any]) -> Iterator[Any]:
    yield from _steps(table, unrecorded(list, OrderedDict.__reversed__(table)))


def _steps(table: OrderedDict[Any, Any], keys: list[Any]) -> Iterator[Any]:
    for key in keys:
        if len(table) != len(keys):
            raise RuntimeError("OrderedDict mutated during iteration")
        yield key


ORDERED: dict[str, Any] = {
    "__iter__": _in_order,
    "__reversed__": _backwards,
    "keys": lambda self: _OrderedKeys(self),
    "items": lambda self: _OrderedItems(self),
    "values": lambda self: _OrderedValues(self),
}
"""Those of an `OrderedDict`, whose iterators look every key up."""

for _kind, _example in _STAND_INS.items():
    _kind.__name__ = _kind.__qualname__ = type(_example).__name__
    _native.register_stand_in(_kind, type(_example))
    _native.register_lazy(_kind)
