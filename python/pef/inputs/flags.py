"""What a parameter of an `enum.Flag` can be: more than its members.

Members combine, and none of them at once is a value, too. Loaded for functions that take flags.
"""

from __future__ import annotations

import enum
from contextlib import suppress
from itertools import combinations

_MOST_BITS = 6
"""Of more only the members, none and all of them are tried."""


def flags_of(kind: type[enum.Flag], place: str, doubts: list[str]) -> list[enum.Flag]:
    """The values to try, members first; what they leave out is added to the doubts."""
    found = list(kind.__members__.values())
    mask = 0
    for member in found:
        mask |= member.value
    bits = [1 << shift for shift in range(mask.bit_length()) if mask >> shift & 1]
    if len(bits) > _MOST_BITS:
        doubts.append(f"{place} as other combinations of {kind.__name__}")
        values = [0, mask]
    else:
        sizes = range(len(bits) + 1)
        values = [sum(some) for size in sizes for some in combinations(bits, size)]
    if issubclass(kind, int):
        doubts.append(f"{place} as {kind.__name__} with bits that have no name")
    for value in values:
        with suppress(ValueError):  # not made of members
            found.append(kind(value))
    return list(dict.fromkeys(found))
