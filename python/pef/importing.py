"""Many imports at once, without the garbage collector going through them again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected(*, for_good: bool = True) -> Iterator[None]:
    """Nothing that is imported is garbage, so nobody needs to search for any.

    `for_good`, the collector never looks at anything that is there at the end. That is for programs
    of ours: in those of others there is garbage.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if for_good:
            gc.freeze()
        if was_enabled:
            gc.enable()
