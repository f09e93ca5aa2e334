"""Special methods called by name: `s.__len__()`, `str.__eq__("a", s)`.

An operator runs a slot, which is native. Its name leads to a wrapper of the slot, which gives the
length away as a plain number, or reads the text of the other operand.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pef.models.text.calling import Model, index, operand
from pef.models.text.joining import repeated
from pef.models.text.slicing import item_of, slice_of
from pef.models.text.terms import concat


def added(text: Any, other: Any, /) -> Any:
    """`text.__add__(other)`"""
    return concat(text, [text, operand(text, other)])


def multiplied(text: Any, count: Any, /) -> Any:
    """`text.__mul__(count)`"""
    return repeated(text, index(count))


def item(text: Any, key: Any, /) -> Any:
    """`text.__getitem__(key)`"""
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


eq, ne = _compared(operator.eq), _compared(operator.ne)
lt, le = _compared(operator.lt), _compared(operator.le)
gt, ge = _compared(operator.gt), _compared(operator.ge)
