"""Constraints in `Annotated`: those of annotated-types, and of pydantic's `Field`.

Neither package is imported: a constraint is known by the attributes it has. What pydantic would
change (case, surrounding white space) is demanded of the value instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from pef import _native

_Condition = Callable[[Any], Any]


def conditions(metadata: Iterable[Any]) -> list[_Condition]:
    """What the metadata demands of a value."""
    found: list[_Condition] = []
    for each in metadata:
        found += _of(each)
        for inner in getattr(each, "metadata", ()):  # pydantic keeps annotated-types inside
            found += _of(inner)
    return found


def _of(constraint: Any) -> list[_Condition]:
    found: list[_Condition] = []
    for name, make in _BOUNDS.items():
        bound = getattr(constraint, name, None)
        if bound is not None and not callable(bound):
            found.append(make(bound))
    for name, condition in _MANNERS.items():
        if getattr(constraint, name, None) is True:
            found.append(condition)
    if getattr(constraint, "allow_inf_nan", None) is False:
        found.append(_is_finite)
    predicate = getattr(constraint, "func", None)
    if callable(predicate) and type(constraint).__name__ == "Predicate":
        found.append(lambda value: _called(predicate, value))
    return found


def _called(function: Any, *arguments: Any) -> Any:
    """A call as rewritten code makes it; which callable that is can only be told in a run."""
    return _native.__pef_sel__(function)(*arguments)


def _matches(pattern: str | re.Pattern[str]) -> _Condition:
    """That the text contains the pattern; a text is one of pydantic's own engine."""
    if isinstance(pattern, str) and re.search(r"(?<!\\)(?:\\\\)*\$\Z", pattern):
        pattern = pattern[:-1] + r"\Z"  # there `$` is the very end
    return lambda value: _called(re.search, pattern, value) is not None


def _is_finite(value: Any) -> Any:
    import math

    return _called(math.isfinite, value)


_BOUNDS: dict[str, Callable[[Any], _Condition]] = {
    "gt": lambda bound: lambda value: value > bound,
    "ge": lambda bound: lambda value: value >= bound,
    "lt": lambda bound: lambda value: value < bound,
    "le": lambda bound: lambda value: value <= bound,
    "multiple_of": lambda bound: lambda value: value % bound == 0,
    "min_length": lambda bound: lambda value: _native.model_len(value) >= bound,
    "max_length": lambda bound: lambda value: _native.model_len(value) <= bound,
    "pattern": _matches,
}

_MANNERS: dict[str, _Condition] = {
    "strip_whitespace": lambda value: value.strip() == value,
    "to_lower": lambda value: value.lower() == value,
    "to_upper": lambda value: value.upper() == value,
    "ascii_only": lambda value: value.isascii(),
}
