"""Format specifications: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.

The reader follows CPython's. A specification comes in parts, of which a symbolic number can be
one: a width or precision. Other symbolic text is pinned. Whether a specification is valid for a
type is never judged here: CPython is asked with a sample value.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from pef import _native
from pef._native import decide
from pef.models.text.digits import decimal, joined, missing, padded
from pef.models.text.terms import length, part
from pef.records import record

_ALIGNMENTS = "<>=^"
_DIGITS = "0123456789"
_NUMBER = "\0"
"""Stands for a symbolic number."""


@record(frozen=True)
class Spec:
    """A specification, read."""

    fill: str = " "
    align: str = ""
    """Empty if not given."""
    sign: str = "-"
    no_negative_zero: bool = False
    alternate: bool = False
    width: Any = -1
    """Symbolic if it was in a symbolic specification; -1 if not given."""
    grouping: str = ""
    precision: Any = -1
    type: str = ""


class _Reader:
    """A position in a specification: characters, and natural numbers in place of their digits."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._items: list[Any] = []
        for given in parts:
            self._items += given if isinstance(given, str) else [given]
        self.position = 0

    def take(self, wanted: str) -> str:
        """The next character if it is one of these, else nothing."""
        found = self.find(wanted, self.position)
        self.position += len(found)
        return found

    def find(self, wanted: str, position: int) -> str:
        """The character at a position if it is one of these, else nothing."""
        item = self._items[position] if position < len(self._items) else ""
        return item if isinstance(item, str) and item and item in wanted else ""

    def take_any(self) -> str:
        """The next character, whatever it is; nothing at the end."""
        self.position += 1
        return "".join(map(str, self._items[self.position - 1 : self.position]))

    def number(self) -> Any:
        """The number that follows; -1 if there is none."""
        value: Any = -1
        while self.position < len(self._items):
            item = self._items[self.position]
            if not isinstance(item, str):
                value = item
            elif item in _DIGITS:
                value = max(value, 0) * 10 + int(item)
            else:
                break
            self.position += 1
        return value


def settled(parts: Sequence[Any]) -> list[Any]:
    """The parts with numbers only where they are all of a width or precision; others are text.

    Text that is symbolic is pinned, and so is a number that is no width.
    """
    kept: list[Any] = []
    for position, given in enumerate(parts):
        after = parts[position + 1] if position + 1 < len(parts) else ""
        if isinstance(given, str):
            kept.append(_native.pinned(given, "format"))
        elif _stands_alone(kept, after) and decide((given >= 0) & (given <= sys.maxsize), "domain"):
            kept.append(given)
        else:
            kept.append(decimal(_native.pinned(given, "format")))
    return kept


def _stands_alone(before: list[Any], after: Any) -> bool:
    """Whether a number between these parts is all of a width or precision."""
    if not isinstance(after, str) or _native.is_symbolic(after):
        return False
    if after and after[0] in _ALIGNMENTS + _DIGITS:
        return False
    text = "".join(given if isinstance(given, str) else _NUMBER for given in before)
    return not text or text == "0" or text[-1] not in _DIGITS + _NUMBER or _is_zero_flag(text)


def _is_zero_flag(text: str) -> bool:
    """Whether the text ends in the `0` that asks for zeros, not in a number."""
    before = text[:-1]
    return text[-1] == "0" and "." not in before and before[-1:] in (*_ALIGNMENTS, *" +-#z")


def read(parts: Sequence[Any], *, right: bool) -> Spec:
    """Reads a specification that is valid for a type that is aligned to the right or not."""
    reader = _Reader(parts)
    fill, align = "", ""
    if found := reader.find(_ALIGNMENTS, 1):
        fill, align = reader.take_any(), found
        reader.position = 2
    else:
        align = reader.take(_ALIGNMENTS)
    sign = reader.take(" +-") or "-"
    no_negative_zero = bool(reader.take("z"))
    alternate = bool(reader.take("#"))
    if not fill and reader.take("0"):
        fill = "0"
        align = align or ("=" if right else "")
    width = reader.number()
    grouping = reader.take(",_")
    precision = reader.number() if reader.take(".") else -1
    type_ = reader.take_any()
    return Spec(
        fill or " ", align, sign, no_negative_zero, alternate, width, grouping, precision, type_
    )


def number_in_field(spec: Spec, negative: bool, prefix: str, body: Any) -> Any:
    """The sign, prefix and digits of a number in their field."""
    sign = "-" if negative else spec.sign.replace("-", "")
    head = sign + prefix
    if spec.align != "=":
        return padded(joined(head, body), spec.width, spec.fill, spec.align or ">")
    return joined(head, missing(spec.fill, length(body) + len(head), spec.width), body)


def spread(layout: str, digit: str, digits: Any) -> Any:
    """A layout with each `digit` in it replaced by the next of `digits`."""
    parts: list[Any] = []
    position = 0
    for char in layout:
        if char == digit:
            parts.append(part(digits, position, position + 1))
            position += 1
        else:
            parts.append(char)
    return joined(*parts)
