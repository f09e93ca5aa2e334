"""Rows of `float`, `math` and the numeric types of the standard library."""

from __future__ import annotations

from pef.models.table.rows import Operation


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return ()
