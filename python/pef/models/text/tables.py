"""Which characters are digits, letters, space..., and what they become in another case.

CPython is asked about every character, so the tables are those of the running version. They are
made when first needed, and kept. Bytes have the tables of ASCII.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from itertools import chain, compress
from typing import NamedTuple

from pef._native import CharClass, CharMap, Language

_ASSIGNED = ((0, 0x3FFFF), (0xE0000, 0xE0FFF))
"""Where characters have properties: the planes between are empty, those above for private use."""

SIGMA = 0x3A3
"""The capital letter whose lower case depends on its neighbours."""

_PREDICATES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "decimal": str.isdecimal,
    "digit": str.isdigit,
    "lower": str.islower,
    "numeric": str.isnumeric,
    "printable": str.isprintable,
    "space": str.isspace,
    "upper": str.isupper,
    # A single upper case letter passes for a title, too.
    "title": lambda char: char.istitle() and not char.isupper(),
    "identifier start": str.isidentifier,
    "identifier part": lambda char: ("a" + char).isidentifier(),
    # Within a word, `title()` makes letters lower case.
    "cased": lambda char: (char + "a").title()[-1] == "a",
    "ignorable": lambda char: _is_ignorable(char),
}

_FIXED: dict[tuple[type, str], list[tuple[int, int]]] = {
    (str, "ascii"): [(0, 0x7F)],
    (bytes, "ascii"): [(0, 0x7F)],
    (bytes, "space"): [(0x09, 0x0D), (0x20, 0x20)],
    (str, "line break"): [(0x0A, 0x0D), (0x1C, 0x1E), (0x85, 0x85), (0x2028, 0x2029)],
    (bytes, "line break"): [(0x0A, 0x0A), (0x0D, 0x0D)],
    # Where `expandtabs()` starts to count anew.
    (str, "return"): [(0x0A, 0x0A), (0x0D, 0x0D)],
    (bytes, "return"): [(0x0A, 0x0A), (0x0D, 0x0D)],
    (str, "tab"): [(0x09, 0x09)],
    (bytes, "tab"): [(0x09, 0x09)],
    (str, "sign"): [(0x2B, 0x2B), (0x2D, 0x2D)],
    (bytes, "sign"): [(0x2B, 0x2B), (0x2D, 0x2D)],
}

_CASES: dict[str, Callable[[str], str]] = {
    "casefold": str.casefold,
    "lower": str.lower,
    "swapcase": str.swapcase,
    "title": str.title,
    "upper": str.upper,
}


class Case(NamedTuple):
    """How characters change."""

    simple: CharMap
    """Characters that become one other."""
    special: dict[int, str]
    """What characters become that become several, or that depend on the text around them."""


def kind_of(text: object) -> type:
    """`str` or `bytes`."""
    return str if isinstance(text, str) else bytes


def of_units(units: Iterable[int]) -> CharClass:
    """The class of these units."""
    return CharClass([(unit, unit) for unit in units])


def others(kind: type, members: CharClass) -> CharClass:
    """All units of the kind that are no members."""
    return members.complement(sys.maxunicode if kind is str else 0xFF)


@functools.cache
def char_class(kind: type, name: str) -> CharClass:
    """A class by its name."""
    fixed = _FIXED.get((kind, name))
    if fixed is not None:
        return CharClass(fixed)
    units = _units(kind)
    return of_units(compress(units, map(_PREDICATES[name], map(chr, units))))


@functools.cache
def outside(kind: type, name: str) -> CharClass:
    """All units that are not in the named class."""
    return others(kind, char_class(kind, name))


def _units(kind: type) -> list[int]:
    if kind is bytes:
        return list(range(0x80))
    return list(chain.from_iterable(range(first, last + 1) for first, last in _ASSIGNED))


def _is_ignorable(char: str) -> bool:
    """Whether the form of a sigma is told by what stands beyond this character."""
    after_it = (char + "\u03a3").lower()[-1] == "\u03c2"
    beyond_it = ("A" + char + "\u03a3").lower()[-1] == "\u03c2"
    return beyond_it and not after_it


@functools.cache
def case(kind: type, name: str) -> Case:
    """How characters change by the method `name`, each for itself."""
    units = _units(kind)
    chars = list(map(chr, units))
    become = zip(units, chars, map(_CASES[name], chars), strict=True)
    changes = [(unit, new) for unit, char, new in become if char != new]
    in_context = {SIGMA} if kind is str and name in ("lower", "swapcase") else set()
    special = {unit: new for unit, new in changes if len(new) > 1 or unit in in_context}
    simple = [(unit, ord(new)) for unit, new in changes if unit not in special]
    return Case(CharMap(simple), special)


@functools.cache
def language(kind: type, name: str) -> Language:
    """The texts for which the method `name` is true."""
    if name in ("islower", "isupper", "istitle"):
        return Language(_cased_pattern(kind, name))
    if name == "isidentifier":
        following = ("repeat", char_class(kind, "identifier part"), 0, None)
        return Language([char_class(kind, "identifier start"), following])
    least = 0 if name in ("isascii", "isprintable") else 1
    return Language(("repeat", char_class(kind, name[2:]), least, None))


def _cased_pattern(kind: type, name: str) -> object:
    lower, upper = char_class(kind, "lower"), char_class(kind, "upper")
    capital = upper.union(char_class(kind, "title"))
    neutral = others(kind, lower.union(capital))
    if name == "islower":
        return _with_one(lower, neutral)
    if name == "isupper":
        return _with_one(upper, neutral)
    word = [capital, ("repeat", lower, 0, None)]
    further = ("repeat", [("repeat", neutral, 1, None), *word], 0, None)
    return [("repeat", neutral, 0, None), *word, further, ("repeat", neutral, 0, None)]


def _with_one(needed: CharClass, neutral: CharClass) -> object:
    """At least one of the first, and none but of these two."""
    allowed = needed.union(neutral)
    return [("repeat", neutral, 0, None), needed, ("repeat", allowed, 0, None)]
