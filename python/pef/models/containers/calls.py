"""Functions over containers: sorting, choosing, searching, and `operator`'s way of writing `[]`."""

from __future__ import annotations

import bisect
from collections.abc import Callable
from typing import Any

from pef import _native
from pef._native import decide, is_keyed, is_symbolic, is_symbolic_number, items_of, pinned
from pef.models.containers.positions import bounded, flag, size
from pef.models.floats import sums


def _unordered(iterable: Any) -> Any:
    """The items of a set, for those who do not see their order."""
    if isinstance(iterable, (set, frozenset)) and is_keyed(iterable):
        items = items_of(iterable)
        if items is not None:
            return items
    return iterable


def sorted_model(*given: Any, **named: Any) -> Any:
    """`sorted`"""
    if len(given) == 1 and is_symbolic(given[0]) and isinstance(given[0], (str, bytes)):
        given = (iter(given[0]),)  # not the text itself: a list would ask it for its length
    elif len(given) == 1 and named.get("key") is None:
        given = (_unordered(given[0]),)
    return sorted(*given, **_options(named))


def _options(named: dict[str, Any]) -> dict[str, Any]:
    """The options with functions that may be handed symbolic values."""
    if callable(named.get("key")):
        named["key"] = _native.__pef_sel__(named["key"])
    if "reverse" in named:
        named["reverse"] = flag(named["reverse"])
    return named


def _extreme(real: Any) -> Callable[..., Any]:
    def model(*given: Any, **named: Any) -> Any:
        if len(given) == 1 and named.get("key") is None:
            given = (_unordered(given[0]),)
        if callable(named.get("key")):
            named["key"] = _native.__pef_sel__(named["key"])
        return real(*given, **named)

    model.__name__ = model.__qualname__ = real.__name__
    return model


max_model, min_model = _extreme(max), _extreme(min)


def any_model(*given: Any) -> bool:
    """`any`"""
    return any(*map(_unordered, given))


def all_model(*given: Any) -> bool:
    """`all`"""
    return all(*map(_unordered, given))


def sum_model(*given: Any, **named: Any) -> Any:
    """`sum`"""
    if given and isinstance(given[0], (set, frozenset)) and is_keyed(given[0]):
        items = items_of(given[0])
        # The sum of floats depends on their order.
        if items is not None and all(isinstance(item, int) for item in items):
            given = (items, *given[1:])
    return sums.sum_model(*given, **named)


def setitem_model(container: Any, key: Any, value: Any, /) -> None:
    """`operator.setitem`"""
    _native.__pef_at__(container)[key] = value


def delitem_model(container: Any, key: Any, /) -> None:
    """`operator.delitem`"""
    del _native.__pef_at__(container)[key]


def itemgetter_model(getter: Any) -> Any:
    """A getter of symbolic items asks as `[]` does."""
    keys = getter.__reduce__()[1]
    if not any(map(is_symbolic, keys)):
        return getter

    def get(container: Any, /) -> Any:
        found = tuple(_native.__pef_getitem__(container, key) for key in keys)
        return found[0] if len(found) == 1 else found

    return get


def _bisecting(real: Any) -> Callable[..., Any]:
    def model(a: Any, x: Any, lo: Any = 0, hi: Any = None, **named: Any) -> Any:
        if callable(named.get("key")):
            named["key"] = _native.__pef_sel__(named["key"])
        if is_symbolic_number(lo):
            lo = _lowest(lo, a)
        if is_symbolic_number(hi):
            hi = _highest(hi, a)
        return real(a, x, lo, hi, **named)

    model.__name__ = model.__qualname__ = real.__name__
    return model


def _lowest(lo: Any, items: Any) -> int:
    number = size(lo)
    if decide(number < 0, "domain"):
        raise ValueError("lo must be non-negative")
    at = bounded(number, 0, len(items) + 1)
    return at if at <= len(items) else int(pinned(number, "bisect"))


def _highest(hi: Any, items: Any) -> int:
    """-1 stands for the length, as the C code has it."""
    number = size(hi)
    at = bounded(number, -2, len(items) + 1)
    return at if at <= len(items) else int(pinned(number, "bisect"))


bisect_left_model, bisect_right_model = map(_bisecting, (bisect.bisect_left, bisect.bisect_right))
insort_left_model, insort_right_model = map(_bisecting, (bisect.insort_left, bisect.insort_right))
