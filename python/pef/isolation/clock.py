"""Clocks that stand still unless someone looks or sleeps.

Every clock of `time` and `datetime` begins at the same moment in every run and every replay, goes
on by a millisecond at each look and by as much as the program sleeps. Who waits with a clock, as
event loops do, needs a true one: libraries have it, the program has not.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable

from pef.isolation.arrival import on_arrival
from pef.isolation.asking import who_asks
from pef.isolation.replacing import Replacement, surrendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from typing import Any

_true_time_ns = time.time_ns
START = 1_700_000_000.0
"""What `time.time()` begins with: 14 November 2023, 22:13:20 UTC."""
_STEP_NS = 1_000_000
"""How much later it is each time someone looks."""
_SECOND_NS = 1_000_000_000
_BEGUN_NS = 1_000 * _SECOND_NS
"""What a clock begins with that counts from no particular moment."""
_STEADY = ("monotonic", "perf_counter", "process_time", "thread_time")
_GREGORIAN_100NS = 0x01B21DD213814000
"""From 15 October 1582 to 1970, as UUIDs count."""


class Clock:
    """Time that passes only when someone looks."""

    reason = "the clock is set"

    def __init__(self) -> None:
        self._start_ns = int(START) * _SECOND_NS
        self._is_true = False
        self._utc: datetime.tzinfo | None = None
        self._passed = 0
        self.is_used = False

    def replacements(self) -> list[Replacement]:
        """Everything in `time` that looks here."""
        made: dict[str, object] = {
            "time": self.time,
            "time_ns": self.time_ns,
            "sleep": self._sleeping(time.sleep),
            "localtime": self._at_present(time.localtime),
            "gmtime": self._at_present(time.gmtime),
            "ctime": self._at_present(time.ctime),
            "asctime": self._broken_down(time.asctime, 0),
            "strftime": self._broken_down(time.strftime, 1),
        }
        for name in _STEADY:
            if hasattr(time, name):
                made[name] = self._steady(getattr(time, name), _SECOND_NS)
                made[f"{name}_ns"] = self._steady(getattr(time, f"{name}_ns"), None)
        if hasattr(time, "clock_gettime"):
            made["clock_gettime"] = self._chosen(time.clock_gettime, _SECOND_NS)
            made["clock_gettime_ns"] = self._chosen(time.clock_gettime_ns, None)
        return [Replacement(time, name, value) for name, value in made.items()]

    def fix(self) -> None:
        """Make this process look here."""
        on_arrival("datetime", self._fix_datetime)

    def _fix_datetime(self, module: Any) -> None:
        self._utc = module.timezone.utc
        _give_methods(module.datetime, now=self._now, utcnow=self._utcnow)

    def time_ns(self) -> int:
        """As `time.time_ns`."""
        self.is_used = True
        return self._start_ns + self._look()

    def time(self) -> float:
        """As `time.time`."""
        return self.time_ns() / _SECOND_NS

    def ticks(self) -> int:
        """The time as UUIDs count it."""
        return self.time_ns() // 100 + _GREGORIAN_100NS

    def capture(self) -> None:
        """Begin now."""
        self.restore()
        self.is_used = False

    def restore(self) -> None:
        """Begin anew."""
        self._passed = 0

    def be_true(self) -> None:
        """Begin at the moment that it really is, and let the other clocks go as they do."""
        self._start_ns = _true_time_ns()
        self._is_true = True

    def _look(self) -> int:
        self._passed += _STEP_NS
        return self._passed

    def _sleeping(self, plain: Callable[[Any], None]) -> Callable[[Any], None]:
        def sleep(seconds: Any, /) -> None:
            plain(seconds)
            self._passed += int(float(seconds) * _SECOND_NS)

        return sleep

    def _steady(self, plain: Callable[[], Any], per: int | None) -> Callable[[], Any]:
        """A clock that counts from no particular moment, in nanoseconds divided by `per`."""

        def steady() -> Any:
            asking = who_asks()
            self.is_used |= asking != "ground"
            if asking != "project" or self._is_true:
                return plain()
            now = _BEGUN_NS + self._look()
            return now if per is None else now / per

        return steady

    def _chosen(self, plain: Callable[[int], Any], per: int | None) -> Callable[[int], Any]:
        """`time.clock_gettime`: one of many clocks."""

        def clock_gettime(clk_id: int, /) -> Any:
            asking = who_asks()
            self.is_used |= asking != "ground"
            if asking != "project" or self._is_true:
                return plain(clk_id)
            begun = self._start_ns if clk_id == time.CLOCK_REALTIME else _BEGUN_NS
            now = begun + self._look()
            return now if per is None else now / per

        return clock_gettime

    def _at_present(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A function of seconds, which means now without them."""

        def at(seconds: Any = None, /) -> Any:
            given = self.time() if seconds is None else seconds
            return plain(surrendered(given, f"time.{plain.__name__}"))

        return at

    def _broken_down(self, plain: Callable[..., Any], index: int) -> Callable[..., Any]:
        """A function of a `struct_time`, its argument number `index`, which means now without."""

        def of(*args: Any) -> Any:
            given = surrendered(args, f"time.{plain.__name__}")
            return plain(*given, time.localtime()) if len(given) == index else plain(*given)

        return of

    def _now(self, cls: Any, tz: datetime.tzinfo | None = None) -> Any:
        """As `datetime.now`."""
        return cls.fromtimestamp(self.time(), tz)

    def _utcnow(self, cls: Any) -> Any:
        """As `datetime.utcnow`, deprecation and all."""
        if sys.version_info >= (3, 12):
            import warnings

            text = "datetime.datetime.utcnow() is deprecated"
            warnings.warn(text, DeprecationWarning, stacklevel=2)
        return cls.fromtimestamp(self.time(), self._utc).replace(tzinfo=None)


def _give_methods(kind: type, **methods: Callable[..., Any]) -> None:
    """Give a type of C code other class methods.

    Its dictionary is hidden behind a proxy, and a subclass in its place would be another type.
    """
    from pef import _native

    [inside] = gc.get_referents(vars(kind))
    for name, method in methods.items():

        def call(cls: Any, /, *args: Any, _method: Any = method, **kwargs: Any) -> Any:
            return _method(cls, *args, **kwargs)

        call.__name__ = name
        call.__qualname__ = f"{kind.__qualname__}.{name}"
        inside[name] = classmethod(call)
    _native.type_changed(kind)
