"""Regular expressions in the mathematical sense, with assertions as zero-width items.

The nodes are those of the syntax tree, without groups. An assertion in a sequence says something
about its position; it passes through all operations here and is resolved by `language`.
"""

from __future__ import annotations

from collections.abc import Iterable

from pef.models.regex.syntax import (
    EMPTY,
    Anchor,
    Choice,
    Failure,
    Group,
    Look,
    Manner,
    Node,
    One,
    Repeat,
    Sequence,
)
from pef.models.regex.units import Units, native


class NotRegularError(Exception):
    """A pattern, or a use of it, that no formula over regular languages is made for."""


NOTHING: Node = Choice(())
"""No text at all."""


def in_order(items: Iterable[Node]) -> Node:
    """One after the other."""
    flat: list[Node] = []
    for item in items:
        if item == NOTHING:
            return NOTHING
        flat.extend(item.items if isinstance(item, Sequence) else (item,))
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def alternatives(items: Iterable[Node]) -> Node:
    """Any of them."""
    flat: list[Node] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Choice) else (item,))
    distinct = tuple(dict.fromkeys(flat))
    return distinct[0] if len(distinct) == 1 else Choice(distinct)


def repeated(body: Node, least: int, most: int | None) -> Node:
    """Some times in a row."""
    if most == 0:
        return EMPTY
    if body == NOTHING:
        return EMPTY if least == 0 else NOTHING
    return body if (least, most) == (1, 1) else Repeat(body, least, most, Manner.GREEDY)


def bare(node: Node) -> Node:
    """The expression of a pattern: no groups, no manners."""
    match node:
        case One(units):
            return node if units else NOTHING
        case Sequence(items):
            return in_order(map(bare, items))
        case Choice(items):
            return alternatives(map(bare, items))
        case Repeat(body, least, most, manner):
            if manner is Manner.POSSESSIVE:
                raise NotRegularError
            return repeated(bare(body), least, most)
        case Group(_, body):
            return bare(body)
        case Look(body, back, wanted):
            return Look(bare(body), back, wanted)
        case Anchor():
            return node
        case Failure():
            return NOTHING
        case _:
            raise NotRegularError


def has_assertion(node: Node) -> bool:
    """Whether something in it asks about its surroundings."""
    match node:
        case Anchor() | Look():
            return True
        case Sequence(items) | Choice(items):
            return any(map(has_assertion, items))
        case Repeat(body):
            return has_assertion(body)
        case _:
            return False


def empties(node: Node) -> Node:
    """Its empty text, if it has one."""
    match node:
        case One():
            return NOTHING
        case Sequence(items):
            return in_order(map(empties, items))
        case Choice(items):
            return alternatives(map(empties, items))
        case Repeat(body, least):
            return EMPTY if least == 0 else empties(body)
        case _:
            return node


def starting(node: Node, units: Units) -> Node:
    """Its texts that start with a character of the set."""
    match node:
        case One(mine):
            return _one(mine & units)
        case Sequence(items):
            return alternatives(
                in_order((*map(empties, items[:index]), starting(item, units), *items[index + 1 :]))
                for index, item in enumerate(items)
                if in_order(map(empties, items[:index])) != NOTHING
            )
        case Choice(items):
            return alternatives(starting(item, units) for item in items)
        case Repeat(body):
            _without_assertion(body)
            return in_order((starting(body, units), _once_less(node)))
        case _:
            return NOTHING


def ending(node: Node, units: Units) -> Node:
    """Its texts that end with a character of the set."""
    match node:
        case One(mine):
            return _one(mine & units)
        case Sequence(items):
            return alternatives(
                in_order((*items[:index], ending(item, units), *map(empties, items[index + 1 :])))
                for index, item in enumerate(items)
                if in_order(map(empties, items[index + 1 :])) != NOTHING
            )
        case Choice(items):
            return alternatives(ending(item, units) for item in items)
        case Repeat(body):
            _without_assertion(body)
            return in_order((_once_less(node), ending(body, units)))
        case _:
            return NOTHING


def single(node: Node, units: Units) -> Node:
    """Its texts of one character, of the set."""
    match node:
        case One(mine):
            return _one(mine & units)
        case Sequence(items):
            return alternatives(
                in_order(
                    (
                        *map(empties, items[:index]),
                        single(item, units),
                        *map(empties, items[index + 1 :]),
                    )
                )
                for index, item in enumerate(items)
            )
        case Choice(items):
            return alternatives(single(item, units) for item in items)
        case Repeat(body):
            _without_assertion(body)
            return in_order((empties(_once_less(node)), single(body, units)))
        case _:
            return NOTHING


def _one(units: Units) -> Node:
    return One(units) if units else NOTHING


def _once_less(repeat: Repeat) -> Node:
    most = None if repeat.most is None else repeat.most - 1
    return repeated(repeat.body, max(repeat.least - 1, 0), most)


def _without_assertion(body: Node) -> None:
    if has_assertion(body):
        raise NotRegularError


def fixed_width(node: Node) -> int | None:
    """How many characters its texts have, if that is always the same number."""
    match node:
        case One():
            return 1
        case Sequence(items):
            widths = [fixed_width(item) for item in items]
            known = [width for width in widths if width is not None]
            return sum(known) if len(known) == len(widths) else None
        case Choice(items):
            different = {fixed_width(item) for item in items}
            return different.pop() if len(different) == 1 else None
        case Repeat(body, least, most):
            width = fixed_width(body)
            return width * least if width is not None and (least == most or not width) else None
        case Group(_, body):
            return fixed_width(body)
        case Anchor() | Look():
            return 0
        case _:
            return None


def native_pattern(node: Node) -> object:
    """The expression as `_native.Language` takes it."""
    match node:
        case One(units):
            return native(units)
        case Sequence(items):
            return [native_pattern(item) for item in items] if items else None
        case Choice(items):
            return ("choice", *map(native_pattern, items))
        case Repeat(body, least, most):
            return ("repeat", native_pattern(body), least, most)
        case _:
            raise NotRegularError
