"""`pef selftest`: PEF compares its own models with CPython.

Every case of `pef.models.table` becomes a small function. It is rewritten and explored like any
target; each path gives an input, on which the same source runs as plain Python. Value, type,
exception and message must agree, and a row that claims to keep a value symbolic must not pin it.
The same cases are then forced to boundary and random inputs, so that the arithmetic is tried where
a solver would not go by itself.

What stays out: the models (`pef.models`), and the table's wording (`pef.models.table`).
"""

from __future__ import annotations

from pef.selftest.report import UnknownNameError, run

__all__ = ["UnknownNameError", "run"]
