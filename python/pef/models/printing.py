"""`print`: what is shown is never read back, so nothing needs to be pinned for it.

The text is that of the concrete values. Whoever prints to a stream of their own may read it, so
there the values are pinned, as for any C function.
"""

from __future__ import annotations

import sys
from typing import Any

from pef import _native


def print_model(*values: Any, **options: Any) -> None:
    """Stands in for calls of `print`."""
    stream = options.get("file")
    if _native.is_captured(sys.stdout if stream is None else stream):
        values = tuple(map(_shown, values))
    _native.guarded(print)(*values, **options)


def _shown(value: Any) -> Any:
    """A plain copy of a built-in container; objects print themselves."""
    kind = type(value)
    if kind in _native.SYMBOLIC_TYPES:
        return _native.concrete(value)
    if kind is list:
        return [_shown(item) for item in value]
    if kind is tuple:
        return tuple(map(_shown, value))
    if kind is dict:
        return {_shown(key): _shown(item) for key, item in value.items()}
    return value
