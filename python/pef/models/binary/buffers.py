"""Numbers and buffers as functions over bytes take them.

What differs from text is only what an argument may be; how a call that no model takes is answered
is said in `pef.models.text.calling`.
"""

from __future__ import annotations

import sys
from typing import Any

from pef import _native
from pef._native import as_int, decide, is_symbolic_number
from pef.models.text.calling import Model, Unfit, attempted, contents


def is_buffer(value: Any) -> bool:
    """Whether the value is bytes-like."""
    try:
        contents(value)
    except Unfit:
        return False
    return True


def number(value: Any) -> Any:
    """The int that C code reads from an int or an object with `__index__`."""
    if is_symbolic_number(value):
        return as_int(value)
    if not hasattr(type(value), "__index__"):
        name = _native.model_type(value).__name__
        raise TypeError(f"'{name}' object cannot be interpreted as an integer")
    return value.__index__()


def octet(value: Any, complaint: str = "byte must be in range(0, 256)") -> Any:
    """A number that has to be a byte."""
    code = number(value)
    if not decide((code >= 0) & (code < 256), "domain"):
        raise ValueError(complaint)
    return code


def out_of_range(index: Any, words: str) -> IndexError:
    """The exception for an index that is no position; one too large for C has words of its own."""
    if decide((index > sys.maxsize) | (index < -sys.maxsize - 1), "domain"):
        words = "cannot fit 'int' into an index-sized integer"
    return IndexError(words)


def publish_function(real: Any, model: Model) -> None:
    """Makes `model` run for calls of `real` with a symbolic argument."""
    _native.register_guarded(real, attempted(real, model))
