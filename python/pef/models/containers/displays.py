"""`*source` and `**source` in a display of a set or dict."""

from __future__ import annotations

from typing import Any

from pef import _native
from pef.models.containers.dicts import pairs
from pef.models.containers.sets import members


def spread(so_far: Any, source: Any) -> Any:
    """The dict or set under construction, with all of `source` in it."""
    if isinstance(so_far, set):
        for item in members(source):
            _native.set_add(so_far, item)
        return so_far
    if not isinstance(source, dict) and not hasattr(source, "keys"):
        raise TypeError(f"'{_native.model_type(source).__name__}' object is not a mapping")
    for key, value in pairs(source):
        _native.dict_set(so_far, key, value)
    return so_far
