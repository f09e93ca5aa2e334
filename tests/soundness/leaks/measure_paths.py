"""Explores one function for many paths, then many functions in turn; prints sizes as JSON.

    measure_paths.py PATHS SESSIONS [kept]

`[blocks, kilobytes]` at the quarters of the paths, and at the quarters of the sessions. With
`kept`, the paths are kept, which is what a leak looks like.
"""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

import pef

PATHS, SESSIONS = int(sys.argv[1]), int(sys.argv[2])
KEPT: list[object] | None = [] if "kept" in sys.argv else None


ITEMS = tuple(range(40))


def branching(x: int, y: int, s: str, b: bool, z: int) -> object:
    """Some 80 ** 3 paths, none of them long."""
    place = ITEMS[x] + ITEMS[y]
    if ITEMS[z] == place:
        return {x: place, y: s}
    if b:
        raise ValueError(s + "!")
    return [x, y, s[:place]]


def brief(x: int, s: str) -> object:
    if x > 3 and s == "a":
        return {s: [x]}
    return x + 1


def size() -> tuple[int, int]:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return sys.getallocatedblocks(), pages * 4


def many_paths() -> list[tuple[int, int]]:
    sizes = []
    with pef.explore(branching, depth=None) as exploration:
        session = exploration._session
        for number in range(1, PATHS + 1):
            path = session.next_path()
            assert path is not None
            assert path.arguments and path.ending in ("returned", "raised")
            if KEPT is not None:
                KEPT.append((path.arguments, path.result))
            if number % (PATHS // 4) == 0:
                sizes.append(size())
    return sizes


def many_sessions() -> list[tuple[int, int]]:
    sizes = []
    for number in range(1, SESSIONS + 1):
        with pef.explore(brief) as exploration:
            while exploration._session.next_path() is not None:
                pass
        del exploration
        if number % (SESSIONS // 4) == 0:
            sizes.append(size())
    return sizes


if __name__ == "__main__":
    print(json.dumps({"paths": many_paths(), "sessions": many_sessions()}))
