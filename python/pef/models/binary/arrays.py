"""`bytearray` whose bytes may be symbolic.

A subclass that holds the plain bytes as any bytearray does, so that C code can read and write them,
and beside them the symbolic ones. Where C code has changed a byte, what is beside it no longer
counts. How many bytes there are is always known: it is decided when the array is made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from pef import _native
from pef._native import apply, concrete, decide, is_symbolic, is_symbolic_number
from pef.models import later
from pef.models.binary import METHODS, hexadecimal
from pef.models.binary.buffers import number, octet, out_of_range
from pef.models.binary.construction import ABSENT, gathered, initial
from pef.models.binary.octets import from_octets, joined, octets
from pef.models.text.calling import Model, Unfit, attempted, contents, is_about_the_call, size
from pef.models.text.joining import repeated
from pef.models.text.printing import text_shown
from pef.models.text.replacing import replace
from pef.models.text.slicing import slice_of

_OUTSIDE = "byte must be in range(0, 256)"
_store = bytearray.__setitem__


class SymByteArray(bytearray):
    """A `bytearray` with symbolic bytes."""

    __slots__ = ("_cells", "_whole")
    _cells: list[Any]
    """The bytes as numbers."""
    _whole: Any
    """All of them as one, while that is known."""

    def __init__(self, data: Any = b"") -> None:
        super().__init__(concrete(data))
        self._cells = octets(data)
        self._whole = data

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return bytearray

    def __pef_plain__(self) -> bytearray:
        return bytearray(memoryview(self))

    def __pef_contents__(self) -> Any:
        """All bytes as `bytes`."""
        cells = self._current()
        if self._whole is None:
            self._whole = from_octets(cells)
        return self._whole

    def __pef_write__(self, start: Any, data: Any) -> None:
        """Replaces the bytes from `start` on, which are there."""
        numbers = octets(data)
        place = self._decided(start)
        self._replace(slice(place, place + len(numbers)), numbers)

    def _current(self) -> list[Any]:
        """The cells, brought up to date with the buffer."""
        held = memoryview(self).tobytes()
        if len(held) != len(self._cells) or held != bytes(map(concrete, self._cells)):
            same = len(held) == len(self._cells)
            pairs = zip(self._cells if same else held, held, strict=True)
            self._cells = [cell if concrete(cell) == byte else byte for cell, byte in pairs]
            self._whole = None
        return self._cells

    def _replace(self, where: Any, numbers: list[Any]) -> None:
        """Puts numbers, all of them bytes, in the place of a plain slice."""
        cells = self._current()
        _store(self, where, bytes(map(concrete, numbers)))
        cells[where] = numbers
        self._whole = None

    def _decided(self, bound: Any) -> int:
        """A position or bound; those outside are told apart no further than needed."""
        if not is_symbolic(bound):
            return int(bound)
        most = len(self._cells)
        known = -most - 1
        while known < most and not decide(bound <= known, "domain"):
            known += 1
        return known

    def _plain_key(self, key: Any) -> Any:
        if isinstance(key, slice):
            bounds = (key.start, key.stop)
            start, stop = (None if each is None else self._decided(number(each)) for each in bounds)
            step = None if key.step is None else _native.pinned(key.step, "bytearray[::step]")
            return slice(start, stop, step)
        return self._position(key) if is_symbolic_number(key) else key

    def _position(self, key: Any) -> int:
        """A symbolic index, decided; CPython says what is wrong with one outside."""
        index = number(key)
        place = self._decided(index)
        if not _inside(self, place):
            raise out_of_range(index, "bytearray index out of range")
        return place

    def __len__(self) -> int:
        return super().__len__()

    def __bool__(self) -> bool:
        return super().__len__() > 0

    def __iter__(self) -> Iterator[Any]:
        place = 0
        while place < super().__len__():
            yield self._current()[place]
            place += 1

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._current()[::-1])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            if any(map(is_symbolic, (key.start, key.stop, key.step))):
                return SymByteArray(slice_of(self.__pef_contents__(), key))
            return SymByteArray(from_octets(self._current()[key]))
        if not is_symbolic_number(key):
            super().__getitem__(key)
            return self._current()[key]
        position, count = number(key), len(self._cells)
        if decide(position < 0, "domain"):
            position = position + count
        if not decide((position >= 0) & (position < count), "domain"):
            raise out_of_range(number(key), "bytearray index out of range")
        return apply("at", self.__pef_contents__(), position)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            self._assign(self._plain_key(key), value)
            return
        if not hasattr(type(key), "__index__"):
            _store(self, key, 0)
        index = self._index(number(key))
        code = octet(value)
        place = self._decided(index)
        cells = self._current()
        _store(self, place, concrete(code))
        cells[place] = code
        self._whole = None

    def _index(self, index: Any) -> Any:
        """An index that C can hold; whether it is a position is asked later."""
        if decide((index > sys.maxsize) | (index < -sys.maxsize - 1), "domain"):
            raise IndexError("cannot fit 'int' into an index-sized integer")
        return index

    def _assign(self, where: slice, value: Any) -> None:
        if isinstance(value, str) or hasattr(type(value), "__index__"):
            _store(self, where, value)
        try:
            numbers = octets(gathered(value, _OUTSIDE))
        except Unfit:
            _store(self, where, value)
            raise
        self._replace(where, numbers)

    def __delitem__(self, key: Any) -> None:
        where = self._plain_key(key)
        cells = self._current()
        super().__delitem__(where)
        del cells[where]
        self._whole = None

    def __contains__(self, item: Any) -> Any:
        return _native.__pef_in__(item, self.__pef_contents__())

    def __add__(self, other: Any) -> Any:
        return self._joined(other, lambda mine, theirs: joined([mine, theirs]))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, bytes):
            return NotImplemented
        return joined([other, self.__pef_contents__()])

    def _joined(self, other: Any, join: Callable[[Any, Any], Any]) -> Any:
        try:
            theirs = contents(other)
        except Unfit:
            return bytearray.__add__(self, other)
        return SymByteArray(join(self.__pef_contents__(), theirs))

    def __iadd__(self, other: Any) -> SymByteArray:
        try:
            numbers = octets(contents(other))
        except Unfit:
            bytearray.__iadd__(self, other)
            raise
        self._replace(slice(len(self), None), numbers)
        return self

    def _copies(self, count: Any) -> Any:
        product = repeated(self.__pef_contents__(), count)
        if product is NotImplemented:
            name = _native.model_type(count).__name__
            raise TypeError(f"can't multiply sequence by non-int of type '{name}'")
        return product

    def __mul__(self, count: Any) -> Any:
        return SymByteArray(self._copies(count))

    __rmul__ = __mul__

    def __imul__(self, count: Any) -> SymByteArray:
        self._replace(slice(None), octets(self._copies(count)))
        return self

    def __mod__(self, values: Any) -> Any:
        return SymByteArray(self.__pef_contents__() % values)

    def _compared(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        try:
            return compare(self.__pef_contents__(), contents(other))
        except Unfit:
            return NotImplemented

    def __eq__(self, other: object) -> Any:
        return self._compared(other, lambda mine, theirs: mine == theirs)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, lambda mine, theirs: mine != theirs)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, lambda mine, theirs: mine < theirs)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, lambda mine, theirs: mine <= theirs)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, lambda mine, theirs: mine > theirs)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, lambda mine, theirs: mine >= theirs)

    __hash__ = None

    def __repr__(self) -> Any:
        data = self.__pef_contents__()
        shown = text_shown(data)
        # Between double quotes `bytes` leaves a single one as it is.
        single, double = (apply("contains", data, quote) for quote in (b"'", b'"'))
        if decide(single, "domain") and not decide(double, "domain"):
            shown = replace(shown, "'", "\\'")
        return joined(["bytearray(", shown, ")"])

    __str__ = __repr__

    def __copy__(self) -> SymByteArray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> SymByteArray:
        return self.copy()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return bytearray(_native.pinned(self.__pef_contents__(), "pickling")).__reduce_ex__(
            protocol
        )

    def append(self, item: Any, /) -> None:
        """As `bytearray.append`."""
        self._replace(slice(len(self), None), [octet(item)])

    def extend(self, items: Any, /) -> None:
        """As `bytearray.extend`."""
        try:
            numbers = octets(gathered(items, _OUTSIDE))
        except Unfit:
            super().extend(items)
            raise
        self._replace(slice(len(self), None), numbers)

    def insert(self, index: Any, item: Any, /) -> None:
        """As `bytearray.insert`."""
        place = self._decided(size(index))
        code = octet(item)
        cells = self._current()
        super().insert(place, concrete(code))
        cells.insert(place, code)
        self._whole = None

    def pop(self, index: Any = -1, /) -> Any:
        """As `bytearray.pop`."""
        place = self._decided(size(index))
        cells = self._current()
        super().pop(place)
        self._whole = None
        return cells.pop(place)

    def remove(self, value: Any, /) -> None:
        """As `bytearray.remove`."""
        code = octet(value)
        for place, cell in enumerate(self._current()):
            if decide(cell == code, "domain"):
                del self[place]
                return
        raise ValueError("value not found in bytearray")

    def clear(self) -> None:
        """As `bytearray.clear`."""
        super().clear()
        self._cells, self._whole = [], b""

    def reverse(self) -> None:
        """As `bytearray.reverse`."""
        self._replace(slice(None), self._current()[::-1])

    def copy(self) -> SymByteArray:
        """As `bytearray.copy`."""
        return SymByteArray(self.__pef_contents__())


SymByteArray.__name__ = SymByteArray.__qualname__ = "bytearray"


def _inside(array: SymByteArray, place: int) -> bool:
    count = len(array)
    return -count <= place < count


def _rewrapped(value: Any) -> Any:
    """What a method of `bytes` gives, with bytearrays in the place of bytes."""
    if isinstance(value, bytes):
        return SymByteArray(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_rewrapped, value))
    return value


def _method(model: Model) -> Model:
    """The method of `bytes` for a bytearray."""

    def method(array: Any, /, *given: Any, **named: Any) -> Any:
        try:
            return _rewrapped(model(contents(array), *given, **named))
        except TypeError as problem:
            if is_about_the_call(problem):
                raise Unfit from None
            raise

    return method


def bytearray_model(source: Any = ABSENT, /, *coding: Any, **named: Any) -> Any:
    """`bytearray`"""
    return SymByteArray(initial(bytearray, source, coding, named, _OUTSIDE))


def from_digits(kind: Any, text: Any, /) -> Any:
    """`bytearray.fromhex`"""
    found = hexadecimal.fromhex(bytes, text)
    return SymByteArray(found) if kind in (bytearray, SymByteArray) else kind(found)


def _complete() -> None:
    """Gives the class its other methods, and lets it pass for that of CPython."""
    for name, model in METHODS.items():
        method = attempted(getattr(bytearray, name), _method(later.loaded(model)))
        setattr(SymByteArray, name, method)
    for name in ("append", "clear", "copy", "extend", "insert", "pop", "remove", "reverse"):
        method = attempted(getattr(bytearray, name), vars(SymByteArray)[name])
        setattr(SymByteArray, name, method)
    _native.register_stand_in(SymByteArray, bytearray)
    _native.register_sequence(SymByteArray)


_complete()
