"""Functions over numbers that C code would compute on copied digits."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import Any

from pef._native import as_int, is_symbolic_number, pinned


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
    return is_symbolic_number(value) or type(value) in (int, bool)


def index_model(*arguments: Any) -> Any:
    """`operator.index`, which copies the digits of an int subclass."""
    if len(arguments) == 1 and is_symbolic_number(arguments[0]):
        return as_int(arguments[0])
    return operator.index(*arguments)


def enumerate_model(*arguments: Any, **named: Any) -> Any:
    """`enumerate`, whose C code copies the digits of `start`."""
    start = arguments[1] if len(arguments) == 2 else named.get("start")
    if not is_symbolic_number(start):
        return enumerate(*arguments, **named)
    iterable = arguments[0] if arguments else named["iterable"]
    return zip(_counting(as_int(start), 1), iterable, strict=False)


def count_model(*arguments: Any, **named: Any) -> Any:
    """`itertools.count`, whose C code copies the digits of both."""
    if not any(map(is_symbolic_number, (*arguments, *named.values()))):
        return itertools.count(*arguments, **named)
    given = {"start": 0, "step": 1}
    given |= dict(zip(("start", "step"), arguments, strict=False)) | named
    return _counting(given["start"], given["step"])


def _counting(value: Any, step: Any) -> Iterator[Any]:
    while True:
        yield value
        value = value + step
