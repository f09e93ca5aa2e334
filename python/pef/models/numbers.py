"""Functions over numbers that C code would compute on copied digits."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import Any

from pef._native import as_int, is_symbolic_number


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
