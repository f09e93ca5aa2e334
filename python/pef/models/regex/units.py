"""Sets of characters, as sorted ranges of code points.

Which characters `\\w`, `[^a-z]` under IGNORECASE and the like stand for is CPython's to say: a set
with a category or without regard to case is found by running the real engine over all characters.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache
from typing import Any

from pef.models.regex import sre
from pef.records import record

Ranges = tuple[tuple[int, int], ...]

LAST_CHARACTER = 0x10FFFF
LAST_BYTE = 0xFF


@record(frozen=True)
class Units:
    """A set of code points (or bytes): inclusive ranges, ascending, that do not touch."""

    ranges: Ranges

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, int]]) -> Units:
        """The set of all points in these ranges, in any order."""
        merged: list[tuple[int, int]] = []
        for first, last in sorted(ranges):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = merged[-1][0], max(merged[-1][1], last)
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __contains__(self, code: int) -> bool:
        return any(first <= code <= last for first, last in self.ranges)

    def single(self) -> int | None:
        """The only member, if there is just one."""
        if len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]:
            return self.ranges[0][0]
        return None

    def __or__(self, other: Units) -> Units:
        return Units.of(self.ranges + other.ranges)

    def __and__(self, other: Units) -> Units:
        if self is other:
            return self
        common = []
        mine, theirs = 0, 0
        while mine < len(self.ranges) and theirs < len(other.ranges):
            (first, last), (start, end) = self.ranges[mine], other.ranges[theirs]
            if max(first, start) <= min(last, end):
                common.append((max(first, start), min(last, end)))
            if last < end:
                mine += 1
            else:
                theirs += 1
        return Units(tuple(common))

    def others(self, all_units: Units) -> Units:
        """The members of `all_units`, one range from 0, that are not in this set."""
        gaps = []
        following = 0
        for first, last in self.ranges:
            if first > following:
                gaps.append((following, first - 1))
            following = last + 1
        end = all_units.ranges[0][1]
        if following <= end:
            gaps.append((following, end))
        return Units(tuple(gaps))


NOTHING = Units(())
CHARACTERS = Units(((0, LAST_CHARACTER),))
BYTES = Units(((0, LAST_BYTE),))
LINE_FEED = Units(((10, 10),))


@cache
def native(units: Units) -> Any:
    """The set as a table of the term language."""
    from pef._native import CharClass

    return CharClass(list(units.ranges))


def units_of(item: tuple[Any, Any], flags: int, all_units: Units) -> Units:
    """The characters that an item of a parse tree which takes one character stands for."""
    op, value = item
    if op is sre.ANY:
        return all_units if flags & sre.DOTALL else LINE_FEED.others(all_units)
    if not flags & sre.IGNORECASE or (
        op is sre.LITERAL and value < 128 and not chr(value).isalpha()
    ):
        if op is sre.LITERAL:
            return Units(((value, value),))
        if op is sre.NOT_LITERAL:
            return Units(((value, value),)).others(all_units)
        return _set(value, flags, all_units)
    if op is sre.IN:
        return _probed(op, tuple(value), flags & _MEANING, all_units)
    return _probed(op, value, flags & _MEANING, all_units)


_MEANING = sre.IGNORECASE | sre.UNICODE | sre.ASCII
"""The flags that change which characters a set has."""


def _set(members: list[tuple[Any, Any]], flags: int, all_units: Units) -> Units:
    found = NOTHING
    negated = False
    for op, value in members:
        if op is sre.NEGATE:
            negated = True
        elif op is sre.LITERAL:
            found |= Units(((value, value),))
        elif op is sre.RANGE:
            found |= Units((value,))
        else:
            found |= _probed(sre.IN, ((op, value),), flags & _MEANING, all_units)
    return found.others(all_units) if negated else found


def word_units(flags: int, all_units: Units) -> Units:
    """What `\\b` takes for a part of a word."""
    word = ((sre.CATEGORY, sre.CATEGORY_WORD),)
    return _probed(sre.IN, word, flags & (sre.UNICODE | sre.ASCII), all_units)


@cache
def _probed(op: Any, value: Any, flags: int, all_units: Units) -> Units:
    """The runs of members among all characters, as the real engine sees them."""
    tree = sre.SubPattern(sre.State())
    body = sre.SubPattern(tree.state, [(op, list(value) if op is sre.IN else value)])
    tree.append((sre.MAX_REPEAT, (1, sre.MAXREPEAT, body)))
    runs = sre.compile_tree(tree, flags)
    subject = bytes(range(256)) if all_units is BYTES else _all_characters()
    spans = (match.span() for match in runs.finditer(subject))
    return Units(tuple((first, end - 1) for first, end in spans))


@cache
def _all_characters() -> str:
    codes = array("I", range(LAST_CHARACTER + 1))
    return codes.tobytes().decode("utf-32", "surrogatepass")


@cache
def lowered(unicode: bool) -> Any:
    """The change of case under which back-references compare, as a table of the term language."""
    from pef._native import CharMap

    lower = sre.unicode_tolower if unicode else sre.ascii_tolower
    last = LAST_CHARACTER if unicode else 127
    return CharMap([(code, lower(code)) for code in range(last + 1) if lower(code) != code])
