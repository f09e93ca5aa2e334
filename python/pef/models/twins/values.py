"""The values of the twin of `datetime`, and what they are compared by.

A date that was computed from its number of days keeps that number: to find the date again from
year, month and day is easy, but a solver would have to see it.
"""

from __future__ import annotations

import datetime as real
from collections.abc import Callable
from typing import Any

from pef._native import concrete, pinned
from pef.models.twins import gregorian

FIELDS: dict[str, tuple[str, ...]] = {
    "timedelta": ("days", "seconds", "microseconds"),
    "date": ("year", "month", "day"),
    "time": ("hour", "minute", "second", "microsecond", "fold"),
    "datetime": (
        *("year", "month", "day", "hour", "minute", "second", "microsecond"),
        "fold",
    ),
}
REAL: dict[str, type] = {name: getattr(real, name) for name in FIELDS}


class StandIn:
    """The base of the twins: a value that passes for one of the C class."""

    __slots__ = ("_ordinal",)
    _ordinal: Any
    kind = ""
    """The name of the C class; `__name__` is what messages call it."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return REAL.get(type(self).kind, type(self))

    def __pef_plain__(self) -> Any:
        """The C object, nothing being recorded."""
        return self._made(concrete)

    def __pef_pinned__(self, name: str) -> Any:
        """The C object for a function of this name, whose parts are pinned."""
        return self._made(lambda part: pinned(part, name))

    def _made(self, settled: Callable[[Any], Any]) -> Any:
        name = type(self).kind
        parts = {field: settled(getattr(self, f"_{field}")) for field in FIELDS[name]}
        return REAL[name](**parts)

    def __copy__(self) -> StandIn:
        return self

    def __deepcopy__(self, memo: object) -> StandIn:
        return self


def is_twin(value: object) -> bool:
    """Whether the value is one of these."""
    return issubclass(type(value), StandIn)


def built(twin: type[StandIn], parts: tuple[Any, ...], ordinal: Any = None) -> Any:
    """An instance with these parts, which are known to fit."""
    value: Any = object.__new__(twin)
    for field, part in zip(FIELDS[twin.kind], parts, strict=True):
        setattr(value, f"_{field}", part)
    value._hashcode = -1
    if hasattr(twin, "tzinfo"):
        value._tzinfo = None
    if ordinal is not None:
        value._ordinal = ordinal
    return value


def parts_of(value: Any, name: str) -> tuple[Any, ...]:
    """The parts of a twin that a value of the named type has."""
    return tuple(getattr(value, f"_{field}") for field in FIELDS[name])


def known_ordinal(value: Any) -> Any:
    """The number of days the date was computed from, if it was."""
    return getattr(value, "_ordinal", None)


def ordinal_of(value: Any) -> Any:
    """`date.toordinal`."""
    ordinal = known_ordinal(value)
    if ordinal is not None:
        return ordinal
    return gregorian.ordinal_of(value._year, value._month, value._day)


def keys(a: Any, b: Any) -> tuple[Any, Any]:
    """Two numbers that are ordered as the two values of one type are."""
    name = type(a).kind
    if name == "timedelta":
        return a._to_microseconds(), b._to_microseconds()
    if name == "time":
        return _time_key(a), _time_key(b)
    counted = known_ordinal(a) is not None or known_ordinal(b) is not None
    date_key = ordinal_of if counted else _date_key
    if name == "date":
        return date_key(a), date_key(b)
    return date_key(a) * _DAY + _time_key(a), date_key(b) * _DAY + _time_key(b)


_DAY = 86_400 * 1_000_000


def _date_key(value: Any) -> Any:
    return (value._year * 16 + value._month) * 32 + value._day


def _time_key(value: Any) -> Any:
    seconds = (value._hour * 60 + value._minute) * 60 + value._second
    return seconds * 1_000_000 + value._microsecond
