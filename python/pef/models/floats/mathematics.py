"""The functions of `math`.

A function of the C library (`exp`, `log`, `sin`...) is a term that only its own evaluation
explains; where it fails is a condition on the arguments, and a decision. What CPython computes with
an algorithm of its own (`hypot`, `fsum`, `gamma`) has no model and pins.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from pef import _native
from pef._native import apply, concrete, decide, is_symbolic, is_symbolic_number, pinned
from pef.models.floats.conditions import (
    is_finite,
    is_infinite,
    is_nan,
    negated,
    real,
)

_Condition = Callable[[Any], Any]
"""Of the argument: whether the function has no value there."""


def _never(value: Any) -> bool:
    return False


def _below_zero(value: Any) -> Any:
    return apply("float_lt", value, 0.0)


def _not_positive(value: Any) -> Any:
    return apply("float_le", value, 0.0)


def _not_above_minus_one(value: Any) -> Any:
    return apply("float_le", value, -1.0)


def _outside_one(value: Any) -> Any:
    return apply("float_lt", 1.0, apply("float_abs", value))


_DOMAINS: dict[str, _Condition] = {
    "sqrt": _below_zero,
    "log1p": _not_above_minus_one,
    "sin": is_infinite,
    "cos": is_infinite,
    "tan": is_infinite,
    "asin": _outside_one,
    "acos": _outside_one,
    "atan": _never,
    "tanh": _never,
}

_OVERFLOWING = ("exp", "expm1", "sinh", "cosh")


def _function(name: str, fails: _Condition) -> Callable[..., Any]:
    original = getattr(math, name)

    def model(*arguments: Any) -> Any:
        if len(arguments) != 1:
            return original(*arguments)
        value = real(arguments[0])
        if decide(fails(value), "domain"):
            return original(concrete(value))
        return apply(name, value)

    return model


def _overflowing(name: str) -> Callable[..., Any]:
    def fails(value: Any) -> Any:
        return is_infinite(apply(name, value)) & is_finite(value)

    return _function(name, fails)


def _logarithm(name: str) -> Callable[..., Any]:
    original = getattr(math, name)

    def model(*arguments: Any) -> Any:
        if len(arguments) != 1:
            return original(*arguments)
        (value,) = arguments
        if not is_symbolic(value):
            return original(value)
        if decide(value <= 0, "domain"):
            return original(concrete(value))
        # Of an int that is too large for a float, CPython takes the logarithm in two parts.
        if is_symbolic_number(value) and decide(value >= _FIRST_TOO_LARGE, "domain"):
            return original(pinned(value, f"math.{name}"))
        return apply(name, real(value))

    return model


_FIRST_TOO_LARGE = 2**1024 - 2**970

_natural = _logarithm("log")


def log(*arguments: Any) -> Any:
    """`math.log`, with a base or without."""
    if len(arguments) != 2:
        return _natural(*arguments)
    value, base = arguments
    return _natural(value) / _natural(base)


def fabs(*arguments: Any) -> Any:
    """`math.fabs`."""
    if len(arguments) != 1:
        return math.fabs(*arguments)
    return apply("float_abs", real(arguments[0]))


def copysign(*arguments: Any) -> Any:
    """`math.copysign`."""
    if len(arguments) != 2:
        return math.copysign(*arguments)
    size, sign = map(real, arguments)
    # The term language has one `nan`; that of Python has a sign.
    if decide(is_nan(sign), "domain"):
        sign = math.copysign(1.0, concrete(sign))
    return apply("copysign", size, sign)


def fmod(*arguments: Any) -> Any:
    """`math.fmod`."""
    if len(arguments) != 2:
        return math.fmod(*arguments)
    value, divisor = map(real, arguments)
    undefined = is_infinite(value) | apply("float_eq", divisor, 0.0)
    numbers = negated(is_nan(value)) & negated(is_nan(divisor))
    if decide(undefined & numbers, "domain"):
        return math.fmod(concrete(value), concrete(divisor))
    return apply("float_remainder", value, divisor)


def _classified(name: str, condition: _Condition) -> Callable[..., Any]:
    def model(*arguments: Any) -> Any:
        if len(arguments) != 1:
            return getattr(math, name)(*arguments)
        return condition(real(arguments[0]))

    return model


def isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    """`math.isclose`, as one condition; whether the tolerances are fit is another."""
    left, right, relative, absolute = map(real, (a, b, rel_tol, abs_tol))
    if decide(_below_zero(relative) | _below_zero(absolute), "domain"):
        raise ValueError("tolerances must be non-negative")
    difference = apply("float_abs", apply("float_sub", right, left))

    def within(bound: Any) -> Any:
        return apply("float_le", difference, bound)

    def share(side: Any) -> Any:
        return apply("float_abs", apply("float_mul", relative, side))

    near = within(share(right)) | within(share(left)) | within(absolute)
    infinite = is_infinite(left) | is_infinite(right)
    return apply("float_eq", left, right) | (negated(infinite) & near)


def modf(*arguments: Any) -> Any:
    """`math.modf`."""
    if len(arguments) != 1:
        return math.modf(*arguments)
    value = real(arguments[0])
    if decide(is_infinite(value), "domain"):
        return apply("float_mul", 0.0, apply("copysign", 1.0, value)), value
    if decide(is_nan(value), "domain"):
        return value, value
    whole = apply("float_trunc", value)
    return apply("copysign", apply("float_sub", value, whole), value), whole


_LEAST_POWER, _LAST_POWER = -1022, 1023
"""The powers of two that are floats of full precision."""


def ldexp(*arguments: Any) -> Any:
    """`math.ldexp` with a plain exponent: a multiplication that rounds at most once."""
    if len(arguments) != 2 or not isinstance(arguments[1], int):
        return _native.guarded(math.ldexp)(*arguments)
    value, power = real(arguments[0]), concrete(pinned(arguments[1], "math.ldexp"))
    if not _LEAST_POWER <= power <= _LAST_POWER:
        return math.ldexp(pinned(value, "math.ldexp"), power)
    scaled = apply("float_mul", value, 2.0**power)
    if decide(is_infinite(scaled) & is_finite(value), "domain"):
        return math.ldexp(concrete(value), power)
    return scaled


def power(*arguments: Any) -> Any:
    """`math.pow`, which knows no complex numbers."""
    if len(arguments) != 2:
        return math.pow(*arguments)
    base, exponent = map(real, arguments)
    result = apply("float_pow", base, exponent)
    finite = is_finite(base) & is_finite(exponent)
    pole = apply("float_eq", base, 0.0) & _below_zero(exponent)
    if sys.version_info >= (3, 11):
        pole = pole & finite
    if decide((finite & is_nan(result)) | pole, "domain"):
        return math.pow(concrete(base), concrete(exponent))
    if decide(finite & is_infinite(result), "domain"):
        return math.pow(concrete(base), concrete(exponent))
    return result


def degrees(*arguments: Any) -> Any:
    """`math.degrees`."""
    if len(arguments) != 1:
        return math.degrees(*arguments)
    return apply("float_mul", real(arguments[0]), 180.0 / math.pi)


def radians(*arguments: Any) -> Any:
    """`math.radians`."""
    if len(arguments) != 1:
        return math.radians(*arguments)
    return apply("float_mul", real(arguments[0]), math.pi / 180.0)


def _models() -> dict[str, Callable[..., Any]]:
    from pef.models.floats import integers, sums

    return {
        **{name: _function(name, fails) for name, fails in _DOMAINS.items()},
        **{name: _overflowing(name) for name in _OVERFLOWING},
        **{name: _logarithm(name) for name in ("log2", "log10")},
        **{
            name: _classified(name, condition)
            for name, condition in (
                ("isnan", is_nan),
                ("isinf", is_infinite),
                ("isfinite", is_finite),
            )
        },
        "log": log,
        "fabs": fabs,
        "copysign": copysign,
        "fmod": fmod,
        "isclose": isclose,
        "modf": modf,
        "ldexp": ldexp,
        "pow": power,
        "degrees": degrees,
        "radians": radians,
        "prod": sums.prod_model,
        "gcd": integers.gcd,
        "lcm": integers.lcm,
        "isqrt": integers.isqrt,
        "factorial": integers.factorial,
        "comb": integers.comb,
        "perm": integers.perm,
    }


MODELS = SimpleNamespace(**_models())
"""By the name of the function."""
