"""Positions and counts that C code would read: decided, one outcome per result that differs.

An index beyond the end of a slice means the end, so a bound of a slice of n items has n + 1
outcomes, whatever its value. A number of repetitions has one for each number.
"""

from __future__ import annotations

import operator
import sys
from typing import Any

from pef import _native
from pef._native import as_int, concrete, decide, decide_among, is_symbolic_number, pinned

_WIDEST = 64
"""In a longer sequence positions are not told apart."""

_MOST = 1 << 12
"""A count beyond this is pinned."""

_TOO_LARGE = "Python int too large to convert to C ssize_t"


def index(value: Any) -> Any:
    """`operator.index(value)`, which may be symbolic."""
    return as_int(value) if is_symbolic_number(value) else operator.index(value)


def size(value: Any) -> Any:
    """An index that C code keeps in a `Py_ssize_t`."""
    number = index(value)
    if decide((number > sys.maxsize) | (number < -sys.maxsize - 1), "domain"):
        raise OverflowError(_TOO_LARGE)
    return number


def bounded(number: Any, low: int, high: int) -> int:
    """The number, at least `low` and at most `high`, by one decision."""
    if not is_symbolic_number(number):
        return int(min(max(number, low), high))
    if low == high:
        return low
    between = [number == value for value in range(low + 1, high)]
    return low + decide_among([number <= low, *between, number >= high], "index")


def counted(number: Any, name: str) -> int:
    """The value of a number that is not negative, told by decisions."""
    if not is_symbolic_number(number):
        return int(number)
    known = 0
    while decide(number > known, "domain"):
        known += 1
        if known > _MOST:
            return int(pinned(number, name))
    return known


def clamped(bound: Any, length: int) -> int:
    """The position among `length` items where a slice that starts at `bound` does."""
    return _place(bound, 0, length, length)


def _place(bound: Any, low: int, high: int, length: int) -> int:
    """A bound counted from the start, from `low` to `high`: one decision."""
    if not is_symbolic_number(bound):
        return int(min(max(bound + length if bound < 0 else bound, low), high))
    if low == high:
        return low
    if length > _WIDEST:
        return _place(pinned(bound, "index into a long sequence"), low, high, length)
    first = bound <= low - length
    first = first | (bound == low) if low >= 0 else first
    last = bound >= high
    last = last | (bound == high - length) if high < length else last
    between = [(bound == at) | (bound == at - length) for at in range(low + 1, high)]
    return low + decide_among([first, *between, last], "index")


def settled_slice(container: Any, bounds: slice) -> slice:
    """A plain slice that means the same items of the container."""
    length = len(container)
    step = None if bounds.step is None else _settled_step(_bound(bounds.step), length)
    start = None if bounds.start is None else _bound(bounds.start)
    stop = None if bounds.stop is None else _bound(bounds.stop)
    low, high = (0, length) if step is None or step > 0 else (-1, length - 1)
    if start is not None:
        start = _written(_place(start, low, high, length), length)
    if stop is not None:
        stop = _written(_place(stop, low, high, length), length)
    return slice(start, stop, step)


def _written(place: int, length: int) -> int:
    """A place before the first item has to be written as one far from the end."""
    return place if place >= 0 else -length - 1


def _settled_step(step: Any, length: int) -> int:
    if not is_symbolic_number(step):
        return int(step)
    if decide(step == 0, "domain"):
        raise ValueError("slice step cannot be zero")
    if length > _WIDEST:
        return int(pinned(step, "step through a long sequence"))
    # Whether it is 1 matters to assignments.
    widest = max(length, 2)
    if decide(step > 0, "domain"):
        return bounded(step, 1, widest)
    return bounded(step, -widest, -1)


def _bound(value: Any, kinds: str = "integers or None or") -> Any:
    if is_symbolic_number(value):
        return as_int(value)
    if hasattr(type(value), "__index__"):
        return operator.index(value)
    raise TypeError(f"slice indices must be {kinds} have an __index__ method")


def settle_count(items: Any, count: Any) -> None:
    """Decides what `items * count` needs to know; CPython reads the number after that."""
    number = as_int(count)
    if decide((number > sys.maxsize) | (number < -sys.maxsize - 1), "domain"):
        return
    if len(items) == 0 or decide(number <= 0, "domain"):
        return
    counted(number, "*")


def flag(value: Any) -> Any:
    """An argument that C code reads as a truth: plain if it was one of ours."""
    if not is_symbolic_number(value):
        return value
    number = as_int(value)
    # Before 3.12 it is read as a C int.
    if sys.version_info < (3, 12) and decide((number >= 2**31) | (number < -(2**31)), "domain"):
        raise OverflowError("Python int too large to convert to C int")
    return decide(number != 0, "domain")


def sliced_index(value: Any, length: int) -> int:
    """A bound of `index(x, start, stop)`, which is read as one of a slice."""
    return clamped(_bound(value, "integers or"), length)


def plain_index(container: Any, value: Any) -> int:
    """The plain index of one item, after the decision which; it may be out of range."""
    number = size(value)
    if not is_symbolic_number(number):
        return int(number)
    return int(concrete(_native.settled_index(container, number)))
