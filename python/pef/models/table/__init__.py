"""Every operation of the modelled types, and what happens to a symbolic value in it.

One table for three readers: the documentation (`docs/models.md` is made from it), `pef selftest`
(which explores every case and compares it with CPython), and the test that no attribute of a type
is missing. One file per type.

A case is an expression, or a suite that ends in `return`, over the parameters `x`, `y`, `z` (int),
`p`, `q` (bool), `s`, `t` (str), `b`, `c` (bytes) and `f`, `g` (float).
"""

from __future__ import annotations

from pef.models.table.rows import Operation, Treatment

__all__ = ["Operation", "Treatment", "operations"]


def operations() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    from pef.models.table import (
        binary,
        containers,
        dates,
        decimals,
        floats,
        formatting,
        libraries,
        numbers,
        regex,
        text,
    )

    numeric = (floats, dates, decimals)
    rooms = (numbers, text, formatting, binary, *numeric, regex, containers, libraries)
    return tuple(row for room in rooms for row in room.rows())
