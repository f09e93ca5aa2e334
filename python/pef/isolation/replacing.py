"""Functions of the standard library that others take the place of.

They are the same in every process that is forked, and made before that; there they are only put in
place. What a process makes for itself costs it pages of memory that it would share.
"""

from __future__ import annotations

from pef.records import NamedTuple


class Replacement(NamedTuple):
    """One function, in the module that it is found in."""

    home: object
    name: str
    value: object
