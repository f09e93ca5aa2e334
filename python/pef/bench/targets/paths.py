"""Exhaustive trees."""


def twelve_tests(
    a: int, b: int, c: int, d: int, e: int, f: int,
    g: int, h: int, i: int, j: int, k: int, l: int,  # noqa: E741
) -> int:  # fmt: skip
    """Twelve independent tests: 4096 paths."""
    count = 0
    if a > 0:
        count += 1
    if b > 0:
        count += 1
    if c > 0:
        count += 1
    if d > 0:
        count += 1
    if e > 0:
        count += 1
    if f > 0:
        count += 1
    if g > 0:
        count += 1
    if h > 0:
        count += 1
    if i > 0:
        count += 1
    if j > 0:
        count += 1
    if k > 0:
        count += 1
    if l > 0:
        count += 1
    return count
