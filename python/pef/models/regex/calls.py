"""What is called in place of the functions of `re` and the methods of its patterns.

A model gets the call as it was written. It reads the arguments, settles what must be plain, and
hands symbolic text to the rooms that match. A call that CPython would refuse, and one about
something that is not modelled, goes to the original with plain values.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from operator import index as plain_index
from typing import Any

from pef import _native
from pef._native import apply, is_symbolic, pinned
from pef.models.regex import scanning
from pef.models.regex.finding import Finder, GaveUpError, clamped
from pef.models.regex.language import Question
from pef.models.regex.scanning import Scan, found_match

Pattern = re.Pattern[Any]


class _PlainlyError(Exception):
    """The call goes to CPython, with pinned values."""


class _RefusedError(Exception):
    """CPython raises, whatever the symbolic values are."""


def method_models() -> dict[str, Callable[..., Any]]:
    """The models of the methods of a pattern, by name; each gets the pattern first."""
    return {name: _method(name, read, body) for name, (read, body) in _METHODS.items()}


def _method(
    name: str, read: Callable[..., tuple[Any, ...]], body: Callable[..., Any]
) -> Callable[..., Any]:
    def model(*arguments: Any, **named: Any) -> Any:
        original = getattr(re.Pattern, name)
        try:
            return body(*_read(read, arguments, named))
        except _RefusedError:
            return _refused(original, arguments, named)
        except (_PlainlyError, GaveUpError):
            where = f"re.Pattern.{name}"
            plain = {key: pinned(value, where) for key, value in named.items()}
            return original(*(pinned(value, where) for value in arguments), **plain)

    return model


def _refused(original: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """CPython's own error."""
    plain = {name: _native.concrete(value) for name, value in named.items()}
    return original(*map(_native.concrete, arguments), **plain)


def _read(
    read: Callable[..., tuple[Any, ...]], arguments: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, ...]:
    try:
        return read(*arguments, **named)
    except TypeError:
        raise _RefusedError from None


def _read_range(
    pattern: Pattern, /, string: Any, pos: Any = 0, endpos: Any = sys.maxsize
) -> tuple[Any, ...]:
    return pattern, string, pos, endpos


def _read_split(pattern: Pattern, /, string: Any, maxsplit: Any = 0) -> tuple[Any, ...]:
    return pattern, string, maxsplit


def _read_sub(pattern: Pattern, /, repl: Any, string: Any, count: Any = 0) -> tuple[Any, ...]:
    return pattern, repl, string, count


def _number(value: Any) -> int:
    """A plain number, as C code takes it."""
    if is_symbolic(value):
        value = pinned(value, "re.Pattern.match")
    try:
        number = plain_index(value)
    except TypeError:
        raise _RefusedError from None
    if not -sys.maxsize - 1 <= number <= sys.maxsize:
        raise _RefusedError
    return number


def _kind(pattern: Pattern) -> type:
    return str if isinstance(pattern.pattern, str) else bytes


def _finder(pattern: Pattern, string: Any, pos: Any = 0, endpos: Any = sys.maxsize) -> Finder:
    """Looks in `string` up to `endpos`, from `pos` on."""
    if not is_symbolic(string):
        raise _PlainlyError
    if not isinstance(string, _kind(pattern)):
        raise _RefusedError
    start, end = max(_number(pos), 0), max(_number(endpos), 0)
    if start > end:
        raise _PlainlyError
    text = string if end == sys.maxsize else apply("slice", string, 0, end)
    return Finder(pattern, text, clamped(text, start))


def _match(pattern: Pattern, string: Any, pos: Any, endpos: Any) -> Any:
    return _match_here(_finder(pattern, string, pos, endpos), string, endpos, whole=False)


def _fullmatch(pattern: Pattern, string: Any, pos: Any, endpos: Any) -> Any:
    return _match_here(_finder(pattern, string, pos, endpos), string, endpos, whole=True)


def _match_here(finder: Finder, string: Any, endpos: Any, *, whole: bool) -> Any:
    start = finder.pos
    exists = finder.asked(Question(start, anywhere=False, whole=whole))
    if exists is False:
        return None
    method = finder.pattern.fullmatch if whole else finder.pattern.match

    def real(plain: Any) -> re.Match[Any] | None:
        return method(plain, start, _number(endpos))

    if exists:
        return found_match(finder, string, lambda: finder.spans_at(start, whole=whole), real)
    located = finder.match_at(start, whole=whole)
    return located and found_match(finder, string, lambda: located, real)


def _search(pattern: Pattern, string: Any, pos: Any, endpos: Any) -> Any:
    finder = _finder(pattern, string, pos, endpos)
    first = finder.pos
    exists = finder.asked(Question(first, anywhere=True))
    if exists is False:
        return None

    def real(plain: Any) -> re.Match[Any] | None:
        return pattern.search(plain, first, _number(endpos))

    if exists:
        return found_match(finder, string, lambda: finder.spans_at(finder.known_start(first)), real)
    start = finder.first_start(first)
    if start is None:
        return None
    return found_match(finder, string, lambda: finder.spans_at(start), real)


def _scan(pattern: Pattern, string: Any, pos: Any, endpos: Any) -> Scan:
    end = _number(endpos)
    return Scan(_finder(pattern, string, pos, endpos), string, None if end == sys.maxsize else end)


def _finditer(pattern: Pattern, string: Any, pos: Any, endpos: Any) -> Iterator[Any]:
    return _scan(pattern, string, pos, endpos).matches()


def _findall(pattern: Pattern, string: Any, pos: Any, endpos: Any) -> list[Any]:
    return scanning.find_all(_scan(pattern, string, pos, endpos))


def _split(pattern: Pattern, string: Any, maxsplit: Any) -> list[Any]:
    return scanning.split(_scan(pattern, string, 0, sys.maxsize), _number(maxsplit))


def _sub(pattern: Pattern, repl: Any, string: Any, count: Any) -> Any:
    return _subn(pattern, repl, string, count)[0]


def _subn(pattern: Pattern, repl: Any, string: Any, count: Any) -> tuple[Any, int]:
    if not callable(repl) and not isinstance(repl, _kind(pattern)):
        raise (
            _PlainlyError
            if isinstance(repl, (str, bytes, bytearray, memoryview))
            else _RefusedError
        )
    if not is_symbolic(string):
        return _subn_plain(pattern, repl, string, count)
    scan = _scan(pattern, string, 0, sys.maxsize)
    return scanning.substitute(scan, repl, _number(count))


def _subn_plain(pattern: Pattern, repl: Any, string: Any, count: Any) -> tuple[Any, int]:
    """Plain text: only what is put in is symbolic, or what a function makes of a match."""
    if type(string) is not _kind(pattern):
        raise _PlainlyError
    scan = _PlainScan(pattern, string)
    return scanning.substitute(scan, repl, _number(count))


class _PlainScan(Scan):
    """The matches in a plain text."""

    def __init__(self, pattern: Pattern, string: Any) -> None:
        self.pattern = pattern
        self.string = string

    def matches(self) -> Iterator[Any]:
        return self.pattern.finditer(self.string)

    def slice(self, start: int, end: int | None = None) -> Any:
        return self.string[start:end]


_METHODS: dict[str, tuple[Callable[..., tuple[Any, ...]], Callable[..., Any]]] = {
    "match": (_read_range, _match),
    "fullmatch": (_read_range, _fullmatch),
    "search": (_read_range, _search),
    "finditer": (_read_range, _finditer),
    "findall": (_read_range, _findall),
    "split": (_read_split, _split),
    "sub": (_read_sub, _sub),
    "subn": (_read_sub, _subn),
}


def function_models() -> dict[str, Callable[..., Any]]:
    """The models of the functions of `re`, by name."""
    models = {name: _function(name, read) for name, read in _FUNCTIONS.items()}
    return models | {"compile": _compile, "escape": _escape}


def _function(name: str, read: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
    original = getattr(re, name)

    def model(*arguments: Any, **named: Any) -> Any:
        try:
            pattern, rest, flags = _read(read, arguments, named)
        except _RefusedError:
            return _refused(original, arguments, named)
        pattern, flags = pinned(pattern, f"re.{name}"), pinned(flags, f"re.{name}")
        method = getattr(re.compile(pattern, flags), name)
        return _native.__pef_sel__(method)(*rest)

    return model


def _read_plain(pattern: Any, string: Any, flags: Any = 0) -> tuple[Any, ...]:
    return pattern, (string,), flags


def _read_re_split(pattern: Any, string: Any, maxsplit: Any = 0, flags: Any = 0) -> tuple[Any, ...]:
    return pattern, (string, maxsplit), flags


def _read_re_sub(
    pattern: Any, repl: Any, string: Any, count: Any = 0, flags: Any = 0
) -> tuple[Any, ...]:
    return pattern, (repl, string, count), flags


_FUNCTIONS: dict[str, Callable[..., tuple[Any, ...]]] = {
    **dict.fromkeys(("match", "fullmatch", "search", "finditer", "findall"), _read_plain),
    "split": _read_re_split,
    **dict.fromkeys(("sub", "subn"), _read_re_sub),
}


def _compile(pattern: Any, flags: Any = 0) -> Any:
    return re.compile(pinned(pattern, "re.compile"), pinned(flags, "re.compile"))


def _escape(pattern: Any) -> Any:
    special: dict[int, str] = re._special_chars_map  # type: ignore[attr-defined]
    if isinstance(pattern, str):
        return pattern.translate(special)
    return pattern.decode("latin1").translate(special).encode("latin1")
