"""Format specifications: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.

The reader follows CPython's. It reads symbolic text as well: which of the possible characters comes next is a decision,
a run of digits is one number. Whether a specification is valid for a type is never judged here: CPython is asked with a
sample value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pef import _native
from pef._native import CharClass, apply, decide
from pef.models.text.digits import joined, missing, padded
from pef.models.text.terms import code, length, part, rest

_ALIGNMENTS = "<>=^"
_DIGITS = CharClass([(0x30, 0x39)])


@dataclass(frozen=True)
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
    """A position in a text that may be symbolic, as may be the position."""

    def __init__(self, text: Any) -> None:
        self.text = text
        self.position: Any = 0

    def take(self, wanted: str) -> str:
        """The next character if it is one of these, else nothing."""
        found = self.find(wanted, self.position)
        if found:
            self.position += 1
        return found

    def find(self, wanted: str, position: Any) -> str:
        """The character at a position if it is one of these, else nothing."""
        unit = code(self.text, position)
        for char in wanted:
            if decide(unit == ord(char), "domain"):
                return char
        return ""

    def take_any(self) -> str:
        """The next character, whatever it is."""
        char = str(_native.pinned(part(self.text, self.position, self.position + 1), "format"))
        self.position += 1
        return char

    def number(self) -> Any:
        """The number that follows; -1 if there is none."""
        run = apply("span", rest(self.text, self.position), table=_DIGITS)
        if decide(run == 0, "domain"):
            return -1
        start, self.position = self.position, self.position + run
        return apply("to_int", part(self.text, start, self.position), table=10)

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return decide(length(self.text) <= self.position, "domain")


def read(text: Any, *, right: bool) -> Spec:
    """Reads a specification that is valid for a type that is aligned to the right or not."""
    reader = _Reader(text)
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
    type_ = "" if reader.at_end() else reader.take(_TYPES) or reader.take_any()
    return Spec(
        fill or " ", align, sign, no_negative_zero, alternate, width, grouping, precision, type_
    )


_TYPES = "sdxXobceEfFgGn%"


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
