"""Which characters are digits, letters, space..., and what they become in another case.

CPython is asked about every character, so the tables are those of the running version. They are
made when first needed, and kept. Bytes have the tables of ASCII.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress

from pef._native import CharClass, CharMap, Language

_ASSIGNED = ((0, 0x3FFFF), (0xE0000, 0xE0FFF))
"""Where characters have properties: the planes between are empty, those above for private use."""

_CASED = (
    *((0, 0x33FF), (0xA000, 0xABFF), (0xF900, 0x16FFF)),
    *((0x1AFF0, 0x1FFFF), (0xE0000, 0xE0FFF)),
)
"""Where characters have case, or are ignored in questions of case: not among ideographs."""

_ASCII = ((0, 0x7F),)

_SMALL_SIGMA, _FINAL_SIGMA = 0x3C3, 0x3C2

_IDENTIFIERS: dict[str, Callable[[str], bool]] = {
    "identifier start": str.isidentifier,
    "identifier part": lambda char: ("a" + char).isidentifier(),
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


Case = tuple[CharMap, tuple[CharClass, CharMap], tuple[CharClass, CharMap]]
"""What characters begin with in another case; which go on, and how; the same of the third place."""


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
    """A class by its name: one of those below, or the rest of `str.is...`.

    A single upper case letter passes for a title, too; here "title" has only the others.
    """
    fixed = _FIXED.get((kind, name))
    if fixed is not None:
        return CharClass(fixed)
    if name in _OF_CASE:
        units = _units(kind, _CASED)
        return of_units(compress(units, _OF_CASE[name](units)))
    named = CharClass.named(name, _ASSIGNED if kind is str else _ASCII)
    if named is not None:
        return named
    units = _units(kind, _ASSIGNED)
    return of_units(compress(units, map(_IDENTIFIERS[name], map(chr, units))))


@functools.cache
def outside(kind: type, name: str) -> CharClass:
    """All units that are not in the named class."""
    return others(kind, char_class(kind, name))


def _units(kind: type, ranges: tuple[tuple[int, int], ...]) -> list[int]:
    within = ranges if kind is str else _ASCII
    return list(chain.from_iterable(range(first, last + 1) for first, last in within))


def _cased(units: list[int]) -> Iterator[bool]:
    """Which characters are cased: within a word, `title()` makes letters lower case."""
    return (text[-1] == "a" for text in _in_context(units, "{}a", str.title))


def _ignorable(units: list[int]) -> Iterator[bool]:
    """Which characters are passed over in search of the letter that tells the form of a sigma."""
    after_it = _in_context(units, "{}\u03a3", str.lower)
    beyond_it = _in_context(units, "A{}\u03a3", str.lower)
    pairs = zip(after_it, beyond_it, strict=True)
    return (far[-1] == "\u03c2" != near[-1] for near, far in pairs)


def _in_context(units: list[int], form: str, method: Callable[[str], str]) -> list[str]:
    """What the method makes of each character in a text. All at once: there are many."""
    separator = "\0"
    texts = (form.replace("{}", chr(unit) if unit else "1") for unit in units)
    return method(separator.join(texts)).split(separator)


_OF_CASE: dict[str, Callable[[list[int]], Iterator[bool]]] = {
    "cased": _cased,
    "ignorable": _ignorable,
}


@functools.cache
def alike_sigmas() -> CharMap:
    """The map of the small sigma at the end of a word to the other one."""
    return CharMap([(_FINAL_SIGMA, _SMALL_SIGMA)])


@functools.cache
def case(kind: type, name: str) -> Case:
    """How characters change by the method `name`, each for itself.

    By `swapcase` a final sigma stays: it stands for a capital one.
    """
    units = _units(kind, _CASED)
    chars = list(map(chr, units))
    become = zip(units, chars, map(_CASES[name], chars), strict=True)
    changes = [(unit, new) for unit, char, new in become if char != new]
    if name == "swapcase":
        changes = [(unit, new) for unit, new in changes if unit != _FINAL_SIGMA]
    first, second, third = ([(u, new) for u, new in changes if len(new) > n] for n in range(3))
    return (
        CharMap([(unit, ord(new[0])) for unit, new in first]),
        (of_units(unit for unit, _ in second), CharMap([(u, ord(new[1])) for u, new in second])),
        (of_units(unit for unit, _ in third), CharMap([(u, ord(new[2])) for u, new in third])),
    )


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
