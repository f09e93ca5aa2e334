"""`upper`, `lower`, `title`...: characters in another case.

Most characters become one other, whatever stands around them: that is a map of the text and asks
nothing. The few that become several (`ß`), and the capital sigma, whose lower case depends on its
neighbours, are found one after the other; whether there is one more is a decision, which one it is
is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pef._native import CharClass, CharMap, apply, as_int, decide
from pef.models.text import tables
from pef.models.text.tables import SIGMA, Case
from pef.models.text.terms import character, code, concat, is_in, length, mapped, part, rspan, span

Change = Callable[[Any, Any], Any]
"""What becomes of the special character of a text at a position."""


def upper(text: Any, /) -> Any:
    """`text.upper()`"""
    return _each(text, "upper")


def lower(text: Any, /) -> Any:
    """`text.lower()`"""
    return _each(text, "lower")


def casefold(text: Any, /) -> Any:
    """`text.casefold()`"""
    return _each(text, "casefold")


def swapcase(text: Any, /) -> Any:
    """`text.swapcase()`"""
    return _each(text, "swapcase")


def capitalize(text: Any, /) -> Any:
    """`text.capitalize()`"""
    return concat(text, [_titled(text, 0), _changed(text, "lower", 1, length(text))])


def title(text: Any, /) -> Any:
    """`text.title()`: each further word is a decision."""
    kind = tables.kind_of(text)
    cased, uncased = tables.char_class(kind, "cased"), tables.outside(kind, "cased")
    is_ordinary = _has_only_ordinary(text)
    end = length(text)
    parts: list[Any] = []
    position: Any = 0
    while True:
        start = position + span(part(text, position, end), uncased)
        parts.append(part(text, position, start))
        if decide(start >= end, "domain"):
            return concat(text, parts)
        position = start + span(part(text, start, end), cased)
        if is_ordinary:
            capital = mapped(part(text, start, start + 1), tables.case(kind, "title").simple)
            others = mapped(part(text, start + 1, position), tables.case(kind, "lower").simple)
            parts += [capital, others]
        else:
            parts += [_titled(text, start), _changed(text, "lower", start + 1, position)]


def _has_only_ordinary(text: Any) -> bool:
    """Whether no character is special in a title: asked once, not at every word."""
    kind = tables.kind_of(text)
    special = {**tables.case(kind, "title").special, **tables.case(kind, "lower").special}
    if not special:
        return True
    ordinary = tables.others(kind, tables.of_units(special))
    return decide(span(text, ordinary) == length(text), "domain")


def _each(text: Any, name: str) -> Any:
    return _changed(text, name, 0, length(text))


def _changed(text: Any, name: str, start: Any, stop: Any) -> Any:
    """The characters from `start` up to `stop` in another case, as they stand in `text`."""
    case = tables.case(tables.kind_of(text), name)

    def change(text: Any, position: Any) -> Any:
        return _special(text, position, case)

    return by_runs(text, start, stop, case.simple, tables.of_units(case.special), change)


def by_runs(
    text: Any, start: Any, stop: Any, simple: CharMap, special: CharClass, change: Change
) -> Any:
    """Text from `start` up to `stop` with ordinary characters mapped, special ones changed."""
    if not special.ranges():
        return mapped(part(text, start, stop), simple)
    ordinary = tables.others(tables.kind_of(text), special)
    parts: list[Any] = []
    while True:
        ahead = part(text, start, stop)
        run = span(ahead, ordinary)
        if decide(run == length(ahead), "domain"):
            return concat(text, [*parts, mapped(ahead, simple)])
        parts += [mapped(part(ahead, 0, run), simple), change(text, start + run)]
        start = start + run + 1


def _titled(text: Any, position: Any) -> Any:
    """One character, if there is one, as a word begins."""
    case = tables.case(tables.kind_of(text), "title")
    special = tables.of_units(case.special)
    if case.special and decide(is_in(code(text, position), special), "domain"):
        return _special(text, position, case)
    return mapped(part(text, position, position + 1), case.simple)


def _special(text: Any, position: Any, case: Case) -> Any:
    """What the special character at a position becomes, whichever it is."""
    unit = code(text, position)
    size: Any = 0
    characters: list[Any] = []
    for place in range(max(map(len, case.special.values()))):
        pairs = [(old, ord(new[place])) for old, new in case.special.items() if len(new) > place]
        new = apply("map_code", unit, table=CharMap(pairs))
        if place == 0 and SIGMA in case.special:
            # The form at the end of a word comes right before the other one.
            new = new - as_int((unit == SIGMA) & _ends_word(text, position))
        characters.append(character(new))
        size = size + as_int(is_in(unit, tables.of_units(old for old, _ in pairs)))
    return part(concat("", characters), 0, size)


def _ends_word(text: Any, position: Any) -> Any:
    """Whether a cased character comes before, none after, without the ignorable ones between."""
    cased, ignorable = tables.char_class(str, "cased"), tables.char_class(str, "ignorable")
    before, after = part(text, 0, position), part(text, position + 1, length(text))
    previous = code(before, position - 1 - rspan(before, ignorable))
    following = code(after, span(after, ignorable))
    return is_in(previous, cased) & (is_in(following, cased) == False)  # noqa: E712
