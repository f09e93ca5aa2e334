"""Where the groups of a match lie, as terms, where the pattern leaves no choice.

If each part of a pattern has a width that is fixed, or that follows from which characters come next,
then nothing has to be decided to know the spans: `(\\d+)-(\\d{2})` at 0 ends its first group where the digits
end. Whether there is a match at all was asked before; here it is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pef._native import apply, decide
from pef.models.regex.expressions import fixed_width
from pef.models.regex.syntax import (
    Anchor,
    Choice,
    Group,
    Look,
    Manner,
    Node,
    One,
    Place,
    Repeat,
    Sequence,
    Syntax,
)
from pef.models.regex.units import LINE_FEED, NOTHING, Units, native

Spans = list[tuple[Any, Any]]
"""Of the match and of each group, (-1, -1) for one that has none."""


@dataclass
class _Walk:
    syntax: Syntax
    text: Any
    whole: bool
    position: Any
    spans: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    last_group: int | None = None


def laid_out(syntax: Syntax, text: Any, start: int, whole: bool) -> tuple[Spans, int | None] | None:
    """The spans of the match that starts at `start`; None if that takes decisions."""
    steps = tuple(_steps(syntax.root))
    if not all(_is_settled(syntax, steps, index, whole) for index in range(len(steps))):
        return None
    walk = _Walk(syntax, text, whole, start)
    opened: dict[int, Any] = {}
    for index, step in enumerate(steps):
        if isinstance(step, _Edge):
            if step.opens:
                opened[step.group] = walk.position
            else:
                walk.spans[step.group] = opened[step.group], walk.position
                walk.last_group = step.group
        else:
            walk.position = walk.position + _width(walk, step, steps[index + 1 :])
    spans = [walk.spans.get(group, (-1, -1)) for group in range(1, syntax.groups + 1)]
    return [(start, walk.position), *spans], walk.last_group


@dataclass(frozen=True)
class _Edge:
    """The start or the end of a group."""

    group: int
    opens: bool


_Step = Node | _Edge


def _steps(node: Node) -> list[_Step]:
    """The parts of a pattern, one after the other, as far as it is a sequence."""
    match node:
        case Sequence(items):
            return [step for item in items for step in _steps(item)]
        case Group(index, body):
            return [_Edge(index, True), *_steps(body), _Edge(index, False)]
        case _:
            return [node]


def _is_settled(syntax: Syntax, steps: tuple[_Step, ...], index: int, whole: bool) -> bool:
    """Whether the width of a step is fixed, or follows from the next characters."""
    step = steps[index]
    if isinstance(step, _Edge):
        return True
    if _has_group(step):
        return False
    if fixed_width(step) is not None:
        return True
    if not isinstance(step, Repeat) or not isinstance(step.body, One):
        return False
    if step.manner is Manner.POSSESSIVE:
        return False
    rest = steps[index + 1 :]
    if not _following(syntax, rest, whole) & step.body.units:
        return True
    return step.manner is Manner.GREEDY and all(isinstance(each, _Edge) for each in rest)


def _has_group(node: Node) -> bool:
    match node:
        case Group():
            return True
        case Sequence(items) | Choice(items):
            return any(map(_has_group, items))
        case Repeat(body) | Look(body):
            return _has_group(body)
        case One() | Anchor():
            return False
        case _:
            return True


def _following(syntax: Syntax, rest: tuple[_Step, ...], whole: bool) -> Units:
    """The characters that may come next if the rest of the pattern matches."""
    found = NOTHING
    for step in rest:
        match step:
            case Anchor(Place.END):
                return found
            case Anchor(Place.END_OR_LAST_LINE_FEED):
                return found | LINE_FEED
            case _Edge() | Anchor() | Look():
                continue
            case _:
                units, may_be_empty = _first(syntax, step)
                found |= units
                if not may_be_empty:
                    return found
    return found if whole else syntax.all_units


def _first(syntax: Syntax, node: Node) -> tuple[Units, bool]:
    """The characters it may start with, at least, and whether it may be empty."""
    match node:
        case One(units):
            return units, False
        case Sequence(items):
            found = NOTHING
            for item in items:
                units, may_be_empty = _first(syntax, item)
                found |= units
                if not may_be_empty:
                    return found, False
            return found, True
        case Choice(items):
            firsts = [_first(syntax, item) for item in items]
            found = NOTHING
            for units, _ in firsts:
                found |= units
            return found, any(may_be_empty for _, may_be_empty in firsts)
        case Repeat(body, least):
            units, may_be_empty = _first(syntax, body)
            return units, may_be_empty or least == 0
        case Group(_, body):
            return _first(syntax, body)
        case Anchor() | Look():
            return NOTHING, True
        case _:
            return syntax.all_units, True


def _width(walk: _Walk, step: Node, rest: tuple[_Step, ...]) -> Any:
    fixed = fixed_width(step)
    if fixed is not None:
        return fixed
    if not isinstance(step, Repeat) or not isinstance(step.body, One):
        raise TypeError("a step of variable width must repeat one character")
    length = apply("length", walk.text)
    following = _following(walk.syntax, rest, walk.whole)
    if not following:
        return length - walk.position
    tail = apply("slice", walk.text, walk.position, length)
    width = apply("span", tail, table=native(step.body.units))
    if following & step.body.units and step.most is not None and decide(width > step.most, "domain"):
        return step.most
    return width
