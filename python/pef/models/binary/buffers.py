"""What bytes-like objects hold, and how calls reach the models of this room.

A function over bytes takes anything with a buffer. Whatever it is, here it becomes `bytes`, plain or
symbolic; the models see no other kind. A model that does not take its arguments raises `Unfit`, and CPython says
what is wrong with them, as in `pef.models.text.calling`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from pef import _native
from pef._native import as_int, concrete, decide, is_symbolic_number
from pef.models.text.calling import Unfit

__all__ = ["Unfit", "contents", "modelled", "number", "octet", "plain", "publish_function"]


def contents(value: Any) -> Any:
    """The bytes of a bytes-like object; `Unfit` for anything else."""
    if isinstance(value, bytes):
        return value
    held = getattr(type(value), "__pef_contents__", None)
    if held is not None:
        return held(value)
    try:
        with memoryview(value) as view:
            return view.tobytes()
    except TypeError:
        raise Unfit from None


def is_buffer(value: Any) -> bool:
    """Whether the value is bytes-like."""
    try:
        contents(value)
    except Unfit:
        return False
    return True


def plain(value: Any) -> Any:
    """The value without its symbolic side."""
    twin = getattr(type(value), "__pef_plain__", None)
    return concrete(value) if twin is None else twin(value)


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
    """The exception for an index that is no position; there are other words for one too large for C."""
    if decide((index > sys.maxsize) | (index < -sys.maxsize - 1), "domain"):
        words = "cannot fit 'int' into an index-sized integer"
    return IndexError(words)


def publish_function(real: Any, model: Callable[..., Any]) -> None:
    """Makes `model` run for calls of `real` with a symbolic argument."""
    _native.register_guarded(real, modelled(real, model))


def modelled(real: Any, model: Callable[..., Any]) -> Callable[..., Any]:
    """The model, with the complaints of the function it is for."""

    def called(*given: Any, **named: Any) -> Any:
        try:
            return model(*given, **named)
        except Unfit:
            pass
        except TypeError as problem:
            below = problem.__traceback__ and problem.__traceback__.tb_next
            if below is not None:
                raise
        return _surrendered(real, given, named)

    called.__name__ = real.__name__
    called.__qualname__ = real.__qualname__
    return called


def _surrendered(real: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The call itself. Complaints about types are the same for all values; else values are pinned."""
    try:
        real(*map(plain, given), **{name: plain(value) for name, value in named.items()})
    except TypeError as problem:
        raise problem.with_traceback(None) from None
    except Exception:
        pass
    return _native.guarded(real)(*given, **named)
