"""`datetime`: dates, times and durations with symbolic parts.

Values without a time zone are followed; with one, and where the C library is asked (`strftime`,
`timestamp`), they are pinned. Comparisons are conditions over one number each, and the calendar is
arithmetic (`gregorian`), so that neither asks anything.
"""

from __future__ import annotations

import datetime as real
import functools
import operator
import re
from collections.abc import Callable
from typing import Any

from pef import _native
from pef._native import concrete, decide, is_symbolic, is_symbolic_number
from pef.models.twins import gregorian
from pef.models.twins.loading import load, rewritten
from pef.models.twins.values import (
    FIELDS,
    REAL,
    StandIn,
    built,
    is_twin,
    keys,
    known_ordinal,
    ordinal_of,
    parts_of,
)


@functools.cache
def _twins() -> dict[str, Any]:
    """The classes of the twin, by name."""
    namespace = load(_source(), "datetime", "_datetime", _with_base, {"StandIn": StandIn})
    namespace["_is_leap"] = gregorian.is_leap
    namespace["_days_in_month"] = gregorian.days_in_month
    namespace["_days_before_month"] = gregorian.days_before_month
    namespace["_ymd2ord"] = gregorian.ordinal_of
    namespace["_ord2ymd"] = gregorian.date_of
    twins = {name: namespace[name] for name in FIELDS}
    twins["timedelta"].__new__ = _duration_maker(twins["timedelta"].__new__)
    _count_days(twins)
    for name, twin in twins.items():
        twin.kind = name
        twin.__name__ = f"datetime.{name}"
        _native.register_stand_in(twin, REAL[name])
        _adapt(name, twin)
    _adapt_week(namespace["_IsoCalendarDate"])
    return twins


def prepare() -> None:
    """Rewrite the source, once for all processes that are forked afterwards."""
    rewritten(_source(), "datetime", _with_base, is_kept=True)


def _adapt_week(twin: Any) -> None:
    """What `isocalendar()` returns: a tuple with names."""
    week: Any = type(real.date(1, 1, 1).isocalendar())
    twin.__new__ = staticmethod(lambda cls, *parts: tuple.__new__(cls, parts))
    twin.__pef_plain__ = lambda self: week(*map(concrete, self))


def _source() -> str:
    try:
        import _pydatetime as module  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        module = real
    return str(module.__file__)


def _with_base(source: str) -> str:
    return re.sub(r"^class (timedelta|date|time):", r"class \1(StandIn):", source, flags=re.M)


def _duration_maker(original: Callable[..., Any]) -> Any:
    """`timedelta.__new__`, which goes by way of floats; ints need none."""

    def make(
        cls: type[StandIn],
        days: Any = 0,
        seconds: Any = 0,
        microseconds: Any = 0,
        milliseconds: Any = 0,
        minutes: Any = 0,
        hours: Any = 0,
        weeks: Any = 0,
    ) -> Any:
        given = (days, seconds, microseconds, milliseconds, minutes, hours, weeks)
        if not all(isinstance(part, int) for part in given):
            return original(cls, *given)
        carried, small = divmod(microseconds + milliseconds * 1000, 1_000_000)
        seconds = seconds + minutes * 60 + hours * 3600 + carried
        carried, seconds = divmod(seconds, 86_400)
        days = days + weeks * 7 + carried
        if decide(abs(days) > 999_999_999, "domain"):
            raise OverflowError("too many days")
        return built(cls, (days, seconds, small))

    return staticmethod(make)


_LAST_ORDINAL = real.date.max.toordinal()


def _count_days(twins: dict[str, Any]) -> None:
    """Makes dates that come from a number of days, or are parts of others, keep that number."""

    def from_ordinal(cls: type[StandIn], ordinal: Any, /) -> Any:
        if not (1 <= ordinal <= _LAST_ORDINAL):
            raise ValueError("ordinal")
        rest = (0,) * (len(FIELDS[cls.kind]) - 3)
        return built(cls, (*gregorian.date_of(ordinal), *rest), ordinal)

    def date_part(self: Any) -> Any:
        return built(twins["date"], parts_of(self, "date"), known_ordinal(self))

    combined = twins["datetime"].combine.__func__

    def combine(cls: type[StandIn], date: Any, time: Any, *zone: Any, **named: Any) -> Any:
        if zone or named or not (is_twin(date) and is_twin(time)):
            return combined(cls, date, time, *zone, **named)
        parts = (*parts_of(date, "date"), *parts_of(time, "time"))
        return built(cls, parts, known_ordinal(date))

    twins["date"].fromordinal = classmethod(from_ordinal)
    twins["date"].toordinal = ordinal_of
    twins["datetime"].date = date_part
    twins["datetime"].combine = classmethod(combine)


def twin_of(value: Any) -> Any:
    """The twin of a C object without a time zone; anything else is itself."""
    name = type(value).__name__
    if REAL.get(name) is not type(value) or getattr(value, "tzinfo", None) is not None:
        return value
    return built(_twins()[name], tuple(getattr(value, field) for field in FIELDS[name]))


def _plain(value: Any) -> Any:
    return value.__pef_plain__() if is_twin(value) else concrete(value)


def _complained(function: Callable[..., Any], arguments: Any, named: Any) -> Any:
    """What CPython says where the twin complained; it should be a complaint, too."""
    function(*map(_plain, arguments), **{name: _plain(value) for name, value in named.items()})
    return _native.guarded(function)(*arguments, **named)


def _adapt(name: str, twin: Any) -> None:
    """Makes the operators of a twin take C objects, and complain as CPython does."""
    for sign in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(twin, f"__{sign}__", _comparison(getattr(operator, sign)))
    for sign in ("add", "sub", "mul", "floordiv", "truediv", "mod"):
        _adapt_operator(twin, sign, getattr(operator, sign))
    _adapt_operator(twin, "divmod", divmod)
    twin.__hash__ = lambda self: hash(self.__pef_pinned__("hash"))
    if hasattr(twin, "replace"):
        twin.replace = _replacing(twin.replace, vars(REAL[name])["replace"])
    for settled in _SETTLED:
        if hasattr(REAL[name], settled):
            setattr(twin, settled, _settling(settled))


_SETTLED = (
    *("strftime", "__format__", "__reduce__", "__reduce_ex__", "utctimetuple"),
    *("timestamp", "astimezone", "ctime"),
)
"""Methods for which the C object is needed."""


def _replacing(method: Callable[..., Any], original: Any) -> Callable[..., Any]:
    """`replace`, which makes another value of the type; one with a time zone is one of C."""

    def replace(self: Any, *arguments: Any, **named: Any) -> Any:
        zone = named.get("tzinfo") or next(
            (value for value in arguments if isinstance(value, real.tzinfo)), None
        )
        if zone is not None:
            return _native.guarded(original)(self, *arguments, **named)
        try:
            return method(self, *arguments, **named)
        except Exception:
            return _complained(original, (self, *arguments), named)

    return replace


def _settling(name: str) -> Callable[..., Any]:
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        if name == "__format__" and arguments == ("",):
            return str(self)
        return getattr(self.__pef_pinned__(name), name)(*arguments, **named)

    return method


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        other = twin_of(other)
        if type(other) is type(self):
            return compare(*keys(self, other))
        if type(other) in REAL.values() or is_twin(other):
            # Of different types, or one without and one with a time zone: the values do not matter.
            return compare(_plain(self), _plain(other))
        if isinstance(other, tuple(REAL.values())):
            return compare(self.__pef_pinned__("comparison"), other)
        return NotImplemented

    return method


def _adapt_operator(twin: Any, sign: str, run: Callable[[Any, Any], Any]) -> None:
    direct = getattr(twin, f"__{sign}__", None)
    mirrored = getattr(twin, f"__r{sign}__", None)

    def method(self: Any, other: Any) -> Any:
        other = twin_of(other)
        if isinstance(other, tuple(REAL.values())) and not is_twin(other):
            return run(self.__pef_pinned__("operator"), other)
        if direct is None:
            return NotImplemented
        try:
            return direct(self, other)
        except Exception:
            return _complained(run, (self, other), {})

    def reflected(self: Any, other: Any) -> Any:
        left = twin_of(other)
        if left is not other:
            return run(left, self)
        if isinstance(other, tuple(REAL.values())) and not is_twin(other):
            return run(other, self.__pef_pinned__("operator"))
        if mirrored is None:
            return NotImplemented
        try:
            return mirrored(self, other)
        except Exception:
            return _complained(run, (other, self), {})

    setattr(twin, f"__{sign}__", method)
    setattr(twin, f"__r{sign}__", reflected)


def _constructor(name: str) -> Callable[..., Any]:
    kind = REAL[name]

    def model(*arguments: Any, **named: Any) -> Any:
        given = (*arguments, *named.values())
        zone = named.get("tzinfo") or next((a for a in given if isinstance(a, real.tzinfo)), None)
        # A pickled date is a date made from text.
        pickled = isinstance(next(iter(given), None), (str, bytes))
        if zone is not None or (pickled and name != "timedelta"):
            return _native.guarded(kind)(*arguments, **named)
        if name != "timedelta" and not _all_fit(given):
            return _complained(kind, arguments, named)
        try:
            return _twins()[name](*arguments, **named)
        except Exception:
            return _complained(kind, arguments, named)

    return model


def _all_fit(given: tuple[Any, ...]) -> bool:
    """Whether the ints are ints of C, which come first; asked for each."""
    return all(
        decide((value >= -(2**31)) & (value < 2**31), "domain")
        for value in given
        if is_symbolic_number(value)
    )


def _class_method(name: str) -> Callable[..., Any]:
    """The model for all classes that have the method: a subclass inherits it."""

    def model(cls: type, *arguments: Any, **named: Any) -> Any:
        original = getattr(cls, name)
        if REAL.get(cls.__name__) is not cls:
            return _native.guarded(original)(*arguments, **named)
        arguments = tuple(map(twin_of, arguments))
        if any(map(is_symbolic, arguments)) and not _all_fit(arguments):
            return _complained(original, arguments, named)
        try:
            return getattr(_twins()[cls.__name__], name)(*arguments, **named)
        except Exception:
            return _complained(original, arguments, named)

    return model


def _replace_model(original: Any) -> Callable[..., Any]:
    """`replace` of a C object, with something symbolic."""

    def model(receiver: Any, *arguments: Any, **named: Any) -> Any:
        twin = twin_of(receiver)
        if not is_twin(twin):
            return _native.guarded(original)(receiver, *arguments, **named)
        return twin.replace(*arguments, **named)

    return model


_CLASS_METHODS = {
    "date": ("fromordinal", "fromisoformat", "fromisocalendar"),
    "time": ("fromisoformat",),
    "datetime": ("fromordinal", "fromisoformat", "fromisocalendar", "combine"),
}


def install() -> None:
    """Registers what rewritten code may call; the twin itself is loaded when it is needed."""
    _native.watch_operators(real.timedelta, twin_of)
    for name, kind in REAL.items():
        _native.register_guarded(kind, _constructor(name))
        for method in _CLASS_METHODS.get(name, ()):
            _native.register_guarded(getattr(kind, method), _class_method(method))
        if hasattr(kind, "replace"):
            replace = vars(kind)["replace"]
            _native.register_guarded(replace, _replace_model(replace))
