"""Explores one of the functions below, as often as the second argument says.

All are answered by the layers of our own: Z3 would drown what is to be counted.
"""

import sys

from pef.session import explore


def nothing(x: int) -> int:
    """What has to be done anyway."""
    return x


def adds(x: int, y: int) -> int:
    """Symbolic operations without decisions."""
    for _ in range(500):
        x + y
        x - y
        x * y
        x < y
        x & y
        -x
        x == y
        x + 1
        x // 7
        x % 7  # noqa: B018, E702
    return x


def paths(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Sixty-four paths of independent decisions."""
    return (a > 0) + (b > 0) + sum(1 for each in (a, b, c, d, e, f) if each > 0)


def loop(x: int) -> int:
    """A path of many decisions."""
    for k in range(60):
        if x == k + 7:
            return k
    return x


def sorting(items: list[int]) -> list[int]:
    """
    :assume: len(items) == 4
    """
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def text(s: str) -> int:
    """
    :assume: len(s) == 12
    """
    return sum(1 for c in s[:5] if c == "x")


if __name__ == "__main__":
    for _ in range(int(sys.argv[2])):
        with explore(globals()[sys.argv[1]], depth=None) as exploration:
            for _path in exploration.unreplayed():
                pass
