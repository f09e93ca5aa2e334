"""`io.StringIO` over symbolic text.

The C class keeps its characters in an array of its own. This one keeps the text as it is and a
position in it; both may be symbolic. It is a subclass, so whoever asks for an `io.StringIO` or
hands it to C code that only calls its methods gets one. Universal newlines are left to the C class:
with another `newline` than the default the text is pinned.

Left out: `detach`, `buffer` and the like, which `io.StringIO` refuses too.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from pef import _native

_length = _native.model_len


def open_text(initial_value: Any = "", newline: Any = "\n") -> io.StringIO:
    """`io.StringIO(text)`, one of ours: symbolic text may be written to it."""
    if initial_value is None:
        initial_value = ""
    if newline != "\n" or not isinstance(initial_value, str):
        return io.StringIO(_native.pinned(initial_value, "io.StringIO"), newline)
    stream = TextStream()
    stream.keep(initial_value)
    return stream


class TextStream(io.StringIO):
    """A stream whose text and position are plain attributes."""

    _text: str = ""
    _place: int = 0

    def keep(self, text: str) -> None:
        """Starts anew with this text."""
        self._text, self._place = text, 0

    def _check(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def read(self, size: int | None = -1, /) -> str:
        """The next `size` characters, or the rest."""
        self._check()
        start, stop = self._place, _length(self._text)
        # Deciding whether there is enough keeps the position plain.
        if size is not None and size >= 0 and start + size <= stop:
            stop = start + size
        result = self._text[start:stop]
        self._place = stop if start <= stop else start
        return result

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The rest of the line, its end included."""
        self._check()
        start = self._place
        end = self._text.find("\n", start)
        stop = _length(self._text) if end < 0 else end + 1
        if size is not None and 0 <= size < stop - start:
            stop = start + size
        result = self._text[start:stop]
        self._place = stop if start <= stop else start
        return result

    def readlines(self, hint: int | None = -1, /) -> list[str]:  # type: ignore[override]
        """The remaining lines."""
        lines: list[str] = []
        total = 0
        while line := self.readline():
            lines.append(line)
            total += _length(line)
            if hint is not None and 0 < hint <= total:
                break
        return lines

    def __next__(self) -> str:  # type: ignore[override]
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, text: str, /) -> int:
        """Writes over what stands at the position."""
        self._check()
        if not isinstance(text, str):
            return super().write(text)
        missing = self._place - _length(self._text)
        before = self._text + "\0" * missing if missing > 0 else self._text[: self._place]
        self._place += _length(text)
        self._text = before + text + self._text[self._place :]
        return _length(text)

    def writelines(self, lines: Iterable[str], /) -> None:  # type: ignore[override]
        """Writes each of them."""
        for line in lines:
            self.write(line)

    def getvalue(self) -> str:
        """All of the text."""
        self._check()
        return self._text

    def tell(self) -> int:
        """The position."""
        self._check()
        return self._place

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Moves to a position; from the end or from here only by nothing, as in C."""
        self._check()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and offset < 0:
            raise ValueError(f"Negative seek position {offset}")
        if whence and offset:
            raise OSError("Can't do nonzero cur-relative seeks")
        if whence == 0:
            self._place = offset
        elif whence == 2:
            self._place = _length(self._text)
        return self._place

    def truncate(self, size: int | None = None, /) -> int:
        """Cuts the text off."""
        self._check()
        size = self._place if size is None else size
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        self._text = self._text[:size]
        return size


_native.register_stand_in(TextStream, io.StringIO)
