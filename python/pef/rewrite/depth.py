"""Room for deeply nested syntax trees.

A sum of a thousand terms is a tree a thousand nodes deep. CPython's compiler copes with it; a
visitor written in Python needs several frames per level, more than the default limit allows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_FRAMES = 10_000
"""Enough for every tree the parser accepts in practice, well short of the end of a C stack."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raises the recursion limit of this thread for a while; never lowers it."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
