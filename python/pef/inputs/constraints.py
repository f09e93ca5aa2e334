"""Constraints in `Annotated`: those of annotated-types, and of pydantic's `Field`.

Neither package is imported: a constraint is known by the attributes it has.
"""

from __future__ import annotations

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
    predicate = getattr(constraint, "func", None)
    if callable(predicate) and type(constraint).__name__ == "Predicate":
        found.append(_native.__pef_sel__(predicate))
    return found


_BOUNDS: dict[str, Callable[[Any], _Condition]] = {
    "gt": lambda bound: lambda value: value > bound,
    "ge": lambda bound: lambda value: value >= bound,
    "lt": lambda bound: lambda value: value < bound,
    "le": lambda bound: lambda value: value <= bound,
    "multiple_of": lambda bound: lambda value: value % bound == 0,
    "min_length": lambda bound: lambda value: _native.model_len(value) >= bound,
    "max_length": lambda bound: lambda value: _native.model_len(value) <= bound,
}
