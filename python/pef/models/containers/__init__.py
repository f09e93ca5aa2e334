"""Lists, tuples, dicts, sets and the functions over them.

Containers are CPython's own and hold symbolic items as they are. What is left to model are the
places where C code would read an index, a length or the hash of a key: positions and counts are
decided (`positions`), and which of the present keys is meant is one decision over them (`dicts`,
`sets`, with the native `find_key`). A dict or set that holds symbolic keys turns into a type of
ours for the rest of the run (`keyed`).

What stays out: subscripts, `in` and displays of rewritten code, which are native helpers.
"""

from __future__ import annotations

from typing import Any


def install() -> None:
    """Registers the models of all containers and of the functions over them."""
    from pef import _native
    from pef.models.containers import (
        calls,
        copies,
        dicts,
        iterators,
        mappings,
        sequences,
        sets,
        views,
    )

    for room in (sequences, dicts, sets, mappings, views, iterators, calls):
        room.install()
    untouched: Any
    for untouched in _native.UNTOUCHED_TYPES:
        untouched.__deepcopy__ = copies.of_untouched
