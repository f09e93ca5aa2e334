"""`translate` and `maketrans`.

Where the table is a dict, characters that become one other are mapped, the rest are found one after
the other. Any other table is asked about every character.
"""

from __future__ import annotations

from typing import Any

from pef import _native
from pef._native import CharMap, apply, as_int, decide, is_symbolic, pinned
from pef.models.text import tables
from pef.models.text.calling import Unfit
from pef.models.text.runs import by_runs
from pef.models.text.terms import character, code, concat, is_in, length, mapped, part

_LAST = 0x10FFFF


def translate(text: Any, table: Any, /) -> Any:
    """`text.translate(table)`"""
    entries = _entries(table)
    if entries is None:
        return _asked(text, table)
    simple: list[tuple[int, int]] = []
    special: dict[int, Any] = {}
    for unit, new in entries.items():
        single = _single(new)
        if single is None:
            special[unit] = new
        else:
            simple.append((unit, single))

    change = CharMap(simple)
    gone = {unit for unit, new in special.items() if new is None}
    if len(gone) == len(special):
        return mapped(apply("without", text, table=tables.of_units(gone)), change)
    return by_runs(
        text,
        tables.of_units(special),
        lambda run: mapped(run, change),
        lambda position: _changed(code(text, position), special),
    )


def _entries(table: Any) -> dict[int, Any] | None:
    """What a plain dict says about characters; `None` if it is something else."""
    if type(table) is not dict or any(map(is_symbolic, table)):
        return None
    if not all(type(key) in (int, bool, str, float, type(None)) for key in table):
        return None
    numbers = {key: new for key, new in table.items() if isinstance(key, (int, float))}
    return {int(key): new for key, new in numbers.items() if key in range(_LAST + 1)}


def _single(new: Any) -> int | None:
    """The one character that this entry of a table stands for, if it is one and known."""
    if is_symbolic(new):
        return None
    if isinstance(new, str):
        return ord(new) if len(new) == 1 else None
    return int(new) if isinstance(new, int) and 0 <= new <= _LAST else None


def _changed(unit: Any, special: dict[int, Any]) -> Any:
    """What a special character becomes; which one it is gets decided as far as it matters."""
    kept = {old: new for old, new in special.items() if new is not None}
    deleted = tables.of_units(special.keys() - kept.keys())
    if not kept or decide(is_in(unit, deleted), "domain"):
        return ""
    *first, last = kept
    for old in first:
        if decide(unit == old, "domain"):
            return _replacement(kept[old])
    return _replacement(kept[last])


def _replacement(new: Any) -> Any:
    if new is None:
        return ""
    if isinstance(new, str):
        return new
    if not isinstance(new, int):
        raise TypeError("character mapping must return integer, None or str")
    if not decide((as_int(new) >= 0) & (as_int(new) <= _LAST), "domain"):
        raise ValueError("character mapping must be in range(0x110000)")
    return character(as_int(new))


def _asked(text: Any, table: Any) -> Any:
    """Every character is looked up."""
    parts: list[Any] = []
    position = 0
    while decide(length(text) > position, "domain"):
        if not hasattr(type(table), "__getitem__"):
            # Refused before the key is looked at.
            table[0]
        try:
            new = _native.__pef_getitem__(table, code(text, position))
        except LookupError:
            parts.append(part(text, position, position + 1))
        else:
            parts.append(_replacement(new))
        position += 1
    return concat(text, parts)


def maketrans(x: Any, y: Any = None, z: Any = "", /) -> Any:
    """`str.maketrans(x, y, z)`: the keys of the table have to be known."""
    if y is None and type(x) is dict:
        # Its values are not looked at, and its keys are known.
        return str.maketrans(x)
    if not (isinstance(x, str) and isinstance(y, str) and isinstance(z, str)):
        raise Unfit
    keys = pinned(x, "str.maketrans")
    if not decide(length(y) == len(keys), "domain"):
        raise ValueError("the first two maketrans arguments must have equal length")
    table: dict[int, Any] = {ord(key): code(y, place) for place, key in enumerate(keys)}
    table.update((ord(char), None) for char in pinned(z, "str.maketrans"))
    return table
