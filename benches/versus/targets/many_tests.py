"""Seventeen independent tests: 131,072 paths."""


def count(
    a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int,
    j: int, k: int, m: int, n: int, o: int, p: int, q: int, r: int,
) -> int:  # fmt: skip
    total = 0
    if a > 0: total += 1
    if b > 1: total += 1
    if c > 2: total += 1
    if d > 3: total += 1
    if e > 4: total += 1
    if f > 5: total += 1
    if g > 6: total += 1
    if h > 7: total += 1
    if i > 8: total += 1
    if j > 9: total += 1
    if k > 10: total += 1
    if m > 11: total += 1
    if n > 12: total += 1
    if o > 13: total += 1
    if p > 14: total += 1
    if q > 15: total += 1
    if r > 16: total += 1
    return total
