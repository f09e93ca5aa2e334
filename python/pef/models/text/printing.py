"""`str`, `repr` and `ascii`: text from any value, with the symbolic values in it still symbolic.

C code that asks a symbolic value for its text (the slots) copies what it gets, so there the value
is pinned. Rewritten code gets here instead: numbers become their digits, text its quoted form, the
built-in containers are printed item by item, and objects by their own methods. Floats are in
`decimals`.
"""

from __future__ import annotations

import functools
import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any

from pef import _native
from pef._native import (
    CharClass,
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
from pef.models.text.calling import surrendered
from pef.models.text.decimals import float_shown
from pef.models.text.digits import decimal, joined, sign_and_size

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
    if isinstance(value, UnicodeError):
        _settle_culprit(value)
    return str(value)


def _settle_culprit(problem: Any) -> None:
    """Pins what the message of a coding error shows of the text: a single unit it is about."""
    text = getattr(problem, "object", None)
    if not _native.is_symbolic(text):
        return
    start, end = problem.start, problem.end
    if 0 <= start < end <= len(_native.concrete(text)):
        if end > start + 1:
            return  # shows where they are
        text = apply("slice", text, start, end)
    _native.pinned(text, "UnicodeError.__str__")


def str_from(*given: Any, **named: Any) -> Any:
    """Other calls of `str`: without a value, with its name, with an encoding."""
    if named.keys() == {"object"} and not given:
        return str_of(named["object"])
    if given and isinstance(given[0], SymBytes):
        return _native.__pef_sel__(given[0].decode)(*given[1:], **named)
    return surrendered(str, *given, **named)


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
    if isinstance(value, SymStr):
        return apply("shown", value, table=_ASCII_PRINTABLE)
    text = repr_of(value)
    if decide(apply("matches", text, table=_ascii()), "domain"):
        return text
    return ascii(_native.pinned(value, "ascii"))


def number_shown(number: Any) -> Any:
    """`repr` of an int or a bool."""
    if isinstance(number, SymBool):
        return "True" if decide(number, "domain") else "False"
    return decimal(number)


def text_shown(text: Any) -> Any:
    """`repr` of text: quotes around it, unless something in it needs more."""
    if not _native.is_symbolic(text):
        return repr(_native.concrete(text))
    kind = tables.kind_of(text)
    if decide(apply("matches", text, table=_simple(kind)), "domain"):
        return joined("'" if kind is str else "b'", apply("as_str", text), "'")
    return quoted(text)


def quoted(text: Any) -> Any:
    """`repr` of text without asking anything, for messages: hard to solve, and hardly looked at."""
    return apply("shown", text, table=_printable(tables.kind_of(text)))


@functools.cache
def _printable(kind: type) -> CharClass:
    return tables.char_class(str, "printable") if kind is str else _ASCII_PRINTABLE


@functools.cache
def _simple(kind: type) -> Language:
    """Text that only needs single quotes around it."""
    special = tables.others(kind, _printable(kind)).union(tables.of_units((0x27, 0x5C)))
    return Language(("repeat", tables.others(kind, special), 0, None))


_ASCII_PRINTABLE = CharClass([(0x20, 0x7E)])


@functools.cache
def _ascii() -> Language:
    return Language(("repeat", CharClass([(0, 0x7F)]), 0, None))


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


def _once(value: Any, shown: Callable[[Any], Any]) -> Any:
    if _is_being_shown(value):
        return repr(type(value)(())) if not value else _ellipsis(value)
    return shown(value)


def _is_being_shown(value: Any) -> bool:
    """Whether a call further up is printing this container, which then holds itself.

    The stack knows. A table would not: a run can be cut off anywhere, also where it clears up.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code is _once.__code__ and frame.f_locals["value"] is value:
            return True
        frame = frame.f_back
    return False


def _ellipsis(value: Any) -> Any:
    if isinstance(value, list):
        return "[...]"
    if isinstance(value, tuple):
        return "(...)"
    if isinstance(value, deque):
        return "[...]"
    if isinstance(value, OrderedDict):
        return "..."
    if isinstance(value, defaultdict):
        return joined("defaultdict(", repr_of(value.default_factory), ", {...})")
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
    kind = _native.model_type(value)
    name = kind.__name__
    if not value:
        return f"{name}()"
    if kind is set:
        return _items("{", list(value), "}")
    return _items(f"{name}({{", list(value), "})")


def _deque(value: deque[Any]) -> Any:
    after = "])" if value.maxlen is None else f"], maxlen={value.maxlen})"
    return _items(f"{type(value).__name__}([", list(value), after)


def _default_dict(value: defaultdict[Any, Any]) -> Any:
    factory = repr_of(value.default_factory)
    return joined(f"{type(value).__name__}(", factory, ", ", _dict(value), ")")


def _ordered_dict(value: OrderedDict[Any, Any]) -> Any:
    name = type(value).__name__
    if not value:
        return f"{name}()"
    if sys.version_info >= (3, 12):
        return joined(f"{name}(", _dict(value), ")")
    return _items(f"{name}([", list(value.items()), "])")


def _view(value: Any) -> Any:
    return _items(f"{type(value).__name__}([", list(value), "])")


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
    deque.__repr__: _deque,
    defaultdict.__repr__: _default_dict,
    OrderedDict.__repr__: _ordered_dict,
    type({}.keys()).__repr__: _view,
    type({}.values()).__repr__: _view,
    type({}.items()).__repr__: _view,
}


def in_base(number: Any, base: int, prefix: str) -> Any:
    """`hex`, `oct` or `bin` of an int."""
    negative, size = sign_and_size(number)
    return joined("-" * negative + prefix, apply("from_int", size, table=base))
