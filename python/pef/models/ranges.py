"""`range` with symbolic bounds.

`range` cannot be subclassed, so this is a class of its own that passes for it: `isinstance`, `type`
and every operation behave alike. Nothing is decided when it is made, except what `range()` itself
checks; each step of an iteration asks whether there is one more.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from operator import index as plain_index
from typing import Any, TypeGuard

from pef import _native
from pef._native import as_int, decide, is_symbolic_number

_FIRST_TOO_LONG = sys.maxsize + 1


def range_model(*arguments: Any, **named: Any) -> Any:
    """Stands in for calls of `range`."""
    if named or len(arguments) > 3 or not any(map(is_symbolic_number, arguments)):
        return range(*arguments, **named)
    numbers = [
        as_int(value) if is_symbolic_number(value) else plain_index(value) for value in arguments
    ]
    step = numbers[2] if len(numbers) == 3 else 1
    if decide(step == 0, "domain"):
        raise ValueError("range() arg 3 must not be zero")
    if len(numbers) == 1:
        return SymRange(0, numbers[0], 1)
    return SymRange(numbers[0], numbers[1], step)


class SymRange:
    """A `range` of which a bound is symbolic."""

    __slots__ = ("start", "step", "stop")
    start: int
    stop: int
    step: int

    def __init__(self, start: int, stop: int, step: int) -> None:
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "stop", stop)
        object.__setattr__(self, "step", step)

    def __setattr__(self, name: str, value: object) -> None:
        if name in SymRange.__slots__:
            raise AttributeError("readonly attribute")
        raise AttributeError(f"'range' object has no attribute {name!r}")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return range

    def _rises(self) -> bool:
        return decide(self.step > 0, "domain")

    def _is_before_stop(self, value: int, rises: bool) -> bool:
        return value < self.stop if rises else value > self.stop

    def _count(self) -> int:
        """The number of elements; whether there are any is decided."""
        rises = self._rises()
        if not decide(self._is_before_stop(self.start, rises), "domain"):
            return 0
        if rises:
            return (self.stop - self.start - 1) // self.step + 1
        return (self.start - self.stop - 1) // -self.step + 1

    def __len__(self) -> int:
        count = self._count()
        if decide(count >= _FIRST_TOO_LONG, "domain"):
            raise OverflowError("Python int too large to convert to C ssize_t")
        return count

    def __bool__(self) -> bool:
        return decide(self._is_before_stop(self.start, self._rises()), "domain")

    def __iter__(self) -> Iterator[int]:
        return _steps(self, self.start, self.step)

    def __reversed__(self) -> Iterator[int]:
        count = self._count()
        first = self.start + (count - 1) * self.step
        mirrored = SymRange(first, self.start - self.step, -self.step)
        return _steps(mirrored, first, -self.step)

    def __contains__(self, value: object) -> bool:
        if not _is_number(value):
            return any(value is item or value == item for item in self)
        if self._rises():
            inside = self.start <= value < self.stop
        else:
            inside = self.stop < value <= self.start
        return inside and (value - self.start) % self.step == 0

    def __getitem__(self, key: object) -> object:
        if isinstance(key, slice):
            return self._slice(key)
        if not hasattr(type(key), "__index__"):
            name = _native.model_type(key).__name__
            raise TypeError(f"range indices must be integers or slices, not {name}")
        position = as_int(key) if is_symbolic_number(key) else plain_index(key)  # type: ignore[arg-type]
        count = self._count()
        if decide(position < 0, "domain"):
            position = position + count
        if decide(position < 0, "domain") or decide(position >= count, "domain"):
            raise IndexError("range object index out of range")
        return self.start + position * self.step

    def _slice(self, key: slice) -> SymRange:
        # CPython's own arithmetic for slices needs a plain length.
        count = _native.pinned(self._count(), "range.__getitem__")
        first, last, stride = (
            _native.pinned(part, "range.__getitem__") for part in (key.start, key.stop, key.step)
        )
        first, last, stride = slice(first, last, stride).indices(count)
        start = self.start + first * self.step
        return SymRange(start, self.start + last * self.step, self.step * stride)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, range):
            return NotImplemented
        mine, theirs = self._count(), _count_of(other)
        if mine != theirs:
            return False
        if mine == 0:
            return True
        if self.start != other.start:
            return False
        return mine == 1 or self.step == other.step

    def __hash__(self) -> int:
        count = self._count()
        if count == 0:
            return hash((0, None, None))
        if count == 1:
            return hash((1, self.start, None))
        return hash((count, self.start, self.step))

    def count(self, value: object) -> int:
        """As `range.count`."""
        if _is_number(value):
            return 1 if value in self else 0
        return sum(1 for item in self if item is value or item == value)

    def index(self, value: object) -> int:
        """As `range.index`."""
        if _is_number(value):
            if value in self:
                return (value - self.start) // self.step
            raise ValueError(f"{value!r} is not in range")
        for position, item in enumerate(self):
            if item is value or item == value:
                return position
        raise ValueError("sequence.index(x): x not in sequence")

    def __repr__(self) -> str:
        if not is_symbolic_number(self.step) and self.step == 1:
            return f"range({self.start!r}, {self.stop!r})"
        return f"range({self.start!r}, {self.stop!r}, {self.step!r})"

    def __reduce__(self) -> tuple[type, tuple[int, int, int]]:
        return range, (self.start, self.stop, self.step)


SymRange.__name__ = SymRange.__qualname__ = "range"


def _steps(bounds: SymRange, value: int, step: int) -> Iterator[int]:
    rises = bounds._rises()
    while decide(bounds._is_before_stop(value, rises), "for"):
        yield value
        value = value + step


def _count_of(other: Any) -> int:
    return other._count() if type(other) is SymRange else len(other)


def _is_number(value: object) -> TypeGuard[int]:
    return is_symbolic_number(value) or type(value) in (int, bool)


_native.register_stand_in(SymRange, range)
_native.register_lazy(SymRange)
