"""From a model to a method: how calls reach models, and what happens to those no model takes.

A model is a function of the receiver and the arguments of the method. It checks types only as far
as it needs to; for anything it does not take it raises `Unfit`, and CPython itself says what is
wrong with the call, in its own words. Should CPython accept it, the values are pinned.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from types import MethodDescriptorType
from typing import Any

from pef import _native
from pef._native import as_int, concrete, decide, is_symbolic
from pef.models import later

Model = Callable[..., Any]

_TOO_LARGE = "Python int too large to convert to C ssize_t"


class Unfit(Exception):  # noqa: N818
    """The arguments are none the model takes."""


def publish(owner: type, native: type, name: str, model: Model | str) -> None:
    """Makes `model` the method of symbolic receivers, and of plain ones with symbolic arguments."""
    real = vars(owner)[name]
    attempt = attempted(real, model)

    def method(text: Any, /, *given: Any, **named: Any) -> Any:
        if isinstance(text, native) and not is_symbolic(text):
            # It outlived its exploration and is a plain text by now.
            return _native.__pef_sel__(getattr(concrete(text), name))(*given, **named)
        return attempt(text, *given, **named)

    method.__name__ = name
    method.__qualname__ = real.__qualname__
    method.__doc__ = real.__doc__
    if not name.startswith("__"):
        setattr(native, name, method)
    _native.register_guarded(real, method)


def attempted(real: Any, model: Model | str) -> Model:
    """`model`, or the one of that name (`later`), and for what it does not take, `real`."""
    found: Model | None = None
    if isinstance(model, str):
        later.named(real.__name__, model)
    else:
        found = model

    def attempt(*given: Any, **named: Any) -> Any:
        nonlocal found
        if found is None:
            found = later.loaded(str(model))
        try:
            return found(*given, **named)
        except Unfit:
            pass
        except TypeError as problem:
            if not is_about_the_call(problem):
                raise
        return surrendered(real, *given, **named)

    return attempt


def is_about_the_call(problem: TypeError) -> bool:
    """Whether the arguments did not fit the parameters, so that the model never ran."""
    traceback = problem.__traceback__
    return traceback is not None and traceback.tb_next is None


def surrendered(real: Any, *given: Any, **named: Any) -> Any:
    """What CPython says to a call that no model takes.

    Complaints about types are the same for all values, so they lose nothing.
    """
    try:
        bound, rest = real, [plain(value) for value in given]
        if sys.version_info < (3, 11) and rest and isinstance(real, MethodDescriptorType):
            bound = real.__get__(rest.pop(0))  # words its complaints as callers know them
        bound(*rest, **{name: plain(value) for name, value in named.items()})
    except TypeError as problem:
        raise problem.with_traceback(None) from None
    except Exception:
        pass
    return _native.guarded(real)(*given, **named)


def plain(value: Any) -> Any:
    """The value without its symbolic side; stand-ins for a built-in type know their plain twin."""
    twin = getattr(type(value), "__pef_plain__", None)
    return concrete(value) if twin is None else twin(value)


def contents(value: Any) -> Any:
    """The bytes of a bytes-like object, as `bytes`."""
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


def operand(text: Any, other: Any) -> Any:
    """Another text of the kind of `text`."""
    if not isinstance(text, str):
        return contents(other)
    if isinstance(other, str):
        return other
    raise Unfit


def sought(text: Any, other: Any) -> Any:
    """What is looked for in `text`; a number stands for one byte."""
    if isinstance(text, bytes) and isinstance(other, int):
        byte = as_int(other)
        if not decide((byte >= 0) & (byte <= 255), "domain"):
            raise ValueError("byte must be in range(0, 256)")
        return _native.apply("from_byte", byte)
    return operand(text, other)


def index(value: Any) -> Any:
    """A position: an int, symbolic or not, or something that has an index."""
    if isinstance(value, int):
        return as_int(value)
    if hasattr(type(value), "__index__"):
        return operator.index(value)
    raise Unfit


def size(value: Any) -> Any:
    """An index that C code keeps in a `Py_ssize_t`."""
    number = index(value)
    if decide((number > sys.maxsize) | (number < -sys.maxsize - 1), "domain"):
        raise OverflowError(_TOO_LARGE)
    return number


def limit(value: Any) -> Any:
    """The most times something is done; `None` if that is unlimited, as a negative number says."""
    number = size(value)
    return None if decide(number < 0, "domain") else number


def allows(most: Any, count: int) -> bool:
    """Whether something that was done `count` times may be done again."""
    return most is None or decide(most > count, "domain")


def flag(value: Any) -> bool:
    """The truth of an argument that is meant to be a bool."""
    if isinstance(value, int):
        return decide(as_int(value) != 0, "domain")
    if sys.version_info < (3, 12):
        raise Unfit
    return bool(value)
