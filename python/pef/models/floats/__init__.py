"""Floats: what `float` and `math` do with symbolic values, beyond what is native.

The native type (`SymFloat`) computes and compares by itself. Here is the rest: methods of `float`
(`members`), the functions of `math` (`mathematics`) and sums (`sums`), over the operations of the
term language (`_native.apply`). An exception that CPython would raise is a decision, and CPython
itself is asked to raise it. What has no theory (correctly rounded decimals, text) pins.
"""

from __future__ import annotations

from pef.models.floats.members import to_int

__all__ = ["install", "to_int"]


def install() -> None:
    """Attaches the methods and registers the functions."""
    from pef.models.floats import mathematics, members

    members.install()
    mathematics.install()
