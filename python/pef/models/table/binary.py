"""Rows of `bytes`, `bytearray`, `memoryview` and the functions over them."""

from __future__ import annotations

from pef.models.table.rows import Operation


def rows() -> tuple[Operation, ...]:
    """All rows, in the order of the documentation."""
    return ()
