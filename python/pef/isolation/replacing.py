"""Functions of the standard library that others take the place of.

They are the same in every process that is forked, and made before that; there they are only put in
place. What a process makes for itself costs it pages of memory that it would share.
"""

from __future__ import annotations

import sys
from typing import Any

from pef.records import NamedTuple


class Replacement(NamedTuple):
    """One function, in the module that it is found in."""

    home: object
    name: str
    value: object


def surrendered(value: Any, name: str) -> Any:
    """What a function of C may read that something here stands in for: nothing out of sight.

    Where there is no engine, or one that is being loaded, nothing is symbolic.
    """
    pinned = getattr(sys.modules.get("pef._native"), "pinned", None)
    return value if pinned is None else pinned(value, name)
