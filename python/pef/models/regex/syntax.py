"""Patterns as trees of nodes, read from CPython's own parse tree.

Flags are gone here: a node says which characters it takes, where an anchor holds, and how a
back-reference compares. What CPython's parser accepts and this module does not know is
an `UnmodelledError`.
"""

from __future__ import annotations

import enum
import re
import warnings
from functools import lru_cache
from typing import Any

from pef.models.regex import sre
from pef.models.regex.units import BYTES, CHARACTERS, Units, units_of, word_units
from pef.records import record


class UnmodelledError(Exception):
    """A pattern that is left to CPython."""


class Manner(enum.Enum):
    """How a repeat looks for its number of repetitions."""

    GREEDY = enum.auto()
    LAZY = enum.auto()
    POSSESSIVE = enum.auto()


class Place(enum.Enum):
    """Where an anchor holds."""

    START = enum.auto()
    START_OF_LINE = enum.auto()
    END = enum.auto()
    END_OR_LAST_LINE_FEED = enum.auto()
    END_OF_LINE = enum.auto()
    BOUNDARY = enum.auto()
    NO_BOUNDARY = enum.auto()


@record(frozen=True)
class One:
    """One character of a set."""

    units: Units


@record(frozen=True)
class Sequence:
    """One after the other."""

    items: tuple[Node, ...]


@record(frozen=True)
class Choice:
    """The first that leads to a match."""

    items: tuple[Node, ...]


@record(frozen=True)
class Repeat:
    """Between `least` and `most` (None: any number) times."""

    body: Node
    least: int
    most: int | None
    manner: Manner


@record(frozen=True)
class Group:
    """A capturing group."""

    index: int
    body: Node


@record(frozen=True)
class Atomic:
    """The first way the body matches, and no other."""

    body: Node


@record(frozen=True)
class Look:
    """Whether the body matches here, or `back` characters before."""

    body: Node
    back: int | None
    wanted: bool


@record(frozen=True)
class Anchor:
    """A place. `word` is what words are made of, for boundaries."""

    place: Place
    word: Units | None = None


@record(frozen=True)
class Reference:
    """The text of a group again; `lower` tells by which rule case is ignored, if it is."""

    group: int
    lower: str | None


@record(frozen=True)
class Condition:
    """One or the other, by whether a group has matched."""

    group: int
    yes: Node
    no: Node


@record(frozen=True)
class Failure:
    """Never matches."""


Node = (
    One
    | Sequence
    | Choice
    | Repeat
    | Group
    | Atomic
    | Look
    | Anchor
    | Reference
    | Condition
    | Failure
)

EMPTY = Sequence(())


@record(frozen=True)
class Syntax:
    """A pattern, read."""

    root: Node
    groups: int
    all_units: Units
    """All characters, or all bytes."""


@lru_cache(maxsize=256)
def syntax_of(pattern: re.Pattern[Any]) -> Syntax:
    """The tree of a compiled pattern."""
    source: Any = pattern.pattern
    if not isinstance(source, (str, bytes)) or pattern.flags & sre.LOCALE:
        raise UnmodelledError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = sre.parse(source, pattern.flags)
    all_units = CHARACTERS if isinstance(source, str) else BYTES
    flags = tree.state.flags | pattern.flags
    try:
        return Syntax(_Reader(all_units).sequence(tree, flags), pattern.groups, all_units)
    except RecursionError:
        raise UnmodelledError from None


class _Reader:
    def __init__(self, all_units: Units) -> None:
        self.all_units = all_units

    def sequence(self, items: Any, flags: int) -> Node:
        nodes = tuple(self.node(item, flags) for item in items)
        return nodes[0] if len(nodes) == 1 else Sequence(nodes)

    def node(self, item: tuple[Any, Any], flags: int) -> Node:
        op, value = item
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return One(units_of(item, flags, self.all_units))
        if op is sre.BRANCH:
            return Choice(tuple(self.sequence(each, flags) for each in value[1]))
        if op is sre.SUBPATTERN:
            return self._group(value, flags)
        if op in _MANNERS:
            least, most, body = value
            limit = None if most == sre.MAXREPEAT else int(most)
            return Repeat(self.sequence(body, flags), int(least), limit, _MANNERS[op])
        if op is sre.AT:
            return self._anchor(value, flags)
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            direction, body = value
            back = None if direction >= 0 else int(body.getwidth()[0])
            return Look(self.sequence(body, flags), back, op is sre.ASSERT)
        return self._rare(op, value, flags)

    def _rare(self, op: Any, value: Any, flags: int) -> Node:
        if op is sre.GROUPREF:
            if not flags & sre.IGNORECASE:
                return Reference(value, None)
            is_unicode = flags & sre.UNICODE and not flags & sre.ASCII
            return Reference(value, "unicode" if is_unicode else "ascii")
        if op is sre.GROUPREF_EXISTS:
            group, yes, no = value
            other = EMPTY if no is None else self.sequence(no, flags)
            return Condition(group, self.sequence(yes, flags), other)
        if op is sre.FAILURE:
            return Failure()
        if op is not None and op is sre.ATOMIC_GROUP:
            return Atomic(self.sequence(value, flags))
        raise UnmodelledError

    def _group(self, value: Any, flags: int) -> Node:
        index, added, removed, body = value
        if added & sre.TYPE_FLAGS:
            flags &= ~sre.TYPE_FLAGS
        flags = (flags | added) & ~removed
        if flags & sre.LOCALE:
            raise UnmodelledError
        inner = self.sequence(body, flags)
        return inner if index is None else Group(index, inner)

    def _anchor(self, at: Any, flags: int) -> Node:
        if at in (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY):
            place = Place.BOUNDARY if at is sre.AT_BOUNDARY else Place.NO_BOUNDARY
            return Anchor(place, word_units(flags, self.all_units))
        places = _LINE_PLACES if flags & sre.MULTILINE else _PLACES
        if at not in places:
            raise UnmodelledError
        return Anchor(places[at])


_MANNERS = {
    sre.MAX_REPEAT: Manner.GREEDY,
    sre.MIN_REPEAT: Manner.LAZY,
    sre.POSSESSIVE_REPEAT: Manner.POSSESSIVE,
}
_PLACES = {
    sre.AT_BEGINNING: Place.START,
    sre.AT_BEGINNING_STRING: Place.START,
    sre.AT_END: Place.END_OR_LAST_LINE_FEED,
    sre.AT_END_STRING: Place.END,
}
_LINE_PLACES = {
    **_PLACES,
    sre.AT_BEGINNING: Place.START_OF_LINE,
    sre.AT_END: Place.END_OF_LINE,
}
