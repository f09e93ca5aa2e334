"""Values as they were when a function was entered.

A function may change what it is given, so an entry value is a copy; but a copy has lost its
identity, and for classes without `__eq__` its equality. So the object itself is handed out as long
as it was left unchanged, and the copy only once it was not.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType

_IMMUTABLE = frozenset({int, bool, float, complex, str, bytes, NoneType, range, type(...)})


class Snapshot:
    """Some named values, frozen together so that they go on sharing what they shared."""

    __slots__ = ("_copies", "_values")

    def __init__(self, values: dict[str, object]) -> None:
        """Copies what may change; whatever a value's `__deepcopy__` raises passes through."""
        self._values = values
        changeable = {
            name: value for name, value in values.items() if type(value) not in _IMMUTABLE
        }
        self._copies: dict[str, object] = {}
        if changeable:
            from copy import deepcopy

            self._copies = deepcopy(changeable)

    def read(self) -> dict[str, object]:
        """The values as they were when the snapshot was taken."""
        values = dict(self._values)
        for name, copy in self._copies.items():
            if not _unchanged(values[name], copy):
                values[name] = copy
        return values


def _unchanged(value: object, copy: object) -> bool:
    """Whether value and copy have the same structure over identical leaves; in doubt, no.

    Never compares by `==`: that would run user code and ask symbolic values for decisions.
    """
    pending = [(value, copy)]
    # Holding the pairs keeps their ids from being used again by temporary parts.
    seen: dict[tuple[int, int], tuple[object, object]] = {}
    while pending:
        left, right = pair = pending.pop()
        key = id(left), id(right)
        if left is right or key in seen:
            continue
        seen[key] = pair
        if type(left) is not type(right):
            return False
        left_parts, right_parts = _parts(left), _parts(right)
        if left_parts is None or right_parts is None or len(left_parts) != len(right_parts):
            return False
        pending += zip(left_parts, right_parts, strict=True)
    return True


def _parts(value: object) -> list[object] | None:
    """What a composite value is made of, in an order that its copy shares; None if unknown."""
    kind = type(value)
    if kind is list or kind is tuple:
        return list(value)  # type: ignore[call-overload, no-any-return]
    if kind is dict:
        return [part for pair in value.items() for part in pair]  # type: ignore[attr-defined]
    if kind is set or kind is frozenset:
        # Copied leaves keep their identity and so this order; other elements pair up by luck.
        return sorted(value, key=id)  # type: ignore[call-overload, no-any-return]
    if kind in _IMMUTABLE or hasattr(kind, "__deepcopy__"):
        return None
    return _reduced_parts(value)


def _reduced_parts(value: object) -> list[object] | None:
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:
        return None
    if isinstance(reduced, str):
        return None
    parts: list[object] = list(reduced[:3])
    parts.extend(_listed(items) for items in reduced[3:5])
    return parts


def _listed(items: Iterable[object] | None) -> list[object] | None:
    return None if items is None else list(items)
