"""The functions of `math` on integers.

The greatest common divisor is decided: with a plain number divisor by divisor, else by Euclid's
algorithm. So is a square root, bit by bit. Counts have no theory; only what they refuse is a
decision.
"""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

from pef import _native
from pef._native import concrete, decide, is_symbolic_number

_MOST_DIVISORS = 24
_MOST_DIVIDED = 1 << 20


def gcd(*numbers: Any) -> Any:
    """`math.gcd`."""
    return functools.reduce(_common, map(_integer, numbers), 0)


def lcm(*numbers: Any) -> Any:
    """`math.lcm`."""
    return functools.reduce(_multiple, map(_integer, numbers), 1)


def _integer(value: Any) -> Any:
    return _native.as_int(value) if is_symbolic_number(value) else operator.index(value)


def _common(a: Any, b: Any) -> Any:
    for number, other in ((a, b), (b, a)):
        if not is_symbolic_number(number):
            if number == 0:
                return abs(other)
            if is_symbolic_number(other) and abs(number) <= _MOST_DIVIDED:
                divisors = _divisors(abs(number))
                if len(divisors) <= _MOST_DIVISORS:
                    return next(d for d in divisors if decide(other % d == 0, "domain"))
    a, b = abs(a), abs(b)
    while decide(b != 0, "domain"):
        a, b = b, a % b
    return a


@functools.lru_cache(maxsize=64)
def _divisors(number: int) -> tuple[int, ...]:
    """All divisors, the largest first."""
    small = [d for d in range(1, math.isqrt(number) + 1) if number % d == 0]
    return tuple(sorted({*small, *(number // d for d in small)}, reverse=True))


def _multiple(a: Any, b: Any) -> Any:
    if decide(a == 0, "domain") or decide(b == 0, "domain"):
        return 0
    return abs(a // _common(a, b) * b)


def _refusing_negative(name: str) -> Any:
    original = getattr(math, name)

    def model(*arguments: Any) -> Any:
        for value in arguments:
            if is_symbolic_number(value) and decide(value < 0, "domain"):
                return original(*map(concrete, arguments))
        return _native.guarded(original)(*arguments)

    return model


def isqrt(number: Any, /) -> Any:
    """`math.isqrt`. The root is plain: each question compares the number with a square."""
    if not is_symbolic_number(number) or decide(number < 0, "domain"):
        return math.isqrt(concrete(number))
    number = _integer(number)
    bit = 1
    while decide(number >= (2 * bit) ** 2, "domain"):
        bit *= 2
    root = 0
    while bit:
        if decide(number >= (root + bit) ** 2, "domain"):
            root += bit
        bit //= 2
    return root


factorial = _refusing_negative("factorial")
comb = _refusing_negative("comb")
perm = _refusing_negative("perm")
