"""Methods of lists, tuples and deques that take a position or a count."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any

from pef import _native
from pef._native import concrete, decide, is_symbolic, is_symbolic_number
from pef.models.containers.positions import (
    bounded,
    clamped,
    counted,
    index,
    plain_index,
    size,
    sliced_index,
)
from pef.models.text.calling import attempted


def install() -> None:
    """Registers the methods."""
    for kind, models in _METHODS.items():
        for name, model in models.items():
            real = vars(kind)[name]
            _native.register_guarded(real, attempted(real, model))
    _native.register_guarded(deque, attempted(deque, _deque))


def _pop(items: list[Any], index: Any = -1, /) -> Any:
    return list.pop(items, plain_index(items, index))


def _extend(items: list[Any], more: Any, /) -> None:
    # Text would be asked for its length.
    items.extend(iter(more) if is_symbolic(more) else more)


def _inserting(insert: Callable[..., None]) -> Any:
    def model(items: Any, index: Any, value: Any, /) -> None:
        insert(items, clamped(size(index), len(items)), value)

    return model


def _seeking(complaint: Callable[[Any], Any]) -> Any:
    def model(items: Any, value: Any, start: Any = 0, stop: Any = None, /) -> int:
        length = len(items)
        position = sliced_index(start, length)
        end = length if stop is None else sliced_index(stop, length)
        while position < end and position < len(items):
            item = items[position]
            if item is value or item == value:
                return position
            position += 1
        raise ValueError(complaint(value))

    return model


def _remove_from_deque(items: deque[Any], value: Any, /) -> None:
    del items[_find_in_deque(items, value)]


def _named(container: str) -> Callable[[Any], Any]:
    """The complaint that shows what was sought."""

    def complaint(value: Any) -> Any:
        from pef._native import SymBytes, SymStr
        from pef.models.text.digits import joined
        from pef.models.text.printing import quoted, repr_of

        shown = quoted(value) if isinstance(value, (SymStr, SymBytes)) else repr_of(value)
        return joined(shown, f" is not in {container}")

    return complaint


def _item(items: Any, index: Any, /) -> Any:
    return _native.__pef_getitem__(items, index)


def _item_of_deque(items: deque[Any], number: Any, /) -> Any:
    return items[_fitting(items, number)]


def _store_in_deque(items: deque[Any], number: Any, value: Any, /) -> None:
    items[_fitting(items, number)] = value


def _delete_from_deque(items: deque[Any], number: Any, /) -> None:
    del items[_fitting(items, number)]


def _fitting(items: deque[Any], number: Any) -> int:
    """An index as `__getitem__` called by name complains about it."""
    position = index(number)
    if decide((position > sys.maxsize) | (position < -sys.maxsize - 1), "domain"):
        raise OverflowError("cannot fit 'int' into an index-sized integer")
    return int(concrete(_native.settled_index(items, position)))


def _store(items: Any, index: Any, value: Any, /) -> None:
    _native.__pef_at__(items)[index] = value


def _delete(items: Any, index: Any, /) -> None:
    del _native.__pef_at__(items)[index]


def _times(items: Any, count: Any, /) -> Any:
    return items * count


def _times_in_place(items: Any, count: Any, /) -> Any:
    items *= count
    return items


def _rotate(items: deque[Any], steps: Any = 1, /) -> None:
    number = size(steps)
    length = len(items)
    if length < 2:
        return
    deque.rotate(items, bounded(number % length, 0, length - 1))


def _deque(iterable: Any = (), maxlen: Any = None) -> deque[Any]:
    if is_symbolic_number(maxlen):
        number = size(maxlen)
        if decide(number < 0, "domain"):
            raise ValueError("maxlen must be non-negative")
        maxlen = counted(number, "deque")
    return deque(iterable, maxlen)


_SUBSCRIPTS = {"__getitem__": _item, "__mul__": _times, "__rmul__": _times}
_find_in_deque = _seeking(_named("deque"))
_CHANGES = {"__setitem__": _store, "__delitem__": _delete, "__imul__": _times_in_place}

_METHODS: dict[type, dict[str, Any]] = {
    list: {
        **_SUBSCRIPTS,
        **_CHANGES,
        "extend": _extend,
        "index": _seeking(_named("list")),
        "insert": _inserting(list.insert),
        "pop": _pop,
    },
    tuple: {**_SUBSCRIPTS, "index": _seeking(lambda value: "tuple.index(x): x not in tuple")},
    deque: {
        "__getitem__": _item_of_deque,
        "__setitem__": _store_in_deque,
        "__delitem__": _delete_from_deque,
        "__mul__": _times,
        "__imul__": _times_in_place,
        "index": _find_in_deque,
        "remove": _remove_from_deque,
        "insert": _inserting(deque.insert),
        "rotate": _rotate,
    },
}
