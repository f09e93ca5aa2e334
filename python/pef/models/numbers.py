"""Functions over numbers that C code would compute on copied digits."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import Any

from pef._native import as_int, decide, is_symbolic, pinned

_LARGEST_MODULAR_EXPONENT = 64
"""A power is computed in full and then reduced, which is for small exponents only."""


def sum_model(*arguments: Any, **named: Any) -> Any:
    """`sum`: symbolic while the items are ints; CPython adds floats in a way of its own."""
    if len(arguments) == 2 and not named:
        return _sum(iter(arguments[0]), arguments[1])
    if len(arguments) == 1 and named.keys() <= {"start"}:
        return _sum(iter(arguments[0]), named.get("start", 0))
    return sum(*arguments, **named)


def _sum(items: Iterator[Any], total: Any) -> Any:
    if isinstance(total, (str, bytes, bytearray)):
        return sum(items, total)
    if _is_int(total):
        for item in items:
            total = total + (pinned(item, "sum") if type(item) is float else item)
            if not _is_int(total):
                break
    if type(total) is float:
        return sum((pinned(item, "sum") for item in items), total)
    for item in items:
        total = total + item
    return total


def _is_int(value: object) -> bool:
    return is_symbolic(value) or type(value) in (int, bool)


def pow_model(*arguments: Any, **named: Any) -> Any:
    """`pow`: with a symbolic modulus alone, C code would never ask the modulus."""
    given = dict(zip(("base", "exp", "mod"), arguments, strict=False)) | named
    if len(given) == 3 and len(arguments) <= 3 and _only_modulus_is_symbolic(given):
        return _modular_power(given["base"], given["exp"], given["mod"])
    return pow(*arguments, **named)


def _only_modulus_is_symbolic(given: dict[str, Any]) -> bool:
    plain = type(given.get("base")), type(given.get("exp"))
    return is_symbolic(given.get("mod")) and all(kind in (int, bool) for kind in plain)


def _modular_power(base: int, exponent: int, modulus: int) -> int:
    if 0 <= exponent <= _LARGEST_MODULAR_EXPONENT and not decide(modulus == 0, "division-by-zero"):
        return base**exponent % modulus
    return pow(base, exponent, pinned(modulus, "pow"))


def index_model(*arguments: Any) -> Any:
    """`operator.index`, which copies the digits of an int subclass."""
    if len(arguments) == 1 and is_symbolic(arguments[0]):
        return as_int(arguments[0])
    return operator.index(*arguments)


def enumerate_model(*arguments: Any, **named: Any) -> Any:
    """`enumerate`, whose C code copies the digits of `start`."""
    start = arguments[1] if len(arguments) == 2 else named.get("start")
    if not is_symbolic(start):
        return enumerate(*arguments, **named)
    iterable = arguments[0] if arguments else named["iterable"]
    return zip(_counting(as_int(start), 1), iterable, strict=False)


def count_model(*arguments: Any, **named: Any) -> Any:
    """`itertools.count`, whose C code copies the digits of both."""
    if not any(map(is_symbolic, (*arguments, *named.values()))):
        return itertools.count(*arguments, **named)
    given = {"start": 0, "step": 1}
    given |= dict(zip(("start", "step"), arguments, strict=False)) | named
    return _counting(given["start"], given["step"])


def _counting(value: Any, step: Any) -> Iterator[Any]:
    while True:
        yield value
        value = value + step
