"""`str`, `repr` and `ascii`: text from any value, with the symbolic values in it still symbolic.

C code that asks a symbolic value for its text (the slots) copies what it gets, so there the value is pinned. Rewritten
code gets here instead: numbers become their digits, text its quoted form, the built-in containers are printed item by
item, and objects by their own methods. Floats are in `decimals`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from pef import _native
from pef._native import (
    CharClass,
    CharMap,
    Language,
    SymBool,
    SymBytes,
    SymFloat,
    SymInt,
    SymStr,
    apply,
    decide,
)
from pef.models.text import tables
from pef.models.text.decimals import float_shown
from pef.models.text.digits import decimal, joined
from pef.models.text.terms import character, code, length, mapped

_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, type, range})
"""Types whose values have nothing symbolic in them."""


def str_of(value: Any) -> Any:
    """`str(value)`"""
    kind = type(value)
    if kind is SymStr or kind is str:
        return value
    if kind in _SHOWN:
        return _SHOWN[kind](value)
    if kind in _PLAIN:
        return str(value)
    method = _method(kind, "__str__")
    if isinstance(method, FunctionType):
        return _checked(_native.__pef_sel__(method)(value), "__str__")
    if method is object.__str__:
        return repr_of(value)
    if method is BaseException.__str__ and len(value.args) == 1:
        return str_of(value.args[0])
    if method is KeyError.__str__ and len(value.args) == 1:
        return repr_of(value.args[0])
    if method is BaseException.__str__ and value.args:
        return repr_of(value.args)
    return str(value)


def repr_of(value: Any) -> Any:
    """`repr(value)`"""
    kind = type(value)
    if kind in _SHOWN:
        return _SHOWN[kind](value)
    if kind in _PLAIN:
        return repr(value)
    method = _method(kind, "__repr__")
    if isinstance(method, FunctionType):
        return _checked(_native.__pef_sel__(method)(value), "__repr__")
    container = _CONTAINERS.get(method)
    if container is not None:
        return _once(value, container)
    if method is BaseException.__repr__:
        return _exception(value)
    return repr(value)


def ascii_of(value: Any) -> Any:
    """`ascii(value)`"""
    text = repr_of(value)
    if not _native.is_symbolic(text):
        return ascii(value) if type(value) in _PLAIN else _escaped_plain(text)
    if decide(apply("matches", text, table=_ascii()), "domain"):
        return text
    return _by_character(text, lambda unit: _ascii_escape(unit, known_printable=True))


def number_shown(number: Any) -> Any:
    """`repr` of an int or a bool."""
    if isinstance(number, SymBool):
        return "True" if decide(number, "domain") else "False"
    return decimal(number)


def text_shown(text: Any) -> Any:
    """`repr` of text."""
    if not _native.is_symbolic(text):
        return repr(_native.concrete(text))
    kind = tables.kind_of(text)
    if decide(apply("matches", text, table=_simple(kind)), "domain"):
        return joined("'" if kind is str else "b'", _as_str(text), "'")
    single = decide(apply("contains", text, _of(kind, "'")), "domain")
    double = single and decide(apply("contains", text, _of(kind, '"')), "domain")
    quote = '"' if single and not double else "'"
    shown = _by_character(text, lambda unit: _escape(kind, unit, quote))
    return joined(quote if kind is str else "b" + quote, shown, quote)


def _of(kind: type, text: str) -> Any:
    return text if kind is str else text.encode("ascii")


def _as_str(text: Any) -> Any:
    """ASCII text as a `str`."""
    return text if isinstance(text, str) else text.decode("ascii")


def _by_character(text: Any, shown: Callable[[Any], Any]) -> Any:
    parts: list[Any] = []
    while decide(length(text) > len(parts), "domain"):
        parts.append(shown(code(text, len(parts))))
    return joined(*parts)


_ESCAPES = {0x5C: "\\\\", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"}


def _escape(kind: type, unit: Any, quote: str) -> Any:
    """One character of a `repr`."""
    if decide(apply("in_class", unit, table=_harmless(kind)), "domain"):
        return character(unit)
    if decide((unit == 0x27) | (unit == 0x22), "domain"):
        quoted = decide(unit == ord(quote), "domain")
        return joined("\\" if quoted else "", character(unit))
    for special, escape in _ESCAPES.items():
        if decide(unit == special, "domain"):
            return escape
    return _ascii_escape(unit, known_printable=False)


def _ascii_escape(unit: Any, *, known_printable: bool) -> Any:
    """A character by its number; one of ASCII may stay."""
    if known_printable and decide(unit < 0x80, "domain"):
        return character(unit)
    if decide(unit <= 0xFF, "domain"):
        return joined("\\x", _hexadecimal(unit, 2))
    if decide(unit <= 0xFFFF, "domain"):
        return joined("\\u", _hexadecimal(unit, 4))
    return joined("\\U", _hexadecimal(unit, 8))


def _hexadecimal(number: Any, width: int) -> Any:
    places = (number // 16**place % 16 for place in reversed(range(width)))
    return mapped(joined(*(character(place + 0x30) for place in places)), _letters())


@functools.cache
def _letters() -> CharMap:
    """The characters after `9` as the letters that stand for ten and more."""
    return CharMap([(0x3A + place, 0x61 + place) for place in range(6)])


@functools.cache
def _harmless(kind: type) -> CharClass:
    """What stands for itself within any quotes."""
    if kind is bytes:
        printable = CharClass([(0x20, 0x7E)])
    else:
        printable = tables.char_class(str, "printable")
    special = tables.of_units((0x22, 0x27, 0x5C))
    return tables.others(kind, tables.others(kind, printable).union(special))


@functools.cache
def _simple(kind: type) -> Language:
    """Text that only needs single quotes around it."""
    harmless = _harmless(kind).union(tables.of_units((0x22,)))
    return Language(("repeat", harmless, 0, None))


@functools.cache
def _ascii() -> Language:
    return Language(("repeat", CharClass([(0, 0x7F)]), 0, None))


def _escaped_plain(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode("ascii")


def _method(kind: type, name: str) -> Any:
    for base in kind.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


def _checked(text: Any, name: str) -> Any:
    if isinstance(text, str):
        return text
    raise TypeError(f"{name} returned non-string (type {_native.model_type(text).__name__})")


# Containers.

_open: set[int] = set()
"""Containers that are being printed: they may hold themselves."""


def _once(value: Any, shown: Callable[[Any], Any]) -> Any:
    if id(value) in _open:
        return repr(type(value)(())) if not value else _ellipsis(value)
    _open.add(id(value))
    try:
        return shown(value)
    finally:
        _open.discard(id(value))


def _ellipsis(value: Any) -> str:
    if isinstance(value, list):
        return "[...]"
    if isinstance(value, tuple):
        return "(...)"
    return "{...}" if isinstance(value, dict) else f"{type(value).__name__}(...)"


def _items(before: str, values: Any, after: str) -> Any:
    parts: list[Any] = [before]
    for value in values:
        if len(parts) > 1:
            parts.append(", ")
        parts.append(repr_of(value))
    return joined(*parts, after)


def _list(value: list[Any]) -> Any:
    return _items("[", list(value), "]")


def _tuple(value: tuple[Any, ...]) -> Any:
    return _items("(", value, ",)" if tuple.__len__(value) == 1 else ")")


def _dict(value: dict[Any, Any]) -> Any:
    parts: list[Any] = []
    for key, item in list(value.items()):
        parts += [", " if parts else "", repr_of(key), ": ", repr_of(item)]
    return joined("{", *parts, "}")


def _set(value: Any) -> Any:
    name = type(value).__name__
    if not value:
        return f"{name}()"
    if type(value) is set:
        return _items("{", list(value), "}")
    return _items(f"{name}({{", list(value), "})")


def _exception(value: BaseException) -> Any:
    name = type(value).__name__
    if len(value.args) == 1:
        return joined(f"{name}(", repr_of(value.args[0]), ")")
    return joined(name, repr_of(value.args))


_SHOWN: dict[type, Callable[[Any], Any]] = {
    SymInt: number_shown,
    SymBool: number_shown,
    SymFloat: float_shown,
    SymStr: text_shown,
    SymBytes: text_shown,
}

_CONTAINERS: dict[Any, Callable[[Any], Any]] = {
    list.__repr__: _list,
    tuple.__repr__: _tuple,
    dict.__repr__: _dict,
    set.__repr__: _set,
    frozenset.__repr__: _set,
}
