"""Sets with symbolic items, or asked with one.

The order of a set is that of its hashes, so whoever sees it pins the items; nothing here does: the
items of a set are taken in an order of our own wherever the result cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pef import _native
from pef._native import find_key, is_keyed, items_of, set_add, unrecorded
from pef.models.containers.keyed import contains
from pef.models.text.calling import attempted

AnySet = set[Any] | frozenset[Any]


def install() -> None:
    """Registers the methods of `set` and `frozenset`, and the types themselves."""
    for kind, models in ((set, UPDATING), (frozenset, READING)):
        for name, model in models.items():
            real = vars(kind)[name]
            _native.register_guarded(real, attempted(real, model))
        _native.register_guarded(vars(kind)["__contains__"], contains)
    _native.register_guarded(vars(set)["__init__"], _init)
    # Always: an object may hide symbolic items.
    _native.register_model(set, set_of)
    _native.register_model(frozenset, frozenset_of)


def members(source: Any) -> Iterable[Any]:
    """The items of any iterable; those of a set in no order that means anything."""
    if isinstance(source, (set, frozenset)) and is_keyed(source):
        items = items_of(source)
        if items is not None:
            return items
    return source  # type: ignore[no-any-return]


def gathered(kind: type, items: Iterable[Any]) -> Any:
    """A set of items that are known to differ."""
    distinct = list(items)
    made = unrecorded(kind, distinct)
    return _native.turn_keyed(made) if any(map(_is_symbolic, distinct)) else made


def _is_symbolic(item: Any) -> bool:
    if isinstance(item, tuple):
        return any(map(_is_symbolic, item))
    return _native.is_symbolic(item)


def kind_of(target: AnySet) -> type:
    """The built-in type of the results of operators on `target`."""
    return set if isinstance(target, set) else frozenset


def has(container: Any, item: Any) -> bool:
    """Whether a set has an item: a decision."""
    return find_key(container, item) is not None


def as_set(source: Any) -> AnySet:
    """A set, or the set of another iterable's items."""
    return source if isinstance(source, (set, frozenset)) else set_of(source)


def set_of(*sources: Any) -> set[Any]:
    """`set(source)`"""
    if len(sources) == 1 and type(sources[0]) in _PLAIN:
        return set(sources[0])
    made: set[Any] = set()
    _init(made, *sources)
    return made


_PLAIN = (str, bytes, range)
"""Types whose items are plain."""


def _init(target: set[Any], /, *sources: Any) -> None:
    if len(sources) > 1:
        raise TypeError(f"set expected at most 1 argument, got {len(sources)}")
    target.clear()
    for item in members(sources[0]) if sources else ():
        set_add(target, item)


def frozenset_of(*sources: Any) -> frozenset[Any]:
    """`frozenset(source)`"""
    if len(sources) > 1:
        raise TypeError(f"frozenset expected at most 1 argument, got {len(sources)}")
    if not sources:
        return frozenset()
    if isinstance(sources[0], frozenset) and _native.model_type(sources[0]) is frozenset:
        return sources[0]
    made: frozenset[Any] = gathered(frozenset, members(set_of(sources[0])))
    return made


def copy(target: AnySet, /) -> Any:
    """`target.copy()`"""
    if isinstance(target, frozenset) and _native.model_type(target) is frozenset:
        return target
    return gathered(kind_of(target), members(target))


def united(target: AnySet, /, *others: Any) -> Any:
    """`target.union(*others)`"""
    items = list(members(target))
    for other in others:
        present = gathered(set, items)
        items += _new_items(present, other)
    return gathered(kind_of(target), items)


def _new_items(present: set[Any], other: Any) -> list[Any]:
    found = []
    for item in members(other):
        if not has(present, item):
            found.append(item)
            set_add(present, item)
    return found


def intersected(target: AnySet, /, *others: Any) -> Any:
    """`target.intersection(*others)`"""
    result = copy(target)
    for other in others:
        result = common(result, other)
    return result


def common(target: AnySet, other: Any) -> Any:
    """The items of both; as objects, those of the smaller one."""
    if not isinstance(other, (set, frozenset)):
        kept: set[Any] = set()
        for item in other:
            if has(target, item):
                set_add(kept, item)
        return gathered(kind_of(target), members(kept))
    large, small = (other, target) if len(other) > len(target) else (target, other)
    return gathered(kind_of(target), [item for item in members(small) if has(large, item)])


def without(target: AnySet, /, *others: Any) -> Any:
    """`target.difference(*others)`"""
    items = list(members(target))
    for other in others:
        present = other if isinstance(other, (set, frozenset, dict)) else set_of(other)
        items = [item for item in items if not has(present, item)]
    return gathered(kind_of(target), items)


def in_one(target: AnySet, other: Any, /) -> Any:
    """`target.symmetric_difference(other)`"""
    other = as_set(other)
    mine = [item for item in members(target) if not has(other, item)]
    theirs = [item for item in members(other) if not has(target, item)]
    return gathered(kind_of(target), mine + theirs)


def replace(target: set[Any], items: AnySet) -> None:
    """Makes `target` have these items and no others."""
    plain = unrecorded(list, items)
    target.clear()
    unrecorded(set.update, target, plain)
    if is_keyed(items):
        _native.turn_keyed(target)


def is_disjoint(target: AnySet, other: Any, /) -> bool:
    """`target.isdisjoint(other)`"""
    return not any(has(target, item) for item in members(other))


def is_subset(target: AnySet, other: Any, /) -> bool:
    """`target.issubset(other)`"""
    other = as_set(other)
    return len(target) <= len(other) and all(has(other, item) for item in members(target))


def is_superset(target: AnySet, other: Any, /) -> bool:
    """`target.issuperset(other)`"""
    return all(has(target, item) for item in members(other))


def _update(target: set[Any], /, *others: Any) -> None:
    for other in others:
        for item in list(members(other)) if other is target else members(other):
            set_add(target, item)


def _intersect(target: set[Any], /, *others: Any) -> None:
    replace(target, intersected(target, *others))


def _subtract(target: set[Any], /, *others: Any) -> None:
    replace(target, without(target, *others))


def _exclude(target: set[Any], other: Any, /) -> None:
    replace(target, in_one(target, other))


def _add(target: set[Any], item: Any, /) -> None:
    set_add(target, item)


def _discard(target: set[Any], item: Any, /) -> None:
    found = find_key(target, item)
    if found is not None:
        unrecorded(set.discard, target, found[0])


def _remove(target: set[Any], item: Any, /) -> None:
    found = find_key(target, item)
    if found is None:
        raise KeyError(item)
    unrecorded(set.discard, target, found[0])


def _pop(target: set[Any], /) -> Any:
    for item in target:  # the first one: this pins if there are several
        unrecorded(set.discard, target, item)
        return item
    raise KeyError("pop from an empty set")


READING: dict[str, Any] = {
    "copy": copy,
    "difference": without,
    "intersection": intersected,
    "isdisjoint": is_disjoint,
    "issubset": is_subset,
    "issuperset": is_superset,
    "symmetric_difference": in_one,
    "union": united,
}
"""The methods of all sets."""

UPDATING: dict[str, Any] = {
    **READING,
    "add": _add,
    "difference_update": _subtract,
    "discard": _discard,
    "intersection_update": _intersect,
    "pop": _pop,
    "remove": _remove,
    "symmetric_difference_update": _exclude,
    "update": _update,
}
"""Those of `set`."""
