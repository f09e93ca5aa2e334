"""What can be said about a pattern without a text: which characters come next, what it looks at."""

from __future__ import annotations

from pef.models.regex.expressions import fixed_width
from pef.models.regex.syntax import (
    Anchor,
    Atomic,
    Choice,
    Condition,
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
from pef.models.regex.units import LINE_FEED, NOTHING, Units
from pef.records import record


def has_group(node: Node) -> bool:
    """Whether a match of it leaves more behind than a width."""
    match node:
        case Group() | Condition():
            return True
        case Sequence(items) | Choice(items):
            return any(map(has_group, items))
        case Repeat(body) | Look(body) | Atomic(body):
            return has_group(body)
        case _:
            return False


def looks_back(node: Node) -> bool:
    """Whether a match of it may depend on what is before."""
    match node:
        case Anchor(place):
            return place not in (Place.END, Place.END_OF_LINE, Place.END_OR_LAST_LINE_FEED)
        case Look(body, back):
            return back is not None or looks_back(body)
        case Sequence(items) | Choice(items):
            return any(map(looks_back, items))
        case Repeat(body) | Group(_, body) | Atomic(body):
            return looks_back(body)
        case Condition(_, yes, no):
            return looks_back(yes) or looks_back(no)
        case _:
            return False


@record(frozen=True)
class Landmark:
    """A text of which each occurrence starts a match, and nothing else does."""

    text: tuple[Units, ...]


def landmark(node: Node) -> Landmark | None:
    """What a match begins with, if that is all it needs: a set of characters, or a plain text."""
    match node:
        case One(units):
            return Landmark((units,))
        case Group(_, body):
            return landmark(body)
        case Repeat(body, 1):
            found = landmark(body)
            return found if found is not None and len(found.text) == 1 else None
        case Choice(items):
            return _landmark_of_any([landmark(item) for item in items])
        case Sequence(items):
            return _landmark_in_order(items)
        case _:
            return None


def _landmark_of_any(found: list[Landmark | None]) -> Landmark | None:
    units = NOTHING
    for each in found:
        if each is None or len(each.text) != 1:
            return None
        units |= each.text[0]
    return Landmark((units,))


def _landmark_in_order(items: tuple[Node, ...]) -> Landmark | None:
    text: list[Units] = []
    for index, item in enumerate(items):
        found = landmark(item)
        if found is None:
            break
        text.extend(found.text)
        if not isinstance(item, One):
            index += 1
            break
    else:
        index = len(items)
    plain = all(units.single() is not None for units in text)
    if not text or (len(text) > 1 and not plain):
        return None
    return Landmark(tuple(text)) if all(map(_is_optional, items[index:])) else None


def closed(syntax: Syntax) -> Node | None:
    """The pattern with what must follow a match of it, if that settles where the match ends."""
    steps = _steps(syntax.root)
    for index, step in enumerate(steps[:-1]):
        if fixed_width(step) is None:
            units = _run_units(step)
            if units is None or units & following(syntax, steps[index + 1 :], whole=False).units:
                return None
    if fixed_width(steps[-1]) is not None:
        return syntax.root
    last = steps[-1]
    units = _run_units(last)
    if units is None or not isinstance(last, Repeat) or last.most is not None:
        return None
    if last.manner is not Manner.GREEDY:
        return None
    return Sequence((syntax.root, Look(One(units), None, wanted=False)))


def _steps(node: Node) -> tuple[Node, ...]:
    match node:
        case Sequence(items):
            return tuple(step for item in items for step in _steps(item))
        case Group(_, body):
            return _steps(body)
        case _:
            return (node,)


def _run_units(node: Node) -> Units | None:
    """The characters of a run, if it is one that may be gone back into."""
    if isinstance(node, Repeat) and isinstance(node.body, One):
        return None if node.manner is Manner.POSSESSIVE else node.body.units
    return None


def _is_optional(node: Node) -> bool:
    """Whether it matches anywhere, if only nothing."""
    match node:
        case Repeat(body, least):
            return least == 0 or _is_optional(body)
        case Sequence(items):
            return all(map(_is_optional, items))
        case Choice(items):
            return any(map(_is_optional, items))
        case Group(_, body):
            return _is_optional(body)
        case _:
            return False


def may_be_empty(syntax: Syntax) -> bool:
    """Whether a match may have no characters; true if that is not known."""
    return _first(syntax, syntax.root)[1]


@record(frozen=True)
class Following:
    """What may come next in a text."""

    units: Units
    end: bool
    """Whether the text may end."""


def following(syntax: Syntax, rest: tuple[Node, ...], whole: bool) -> Following:
    """What may come next if the rest of a pattern matches."""
    found = NOTHING
    for node in rest:
        match node:
            case Anchor(Place.END):
                return Following(found, end=True)
            case Anchor(Place.END_OR_LAST_LINE_FEED):
                return Following(found | LINE_FEED, end=True)
            case _:
                units, may_be_empty = _first(syntax, node)
                found |= units
                if not may_be_empty:
                    return Following(found, end=False)
    return Following(found if whole else syntax.all_units, end=True)


def _first(syntax: Syntax, node: Node) -> tuple[Units, bool]:
    """The characters it may start with, and whether it may be empty."""
    match node:
        case One(units):
            return units, False
        case Sequence(items):
            return _first_in_order(syntax, items)
        case Choice(items):
            found, may_be_empty = NOTHING, False
            for item in items:
                units, empty = _first(syntax, item)
                found, may_be_empty = found | units, may_be_empty or empty
            return found, may_be_empty
        case Repeat(body, least):
            units, may_be_empty = _first(syntax, body)
            return units, may_be_empty or least == 0
        case Group(_, body):
            return _first(syntax, body)
        case Anchor() | Look():
            return NOTHING, True
        case _:
            return syntax.all_units, True


def _first_in_order(syntax: Syntax, items: tuple[Node, ...]) -> tuple[Units, bool]:
    found = NOTHING
    for item in items:
        units, may_be_empty = _first(syntax, item)
        found |= units
        if not may_be_empty:
            return found, False
    return found, True
