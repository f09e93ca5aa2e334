"""`replace` and `expandtabs`: text put in the place of other text, occurrence by occurrence.

Each occurrence that is replaced is a decision. One character for another needs none: that is a map.
"""

from __future__ import annotations

from typing import Any

from pef._native import CharMap, apply, decide, is_symbolic
from pef.models.text import tables
from pef.models.text.calling import allows, index, limit, operand
from pef.models.text.padding import filler
from pef.models.text.terms import concat, empty, find, length, mapped, part, rest, rspan, span

_LARGEST_INT = 2**31 - 1


def replace(text: Any, old: Any, new: Any, count: Any = -1, /) -> Any:
    """`text.replace(old, new, count)`"""
    pattern, inserted, most = operand(text, old), operand(text, new), limit(count)
    width = length(pattern)
    if decide(width == 0, "domain"):
        return _interleaved(text, inserted, most)
    if most is None and _is_unit(pattern) and _is_unit(inserted):
        return mapped(text, CharMap([(ord(pattern), ord(inserted))]))
    if most is None and _is_unit(pattern) and not is_symbolic(inserted) and not inserted:
        return apply("without", text, table=tables.of_units([ord(pattern)]))
    parts: list[Any] = []
    position: Any = 0
    while allows(most, len(parts) // 2):
        found = find(text, pattern, position)
        if decide(found < 0, "domain"):
            break
        parts += [part(text, position, found), inserted]
        position = found + width
    return concat(text, [*parts, rest(text, position)]) if parts else text


def replace_named(text: Any, old: Any, new: Any, /, count: Any = -1) -> Any:
    """As `replace`, where the count has a name: since CPython 3.13."""
    return replace(text, old, new, count)


def _is_unit(text: Any) -> bool:
    return not is_symbolic(text) and len(text) == 1


def _interleaved(text: Any, inserted: Any, most: Any) -> Any:
    """Empty text stands before every character, and at the end."""
    if not allows(most, 0):
        return text
    parts = [inserted]
    position = 0
    while decide(length(text) > position, "domain"):
        if not allows(most, position + 1):
            parts.append(rest(text, position))
            break
        parts += [part(text, position, position + 1), inserted]
        position += 1
    return concat(text, parts)


def expandtabs(text: Any, /, tabsize: Any = 8) -> Any:
    """`text.expandtabs(tabsize)`: each further tab is a decision."""
    stops = _stops(tabsize)
    kind = tables.kind_of(text)
    ordinary, in_line = tables.outside(kind, "tab"), tables.outside(kind, "return")
    done = empty(text)
    position: Any = 0
    while True:
        ahead = rest(text, position)
        run = span(ahead, ordinary)
        done = concat(text, [done, part(ahead, 0, run)])
        if decide(run == length(ahead), "domain"):
            return done
        if stops is not None:
            column = rspan(done, in_line)
            space = " " if kind is str else b" "
            done = concat(text, [done, filler(space, stops - column % stops)])
        position = position + run + 1


def _stops(tabsize: Any) -> Any:
    """The distance of the tab stops; `None` if there are none."""
    distance = index(tabsize)
    if decide((distance > _LARGEST_INT) | (distance < -_LARGEST_INT - 1), "domain"):
        raise OverflowError("Python int too large to convert to C int")
    return distance if decide(distance > 0, "domain") else None
