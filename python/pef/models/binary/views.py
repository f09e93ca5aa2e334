"""`memoryview` of symbolic bytes.

`memoryview` cannot be subclassed, so this is a class of its own that passes for it. It holds a real
view of the plain bytes, which says what is wrong with a call and keeps a bytearray from changing
its size, and beside it the bytes themselves: those of a `bytes` object, or places in a bytearray of
ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pef import _native
from pef._native import apply, concrete, decide, is_symbolic, is_symbolic_number
from pef.models.binary.arrays import SymByteArray
from pef.models.binary.buffers import number, out_of_range
from pef.models.binary.hexadecimal import hex_of
from pef.models.binary.octets import from_octets, octets
from pef.models.text.calling import Unfit, contents
from pef.models.text.slicing import slice_of
from pef.models.text.terms import length

_OUTSIDE = "index out of bounds on dimension 1"


def _same(name: str) -> Any:
    """An attribute of the real view."""
    return property(lambda view: getattr(view._real, name), doc=f"As `memoryview.{name}`.")


class SymMemoryView:
    """A `memoryview` of one dimension and single bytes."""

    __slots__ = ("_array", "_data", "_object", "_places", "_real")

    def __init__(
        self,
        real: memoryview,
        data: Any = None,
        array: SymByteArray | None = None,
        places: range = range(0),
    ) -> None:
        self._real = real
        """The same bytes, plain."""
        self._data = data
        """The bytes, unless they are those of an array."""
        self._object = data if array is None else array
        """What the view is one of; a slice of it is so too."""
        self._array = array
        self._places = places

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return memoryview

    def __pef_plain__(self) -> memoryview:
        return self._real

    def __pef_surrender__(self, name: str) -> memoryview:
        """The real view, of bytes that are pinned."""
        _native.pinned(self._data if self._array is None else self._array, name)
        return self._real

    def __pef_contents__(self) -> Any:
        """The bytes in view."""
        self._check()
        if self._array is None:
            return self._data
        cells = self._array._current()
        return from_octets([cells[place] for place in self._places])

    def _check(self) -> None:
        """Raises if the view was released."""
        _ = self._real.itemsize

    def __len__(self) -> int:
        self._check()
        return len(self._places) if self._array is not None else length(self._data)

    def __bool__(self) -> bool:
        return decide(self.__len__() > 0, "domain")

    def __iter__(self) -> Iterator[Any]:
        place = 0
        while decide(self.__len__() > place, "for"):
            yield self[place]
            place += 1

    def __reversed__(self) -> Iterator[Any]:
        return reversed(octets(self.__pef_contents__()))

    def __getitem__(self, key: Any) -> Any:
        self._check()
        if isinstance(key, slice):
            return self._slice(key)
        if not hasattr(type(key), "__index__"):
            return self._real[key]
        return apply("at", self.__pef_contents__(), self._position(number(key)))

    def _position(self, index: Any) -> Any:
        count, position = self.__len__(), index
        if decide(position < 0, "domain"):
            position = position + count
        if not decide((position >= 0) & (position < count), "domain"):
            raise out_of_range(index, _OUTSIDE)
        return position

    def _slice(self, key: slice) -> SymMemoryView:
        step = _native.pinned(key.step, "memoryview[::step]")
        key = slice(key.start, key.stop, step)
        if self._array is None:
            part = slice_of(self._data, key)
            real = self._real[slice(concrete(key.start), concrete(key.stop), step)]
            view = SymMemoryView(real, part)
            view._object = self._object
            return view
        key = self._array._plain_key(key)
        return SymMemoryView(self._real[key], None, self._array, self._places[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check()
        if self._array is None or not (isinstance(key, slice) or hasattr(type(key), "__index__")):
            self._real[concrete(key)] = concrete(value)
        elif isinstance(key, slice):
            self._store_slice(self._slice(key), value)
        else:
            self._store_item(self._position(number(key)), value)

    def _store_item(self, position: Any, value: Any) -> None:
        array = self._array
        assert array is not None
        place = self._places[array._decided(position)]
        if is_symbolic_number(value):
            code = number(value)
            if not decide((code >= 0) & (code < 256), "domain"):
                raise ValueError("memoryview: invalid value for format 'B'")
            value = code
        self._real[self._places.index(place)] = concrete(value)
        array._replace(
            slice(place, place + 1), [value.__index__() if not is_symbolic(value) else value]
        )

    def _store_slice(self, part: SymMemoryView, value: Any) -> None:
        assert self._array is not None
        try:
            data = contents(value)
        except Unfit:
            part._real[:] = value
            raise
        if not decide(length(data) == len(part._places), "domain"):
            words = "memoryview assignment: lvalue and rvalue have different structures"
            raise ValueError(words)
        for place, code in zip(part._places, octets(data), strict=True):
            self._array._replace(slice(place, place + 1), [code])

    def __delitem__(self, key: Any) -> None:
        del self._real[concrete(key)]  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> Any:
        if other is self:
            return True
        try:
            self._check()
        except ValueError:
            return False
        if isinstance(other, memoryview) and other.format != "B":
            return self.__pef_surrender__("memoryview.__eq__") == other
        try:
            return self.__pef_contents__() == contents(other)
        except Unfit:
            return NotImplemented

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else _native.__pef_not__(equal)

    def __hash__(self) -> int:
        return hash(self._real) if self._array is not None else hash(self.__pef_contents__())

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, (bytes, bytearray)):
            return NotImplemented
        return other + self.__pef_contents__()

    def __repr__(self) -> str:
        return repr(self._real)

    def __enter__(self) -> SymMemoryView:
        self._check()
        return self

    def __exit__(self, *problem: object) -> None:
        self.release()

    def release(self) -> None:
        """As `memoryview.release`."""
        self._real.release()

    def tobytes(self, order: Any = "C") -> Any:
        """As `memoryview.tobytes`."""
        self._real.tobytes(concrete(order))
        return self.__pef_contents__()

    def tolist(self) -> list[Any]:
        """As `memoryview.tolist`."""
        return octets(self.__pef_contents__())

    def hex(self, *how: Any, **named: Any) -> Any:
        """As `memoryview.hex`."""
        return hex_of(self.__pef_contents__(), *how, **named)

    def cast(self, *how: Any, **named: Any) -> memoryview:
        """As `memoryview.cast`, of pinned bytes."""
        return self.__pef_surrender__("memoryview.cast").cast(*how, **named)

    def toreadonly(self) -> SymMemoryView:
        """As `memoryview.toreadonly`."""
        if self._array is None:
            return self._slice(slice(None))
        return _ReadOnlyView(self._real.toreadonly(), None, self._array, self._places)

    @property
    def nbytes(self) -> int:
        """As `memoryview.nbytes`."""
        return self.__len__()

    @property
    def shape(self) -> tuple[int, ...]:
        """As `memoryview.shape`."""
        return (self.__len__(),)

    @property
    def contiguous(self) -> Any:
        """As `memoryview.contiguous`: a single byte is, more of them if they are neighbours."""
        return self._real.strides == (1,) or self.__len__() == 1

    c_contiguous = f_contiguous = contiguous

    @property
    def obj(self) -> Any:
        """As `memoryview.obj`."""
        _ = self._real.obj
        return self._object

    format, itemsize, ndim = _same("format"), _same("itemsize"), _same("ndim")
    readonly, strides, suboffsets = _same("readonly"), _same("strides"), _same("suboffsets")


SymMemoryView.__name__ = SymMemoryView.__qualname__ = "memoryview"


class _ReadOnlyView(SymMemoryView):
    """A view of an array that others may change."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        self._real[concrete(key)] = concrete(value)

    def __hash__(self) -> int:
        return hash(self.__pef_contents__())


def memoryview_model(object: Any) -> Any:  # noqa: A002
    """`memoryview`"""
    if is_symbolic(object):
        return SymMemoryView(memoryview(concrete(object)), contents(object))
    if type(object) is SymByteArray:
        return SymMemoryView(memoryview(object), None, object, range(len(object)))
    if type(object) in (SymMemoryView, _ReadOnlyView):
        return object[:]
    return memoryview(object)


for _kind in (SymMemoryView, _ReadOnlyView):
    _native.register_stand_in(_kind, memoryview)
    _native.register_lazy(_kind)
