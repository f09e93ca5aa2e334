"""`template % values` of `str`.

A conversion of plain values is left to CPython, with its errors. For symbolic ones the conversion
is put as a format specification, which says the same in other words; what differs is here.
"""

from __future__ import annotations

from typing import Any

from pef import _native
from pef._native import SymBool, SymFloat, SymInt, SymStr, apply, as_int, decide
from pef.models.text.decimals import float_formatted
from pef.models.text.digits import check_limit, joined, missing, padded, sign_and_size
from pef.models.text.formatting import UPPER
from pef.models.text.printing import ascii_of, repr_of, str_of
from pef.models.text.specs import Spec, number_in_field
from pef.models.text.terms import character, length, mapped, part
from pef.records import record

_TEXTS = {"s": str_of, "r": repr_of, "a": ascii_of}
_BASES = {"o": (8, "0o"), "x": (16, "0x"), "X": (16, "0X")}
_FLOATS = "eEfFgG"
_TOO_FEW = "not enough arguments for format string"
_TOO_MANY = "not all arguments converted during string formatting"


@record
class _Conversion:
    """One `%...` of a template."""

    flags: str = ""
    width: Any = 0
    precision: Any = -1
    type: str = ""
    position: int = 0

    @property
    def is_left(self) -> bool:
        """Whether the filling comes after the text."""
        return "-" in self.flags


class _Values:
    """What is to be formatted: a tuple, one value, or a mapping as well."""

    def __init__(self, given: Any) -> None:
        self._is_tuple = isinstance(given, tuple)
        self._given = list(given) if self._is_tuple else [given]
        self._next = 0
        self._mapping = given if _is_mapping(given) else None

    def next(self) -> Any:
        """The next value."""
        if self._next >= len(self._given):
            raise TypeError(_TOO_FEW)
        self._next += 1
        return self._given[self._next - 1]

    def check_mapping(self) -> None:
        """Complains about a key where there is nothing to look it up in."""
        if self._mapping is None:
            raise TypeError("format requires a mapping")

    def look_up(self, key: str) -> None:
        """Makes the value of a key the next one."""
        self._given, self._next = [_native.__pef_getitem__(self._mapping, key)], 0

    def check_all_used(self) -> None:
        """Complains about values that no conversion took."""
        if self._next < len(self._given) and self._mapping is None:
            raise TypeError(_TOO_MANY)


def _is_mapping(given: Any) -> bool:
    return hasattr(type(given), "__getitem__") and not isinstance(given, (tuple, str))


def formatted(template: Any, given: Any) -> Any:
    """`template % given`"""
    if not isinstance(template, str):
        plain = _native.pinned(template, "% formatting")
        return plain % _native.pinned(given, "% formatting")
    text = _native.pinned(template, "% formatting")
    values = _Values(given)
    parts: list[Any] = []
    position = 0
    while (start := text.find("%", position)) >= 0:
        parts.append(text[position:start])
        if text.startswith("%", start + 1):
            parts.append("%")
            position = start + 2
            continue
        conversion = _read(text, start + 1, values)
        position = conversion.position + 1
        parts.append(_converted(conversion, values))
    values.check_all_used()
    return joined(*parts, text[position:])


def _read(text: str, position: int, values: _Values) -> _Conversion:
    if text[position : position + 1] == "(":
        key, position = _key(text, position + 1, values)
        values.look_up(key)
    conversion = _Conversion()
    while text[position : position + 1] and text[position] in "-+ #0":
        conversion.flags += text[position]
        position += 1
    width, position = _number(text, position, values, "width")
    if width is not None:
        if decide(width < 0, "domain"):
            conversion.flags += "-"
            width = -width
        conversion.width = width
    if text[position : position + 1] == ".":
        precision, position = _number(text, position + 1, values, "precision")
        is_negative = precision is None or decide(precision < 0, "domain")
        conversion.precision = 0 if is_negative else precision
    if text[position : position + 1] and text[position] in "hlL":
        position += 1
    if position >= len(text):
        raise ValueError("incomplete format")
    conversion.type, conversion.position = text[position], position
    return conversion


def _key(text: str, position: int, values: _Values) -> tuple[str, int]:
    values.check_mapping()
    start, depth = position, 1
    while depth:
        if position >= len(text):
            raise ValueError("incomplete format key")
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return text[start : position - 1], position


def _number(text: str, position: int, values: _Values, name: str) -> tuple[Any, int]:
    if text[position : position + 1] == "*":
        given = values.next()
        if not isinstance(given, int):
            raise TypeError("* wants int")
        return as_int(given), position + 1
    start = position
    while text[position : position + 1] and text[position] in "0123456789":
        position += 1
    if start == position:
        return None, position
    number = int(text[start:position])
    if number >= 1 << (63 if name == "width" else 31):
        raise ValueError(f"{name} too big")
    return number, position


def _converted(conversion: _Conversion, values: _Values) -> Any:
    value = values.next()
    kind = type(value)
    if conversion.type in _TEXTS:
        return _text(conversion, _TEXTS[conversion.type](value))
    if conversion.type not in "diuxXoceEfFgG":
        raise ValueError(_unsupported(conversion))
    if kind in (SymInt, SymBool):
        return _int(conversion, as_int(value))
    if kind is SymFloat and conversion.type in "diu" + _FLOATS:
        return _float(conversion, value)
    if kind is SymStr and conversion.type == "c" and decide(length(value) == 1, "domain"):
        return _char(conversion, value)
    return _by_cpython(conversion, value)


def _unsupported(conversion: _Conversion) -> str:
    code = ord(conversion.type)
    shown = conversion.type if 31 <= code <= 126 else "?"
    return f"unsupported format character '{shown}' (0x{code:x}) at index {conversion.position}"


def _text(conversion: _Conversion, text: Any) -> Any:
    if _native.is_symbolic(conversion.precision) or conversion.precision >= 0:
        text = part(text, 0, conversion.precision)
    return padded(text, conversion.width, " ", "<" if conversion.is_left else ">")


def _char(conversion: _Conversion, char: Any) -> Any:
    return padded(char, conversion.width, " ", "<" if conversion.is_left else ">")


def _spec(conversion: _Conversion) -> Spec:
    zero = "0" in conversion.flags and not conversion.is_left
    align = "<" if conversion.is_left else "=" if zero else ">"
    sign = "+" if "+" in conversion.flags else " " if " " in conversion.flags else "-"
    return Spec(
        "0" if zero else " ",
        align,
        sign,
        alternate="#" in conversion.flags,
        width=conversion.width,
        precision=conversion.precision,
        type=conversion.type,
    )


def _int(conversion: _Conversion, number: Any) -> Any:
    if conversion.type == "c":
        if not decide((number >= 0) & (number <= 0x10FFFF), "domain"):
            raise OverflowError("%c arg not in range(0x110000)")
        return _char(conversion, character(number))
    if conversion.type in _FLOATS:
        return _float(conversion, _native.__pef_sel__(float)(number))
    base, prefix = _BASES.get(conversion.type, (10, ""))
    if base == 10:
        check_limit(number)
    negative, size = sign_and_size(number)
    body = apply("from_int", size, table=base)
    if conversion.type == "X":
        body = mapped(body, UPPER)
    if _native.is_symbolic(conversion.precision) or conversion.precision > 0:
        body = joined(missing("0", length(body), conversion.precision), body)
    spec = _spec(conversion)
    return number_in_field(spec, negative, prefix if spec.alternate else "", body)


def _float(conversion: _Conversion, number: Any) -> Any:
    if conversion.type in "diu":
        return _int(conversion, _native.__pef_sel__(int)(number))
    spec = _spec(conversion)
    width = _native.pinned(spec.width, "% formatting")
    precision = _native.pinned(spec.precision, "% formatting")
    places = "" if precision < 0 else f".{precision}"
    flags = spec.align + spec.sign + "#" * spec.alternate + "0" * (spec.fill == "0")
    text = f"{flags}{width or ''}{places}{spec.type}"
    return float_formatted(number, text, spec)


def _by_cpython(conversion: _Conversion, value: Any) -> str:
    """The conversion of a plain value, or an error: that is the same for all values of a type."""
    width = _native.pinned(conversion.width, "% formatting")
    precision = _native.pinned(conversion.precision, "% formatting")
    places = "" if precision < 0 else f".{precision}"
    template = f"%{conversion.flags}{width or ''}{places}{conversion.type}"
    return _native.format_by_c(template, (_native.concrete(value),))
