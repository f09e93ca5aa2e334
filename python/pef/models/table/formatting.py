"""Rows of text made from values and values read from text: `format`, `%`, `int(s)` and the like."""

from __future__ import annotations

from pef.models.table.rows import Operation


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return ()
