"""Methods of `float`, and `float()` itself."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pef import _native
from pef._native import apply, concrete, decide, is_symbolic, is_symbolic_number, pinned
from pef.models.floats.conditions import is_infinite, is_nan, is_whole


def to_int(value: float) -> int:
    """`int(f)`, which is also `math.trunc(f)`."""
    return _whole(value, "float_trunc", int)


def floor(value: float) -> int:
    """`math.floor(f)`."""
    return _whole(value, "float_floor", float.__floor__)


def ceil(value: float) -> int:
    """`math.ceil(f)`."""
    return _whole(value, "float_ceil", float.__ceil__)


def _whole(value: float, rounding: str, plainly: Callable[[float], int]) -> int:
    """The integer, unless there is none, which `plainly` complains about."""
    if not is_symbolic(value):
        return plainly(concrete(value))
    if decide(is_nan(value), "domain") or decide(is_infinite(value), "domain"):
        return plainly(concrete(value))
    whole: int = apply("float_to_int", apply(rounding, value))
    return whole


_MOST_DIGITS = 22
"""`10**n` is a float up to here."""

_SAFE_SIZE = 1e9
_SAFE_DISTANCE = 0.499999
"""Below this size and this far from a tie, one rounding error more does not change the result."""


def rounded(value: float, ndigits: Any = None, /) -> Any:
    """`round(f)` and `round(f, ndigits)`.

    To digits, CPython rounds the exact decimal value. Away from ties that is the nearest multiple
    of the unit; close to one, the value is pinned.
    """
    if ndigits is None:
        return _whole(value, "float_round", round)
    if not is_symbolic(value) or not isinstance(ndigits, int):
        return round(concrete(value), pinned(ndigits, "round"))
    digits = concrete(pinned(ndigits, "round"))
    if digits == 0:
        return apply("float_round", value)
    if 0 < digits <= _MOST_DIGITS:
        scale = 10.0**digits
        scaled = apply("float_mul", value, scale)
        nearest = apply("float_round", scaled)
        distance = apply("float_abs", apply("float_sub", scaled, nearest))
        safe = apply("float_lt", apply("float_abs", scaled), _SAFE_SIZE)
        if decide(safe & apply("float_lt", distance, _SAFE_DISTANCE), "domain"):
            return apply("float_div", nearest, scale)
    return round(pinned(value, "round"), digits)


_MOST_HALVINGS = 8


def integer_ratio(value: float) -> tuple[int, int]:
    """`f.as_integer_ratio()`: the power of two is decided while it is small."""
    if not is_symbolic(value):
        return concrete(value).as_integer_ratio()  # type: ignore[no-any-return]
    if decide(is_nan(value), "domain") or decide(is_infinite(value), "domain"):
        return concrete(value).as_integer_ratio()  # type: ignore[no-any-return]
    for power in range(_MOST_HALVINGS + 1):
        scaled = apply("float_mul", value, 2.0**power)
        if decide(is_whole(scaled), "domain"):
            return apply("float_to_int", scaled), 2**power
    return pinned(value, "float.as_integer_ratio").as_integer_ratio()  # type: ignore[no-any-return]


def is_integer(value: float) -> bool:
    """`f.is_integer()`, as a condition."""
    if not is_symbolic(value):
        return concrete(value).is_integer()  # type: ignore[no-any-return]
    whole: bool = is_whole(value)
    return whole


def hexadecimal(value: float) -> str:
    """`f.hex()`: text has no theory of floats."""
    return pinned(value, "float.hex").hex()  # type: ignore[no-any-return]


def size(value: float) -> int:
    """`f.__sizeof__()`."""
    return (0.0).__sizeof__()


def float_model(*arguments: Any, **named: Any) -> Any:
    """`float(value)` of something symbolic."""
    if len(arguments) == 1 and not named:
        (value,) = arguments
        if isinstance(value, _native.SymFloat):
            return value
        if is_symbolic_number(value):
            return value.__float__()
        if isinstance(value, (_native.SymStr, _native.SymBytes)):
            return _of_text(value)
    return _native.guarded(float)(*arguments, **named)


def _of_text(value: str | bytes) -> Any:
    from pef.models.text import parsing

    return parsing.float_of_text(value)


def _conjugate(value: float) -> float:
    return value


_ATTACHED: dict[str, Any] = {
    "__round__": rounded,
    "__trunc__": to_int,
    "__floor__": floor,
    "__ceil__": ceil,
    "__sizeof__": size,
    "is_integer": is_integer,
    "as_integer_ratio": integer_ratio,
    "hex": hexadecimal,
}

_FORMS: dict[str, Any] = {
    "__abs__": operator.abs,
    "__bool__": operator.truth,
    "__float__": lambda value: value,
    "__int__": to_int,
    "__neg__": operator.neg,
    "__pos__": operator.pos,
    "conjugate": _conjugate,
}
"""Methods that are operators by another name."""


def install() -> None:
    """Attaches the methods to the native type; registers them as members of `float`."""
    for name, model in _ATTACHED.items():
        setattr(_native.SymFloat, name, model)
    # The inherited one would make an instance of the native type.
    setattr(_native.SymFloat, "fromhex", staticmethod(float.fromhex))  # noqa: B010
    for name, model in {**_ATTACHED, **_FORMS}.items():
        _native.register_guarded(getattr(float, name), model)
    _native.register_guarded(float, float_model)
