"""Special methods called by name: `s.__len__()`, `str.__eq__("a", s)`.

An operator runs a slot, which is native. Its name leads to a wrapper of the slot, which gives the
length away as a plain number, or reads the text of the other operand.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pef import _native
from pef.models.text.calling import Model, attempted, index, operand
from pef.models.text.joining import repeated
from pef.models.text.searching import contains
from pef.models.text.slicing import item_of, iterate, slice_of
from pef.models.text.terms import concat, length

_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")

_OF_SLOTS = ("__add__", "__contains__", "__len__", "__mul__", "__rmul__")
"""Those whose wrapper does something else than the operator even on symbolic text."""


def install(owner: type, native: type) -> None:
    """Registers the models for the plain type and the symbolic one."""
    models: dict[str, Model] = {
        "__add__": added,
        "__contains__": contains,
        "__getitem__": _item,
        "__iter__": iterate,
        "__len__": length,
        "__mul__": _multiplied,
        "__rmul__": _multiplied,
        **{f"__{name}__": _compared(getattr(operator, name)) for name in _COMPARISONS},
    }
    for name, model in models.items():
        real = vars(owner)[name]
        attempt = attempted(real, model)
        _native.register_guarded(real, attempt)
        if name in _OF_SLOTS and name in vars(native):
            _native.register_guarded(vars(native)[name], attempt)


def added(text: Any, other: Any, /) -> Any:
    """`text.__add__(other)`"""
    return concat(text, [text, operand(text, other)])


def _multiplied(text: Any, count: Any, /) -> Any:
    return repeated(text, index(count))


def _item(text: Any, key: Any, /) -> Any:
    if isinstance(key, slice):
        return slice_of(text, key)
    return text[key] if isinstance(key, int) else item_of(text, key)


def _compared(operation: Callable[[Any, Any], Any]) -> Model:
    def model(text: Any, other: Any, /) -> Any:
        kind = str if isinstance(text, str) else bytes
        if not isinstance(other, kind):
            return NotImplemented
        return operation(text, other)

    return model
