"""The values of the twin of `decimal`: a sign, a coefficient and an exponent.

The twin keeps the coefficient as the text of its digits. A number serves as well for most of what
is asked, and has no digits to be counted, so the base of the twin keeps whichever it was given and
makes the other when somebody needs it. Where a value fits the context, or is cut to a number of
places, arithmetic tells; the digits are asked for by the twin's own code in all other cases.
"""

from __future__ import annotations

import decimal as real
from collections.abc import Callable
from typing import Any

from pef._native import (
    concrete,
    decide,
    decide_among,
    is_symbolic,
    model_int,
    model_str,
    pinned,
)

WIDEST = 100
"""The largest number of places by which coefficients are scaled as numbers."""
_COUNTED = 30
"""The largest number of digits that are counted: what a quotient has before it is rounded."""


class TooLargeError(Exception):
    """A symbolic number has more digits than are followed; the C code shall take over."""


class StandIn:
    """The base of the twin: a value that passes for a `decimal.Decimal`."""

    __slots__ = ("_digits", "_value")
    _digits: Any
    _value: Any
    _sign: Any
    _exp: Any
    _is_special: Any

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return real.Decimal

    @property
    def _int(self) -> Any:
        """The digits of the coefficient, as the twin knows it."""
        if self._digits is None:
            _ = self._length
            self._digits = model_str(self._value)
        return self._digits

    @_int.setter
    def _int(self, coefficient: Any) -> None:
        text = isinstance(coefficient, str)
        self._digits = coefficient if text else None
        self._value = None if text else coefficient

    @property
    def _number(self) -> Any:
        """The coefficient of a finite value."""
        if self._value is None:
            self._value = model_int(self._digits)
        return self._value

    @property
    def _length(self) -> Any:
        """The number of digits; of a symbolic number it is a decision."""
        if self._digits is not None and not is_symbolic(self._digits):
            return len(self._digits)
        return _count(self._number)

    def _keep(self, other: StandIn) -> None:
        """Takes over the coefficient of another."""
        self._digits, self._value = other._digits, other._value

    def __pef_plain__(self) -> real.Decimal:
        """The C object, nothing being recorded."""
        return self._made(concrete)

    def __pef_pinned__(self, name: str) -> real.Decimal:
        """The C object for a function of this name, whose parts are pinned."""
        return self._made(lambda part: pinned(part, name))

    def _made(self, settled: Callable[[Any], Any]) -> real.Decimal:
        sign, exponent = settled(self._sign), settled(self._exp)
        if self._value is None:
            digits = tuple(map(int, settled(self._digits)))
        else:
            digits = real.Decimal(settled(self._value)).as_tuple().digits
        return real.Decimal((sign, digits, exponent))

    def __copy__(self) -> StandIn:
        return self

    def __deepcopy__(self, memo: object) -> StandIn:
        return self


def _count(number: Any) -> int:
    if not is_symbolic(number):
        return len(str(number))
    if not decide(number < 10**_COUNTED, "domain", "yes"):
        raise TooLargeError
    between = [(number >= 10**k) & (number < 10 ** (k + 1)) for k in range(1, _COUNTED)]
    return 1 + decide_among([number < 10, *between], "domain")


def is_twin(value: object) -> bool:
    """Whether the value is one of these."""
    return issubclass(type(value), StandIn)


def coefficient_of(number: Any) -> Any:
    """What the twin shall keep for a coefficient that it computed."""
    return number if is_symbolic(number) else str(number)


def is_open(value: Any) -> bool:
    """Whether the value is finite with a symbolic coefficient, at a known exponent."""
    if not is_twin(value) or is_symbolic(value._is_special) or value._is_special:
        return False
    kept = value._digits if value._value is None else value._value
    return is_symbolic(kept) and not is_symbolic(value._exp)


def is_ordinary(value: Any) -> bool:
    """Whether the value is finite at a known, small exponent."""
    if is_symbolic(value._is_special) or value._is_special or is_symbolic(value._exp):
        return False
    return bool(-WIDEST <= value._exp <= WIDEST)


def is_normal(value: Any, context: Any) -> bool:
    """Whether an open value is far from the largest and the smallest of the context."""
    lowest, highest = context.Etiny() + context.prec, context.Etop()
    return bool(lowest <= value._exp <= highest - _COUNTED)


def fits(value: Any, context: Any) -> bool:
    """Whether rounding to the context leaves an open value as it is; asked."""
    in_range = is_normal(value, context)
    return in_range and decide(value._number < 10**context.prec, "domain", "yes")


def signed(value: Any, exponent: int) -> Any:
    """The value of an ordinary one in units of `10 ** exponent`, which divides it."""
    number = value._number * 10 ** (value._exp - exponent)
    return number - 2 * number * value._sign


def scaled(value: Any, exponent: int, rounding: str) -> Any:
    """The coefficient of an ordinary value after rounding to the exponent."""
    places = exponent - value._exp
    if places <= 0:
        return value._number * 10**-places
    unit = 10**places
    quotient, rest = value._number // unit, value._number % unit
    return quotient + _carry(rounding, quotient, rest, unit, value._sign)


def _carry(rounding: str, quotient: Any, rest: Any, unit: int, sign: Any) -> Any:
    """Whether rounding goes away from zero: 1 or 0."""
    if rounding == real.ROUND_DOWN:
        return 0
    if rounding == real.ROUND_HALF_UP:
        return 2 * rest // unit
    if rounding == real.ROUND_HALF_DOWN:
        return (2 * rest > unit) + 0
    if rounding == real.ROUND_HALF_EVEN:
        return (2 * rest + quotient % 2 > unit) + 0
    inexact = (rest > 0) + 0
    if rounding == real.ROUND_CEILING:
        return inexact * (1 - sign)
    if rounding == real.ROUND_FLOOR:
        return inexact * sign
    if rounding == real.ROUND_05UP:
        return inexact * (quotient % 5 == 0)
    return inexact


def quotient(a: Any, b: Any) -> tuple[Any, int] | None:
    """Coefficient and exponent of an exact `a / b`, if `b` is known and not zero.

    Whether the quotient is exact is asked, and how many zeros at its end are left out.
    """
    divisor = b._number
    if is_symbolic(divisor) or divisor == 0 or not (is_ordinary(a) and is_ordinary(b)):
        return None
    places, odd = _decimal_places(divisor)
    if not decide(a._number % odd == 0, "domain"):
        return None
    number = a._number * 10**places // divisor
    ideal = a._exp - b._exp
    for zeros in range(places, 0, -1):
        if decide(number % 10**zeros == 0, "domain"):
            return number // 10**zeros, ideal - places + zeros
    return number, ideal - places


def _decimal_places(divisor: int) -> tuple[int, int]:
    """How many places a fraction with this denominator has, but for a factor that is returned.

    >>> _decimal_places(12)
    (2, 3)
    """
    counts = []
    for prime in (2, 5):
        count = 0
        while divisor % prime == 0:
            divisor //= prime
            count += 1
        counts.append(count)
    return max(counts), divisor


def truncated(value: Any) -> Any:
    """`int(value)` of a finite value."""
    if value._exp >= 0:
        number = value._number * 10**value._exp
    else:
        number = value._number // 10**-value._exp
    return number - 2 * number * value._sign
