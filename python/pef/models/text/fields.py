"""`str.format` and `str.format_map`: a template with replacement fields.

The template is taken apart by the parser CPython itself uses (`_string`), so that its errors are
CPython's.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
from collections.abc import Iterator, Mapping
from typing import Any

from pef import _native
from pef._native import SymInt
from pef.models.text.digits import joined
from pef.models.text.formatting import shown

_DEEPEST = 2
"""A specification may have fields of its own, but those may not."""


def format_text(template: Any, /, *values: Any, **named: Any) -> Any:
    """`template.format(*values, **named)`"""
    return _Template(values, named).filled(_native.pinned(template, "str.format"))


def format_map(template: Any, mapping: Any, /) -> Any:
    """`template.format_map(mapping)`"""
    return _Template(None, mapping).filled(_native.pinned(template, "str.format_map"))


class _Template:
    """The values of one call, and which of them was last numbered by itself."""

    def __init__(self, values: tuple[Any, ...] | None, named: Mapping[str, Any]) -> None:
        self._values = values
        self._named = named
        self._next: int | None = None

    def filled(self, template: str) -> Any:
        """The template with all fields replaced."""
        return joined(*self._parts(template, _DEEPEST))

    def _parts(self, template: str, depth: int) -> list[Any]:
        if depth == 0:
            raise ValueError("Max string recursion exceeded")
        return list(self._each_part(template, depth))

    def _each_part(self, template: str, depth: int) -> Iterator[Any]:
        for literal, name, spec, conversion in _string.formatter_parser(template):
            yield literal
            if name is not None:
                value = self._value(name)
                if conversion not in (None, "r", "s", "a"):
                    raise ValueError(_unknown(conversion))
                specs = self._parts(spec, depth - 1) if "{" in spec or "}" in spec else [spec]
                if depth < _DEEPEST and not conversion and isinstance(value, SymInt) and not spec:
                    yield value  # the digits of a width
                    continue
                yield shown(value, conversion or "", specs)

    def _value(self, name: str) -> Any:
        first, rest = _string.formatter_field_name_split(name)
        value = self._first(first)
        for is_attribute, key in rest:
            value = getattr(value, key) if is_attribute else _native.__pef_getitem__(value, key)
        return value

    def _first(self, first: Any) -> Any:
        if first == "" or isinstance(first, int):
            self._count(automatic=first == "")
            number = first
            if first == "":
                self._next = number = 0 if self._next is None else self._next + 1
            return self._numbered(number)
        return self._named[first]

    def _numbered(self, number: int) -> Any:
        if self._values is None:
            raise ValueError("Format string contains positional fields")
        if number >= len(self._values):
            raise IndexError(f"Replacement index {number} out of range for positional args tuple")
        return self._values[number]

    def _count(self, *, automatic: bool) -> None:
        manual = self._next == _MANUAL
        if automatic and manual:
            raise ValueError(
                "cannot switch from manual field specification to automatic field numbering"
            )
        if not automatic:
            if self._next is not None and not manual:
                raise ValueError(
                    "cannot switch from automatic field numbering to manual field specification"
                )
            self._next = _MANUAL


_MANUAL = -1
"""In place of the last number, once fields have been numbered by hand."""


def _unknown(conversion: str) -> str:
    if 32 < ord(conversion) < 127:
        return f"Unknown conversion specifier {conversion}"
    return f"Unknown conversion specifier \\x{ord(conversion):x}"
