"""`decimal`: numbers with symbolic coefficients.

The context stays the C one; the twin computes under a copy of it that writes its flags back.
Symbolic floats, subclasses of `Decimal` and what prints or hashes are left to the C code, with
everything pinned.
"""

from __future__ import annotations

import decimal as real
import functools
import importlib.util
import operator
import re
import threading
from collections.abc import Callable
from typing import Any

from pef import _native
from pef._native import concrete, decide, is_symbolic
from pef.models.twins.coefficients import (
    WIDEST,
    StandIn,
    TooLargeError,
    coefficient_of,
    fits,
    is_normal,
    is_open,
    is_ordinary,
    is_twin,
    quotient,
    scaled,
    signed,
    truncated,
)
from pef.models.twins.loading import load, rewritten


class _Depth(threading.local):
    """Whether code of the twin is running, which calls its own methods as they are."""

    inside = False


_depth = _Depth()


@functools.cache
def _namespace() -> dict[str, Any]:
    """The module of the twin."""
    given = {"StandIn": StandIn, "_coefficient_of": coefficient_of}
    namespace = load(_source(), "decimal", "_decimal", _edited, given)
    namespace["DecimalTuple"] = _Parts
    _native.register_stand_in(_Parts, real.DecimalTuple)
    namespace["getcontext"] = lambda: _context_twin(real.getcontext())
    namespace["_normalize"] = _aligning(namespace["_normalize"])
    _adapt(namespace["Decimal"])
    return namespace


def prepare() -> None:
    """Rewrite the source, once for all processes that are forked afterwards."""
    rewritten(_source(), "decimal", _edited, is_kept=True)


def _source() -> str:
    found = importlib.util.find_spec("_pydecimal")
    if found is None or found.origin is None:
        raise ImportError("the standard library has no _pydecimal")
    return found.origin


class _Parts(real.DecimalTuple):
    """What `as_tuple()` returns."""

    __slots__ = ()

    def __pef_plain__(self) -> real.DecimalTuple:
        digits = tuple(map(concrete, self.digits))
        return real.DecimalTuple(concrete(self.sign), digits, concrete(self.exponent))


_EDITS = {
    r"^class Decimal\(object\):": "class Decimal(StandIn):",
    r"^    __slots__ = \('_exp','_int',": "    __slots__ = ('_exp',",
    # Coefficients are kept as numbers.
    r"self\._int  = value\._int$": "self._keep(value)",
    r"\bint\((\w+)\._int\)": r"\1._number",
    r"\blen\((\w+)\._int\)": r"\1._length",
    r"not self\._is_special and self\._int == '0'": "not self._is_special and self._number == 0",
    r"self\._int = str\((abs\(value\)|value\.int|int\(intpart\+fracpart\))\)": (
        r"self._int = _coefficient_of(\1)"
    ),
    r"(_dec_from_triple\([\w.]+, *)str\(": r"\1_coefficient_of(",
    r"(_dec_from_triple\([\w.]+,\n *)str\(": r"\1_coefficient_of(",
    r"self\._is_special or self\._int != '0'": "self._is_special or self._number != 0",
    # The C code knows small and capital letters of ASCII only.
    r"\(E\(\?P<exp>": "([Ee](?P<exp>",
    r"^( +)Inf\(inity\)\?": r"\1[Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?",
    r"\(\?P<signal>s\)\?": "(?P<signal>[Ss])?",
    r"^( +)NaN ": r"\1[Nn][Aa][Nn] ",
    r"re\.VERBOSE \| re\.IGNORECASE": "re.VERBOSE",
}


def _edited(source: str) -> str:
    for pattern, replacement in _EDITS.items():
        source = re.sub(pattern, replacement, source, flags=re.M)
    return source


class _Flags(dict[Any, Any]):
    """The flags of a context of the twin; those that are set are set in the C context, too."""

    __slots__ = ("context",)
    context: real.Context

    def __setitem__(self, signal: Any, value: Any) -> None:
        super().__setitem__(signal, value)
        self.context.flags[getattr(real, signal.__name__)] = bool(value)


_SETTINGS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


def _context_twin(context: real.Context) -> Any:
    """A context of the twin with the settings of the C one."""
    namespace = _namespace()
    twin = object.__new__(namespace["Context"])
    for name in _SETTINGS:
        object.__setattr__(twin, name, getattr(context, name))
    by_name = {signal.__name__: signal for signal in namespace["_signals"]}
    flags = _Flags({by_name[kind.__name__]: value for kind, value in context.flags.items()})
    flags.context = context
    traps = {by_name[kind.__name__]: value for kind, value in context.traps.items()}
    object.__setattr__(twin, "flags", flags)
    object.__setattr__(twin, "traps", traps)
    object.__setattr__(twin, "_ignored_flags", [])
    return twin


def twin_of(value: Any) -> Any:
    """The twin of a C object; anything else is itself."""
    if type(value) is not real.Decimal:
        return value
    sign, digits, exponent = value.as_tuple()
    special = not isinstance(exponent, int)
    text = "".join(map(str, digits))
    return _namespace()["_dec_from_triple"](sign, text, exponent, special)


def _given(value: Any) -> Any:
    """An argument as the code of the twin needs it."""
    if isinstance(value, real.Context):
        return _context_twin(value)
    if isinstance(value, float):
        return _native.pinned(value, "decimal.Decimal")
    return twin_of(value)


def _plain(value: Any) -> Any:
    return value.__pef_plain__() if is_twin(value) else concrete(value)


def _is_foreign(value: Any) -> bool:
    """Whether the value is of a subclass, whose own methods count."""
    return issubclass(type(value), real.Decimal) and type(value) is not real.Decimal


def _computed(run: Callable[..., Any], original: Any, arguments: Any, named: Any) -> Any:
    """`run`, of the twin, on the arguments; `original`, of C, words what it complains of."""
    if any(map(_is_foreign, arguments)):
        return _native.guarded(original)(*arguments, **named)
    _depth.inside = True
    try:
        return run(*map(_given, arguments), **{key: _given(item) for key, item in named.items()})
    except Exception:
        pass
    finally:
        _depth.inside = False
    original(*map(_plain, arguments), **{name: _plain(value) for name, value in named.items()})
    return _native.guarded(original)(*arguments, **named)


_SETTLED = (
    *("__float__", "__complex__", "__format__", "__reduce__", "__reduce_ex__", "__hash__"),
    *("sqrt", "exp", "ln", "log10", "__rpow__"),
)
"""Methods for which the C object is needed: others want it, or digit after digit is computed."""
_OWN = ("__new__", "__init__", "__class__", "__copy__", "__deepcopy__", "__slots__", "__doc__")


def _adapt(twin: Any) -> None:
    """Makes the methods of the twin take C objects, and complain as CPython does."""
    twin.__name__ = "decimal.Decimal"
    _native.register_stand_in(twin, real.Decimal)
    twin.__copy__, twin.__deepcopy__ = StandIn.__copy__, StandIn.__deepcopy__
    twin._fix = _fixing(twin._fix)
    twin._rescale = _rescaling(twin._rescale)
    twin._divide = _dividing(twin._divide)
    twin.__truediv__ = _exactly_dividing(twin.__truediv__)
    twin.__pow__ = _raising(twin.__pow__)
    twin.quantize = _quantizing(twin.quantize)
    twin.__int__ = twin.__trunc__ = _truncating(twin.__trunc__)
    for sign in ("eq", "lt", "le", "gt", "ge"):
        name = f"__{sign}__"
        setattr(twin, name, _comparing(getattr(twin, name), getattr(operator, sign)))
    twin.__ne__ = _negated(twin.__eq__)
    for name, method in list(vars(twin).items()):
        if name in _OWN or name in _SETTLED or not hasattr(real.Decimal, name):
            continue
        if callable(method):
            setattr(twin, name, _entered(method, getattr(real.Decimal, name)))
    for name in _SETTLED:
        setattr(twin, name, _settling(name))


def _entered(method: Callable[..., Any], original: Any) -> Callable[..., Any]:
    def entered(self: Any, *arguments: Any, **named: Any) -> Any:
        if _depth.inside:
            return method(self, *arguments, **named)
        return _computed(method, original, (self, *arguments), named)

    return entered


def _settling(name: str) -> Callable[..., Any]:
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        if name == "__format__" and arguments == ("",):
            return str(self)
        return getattr(self.__pef_pinned__(name), name)(*arguments, **named)

    return method


def _truncating(method: Callable[..., Any]) -> Callable[..., Any]:
    """`__int__`, whose result stays symbolic for those who call the model of `int`."""

    def truncate(self: Any) -> Any:
        return method(self) if self._is_special else truncated(self)

    return truncate


def _negated(equal: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        result = equal(self, other)
        return result if result is NotImplemented else _native.__pef_not__(result)

    return method


def _comparing(method: Callable[..., Any], compare: Callable[[Any, Any], Any]) -> Any:
    """A comparison: of ordinary values it is a condition over their numbers."""

    def compared(self: Any, other: Any, context: Any = None) -> Any:
        right = _namespace()["Decimal"](other) if isinstance(other, int) else other
        if not (is_twin(right) and is_ordinary(self) and is_ordinary(right)):
            return method(self, other)
        exponent = min(self._exp, right._exp)
        return compare(signed(self, exponent), signed(right, exponent))

    return compared


def _fixing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Rounding to the context: most values are as they should be."""

    def fix(self: Any, context: Any) -> Any:
        if not (is_open(self) and is_normal(self, context)):
            return method(self, context)
        if fits(self, context):
            return self
        exponent = self._exp + self._length - context.prec
        number = scaled(self, exponent, context.rounding)
        _signal_rounding(self, number, exponent, context)
        if decide(number >= 10**context.prec, "domain", "either"):
            number, exponent = number // 10, exponent + 1
        return _namespace()["_dec_from_triple"](self._sign, coefficient_of(number), exponent)

    return fix


def _signal_rounding(before: Any, number: Any, exponent: int, context: Any) -> None:
    """Sets the flags for a value whose coefficient became `number` at a larger exponent."""
    inexact = number * 10 ** (exponent - before._exp) != before._number
    if decide(inexact, "domain", "either"):
        context._raise_error(_namespace()["Inexact"])
    context._raise_error(_namespace()["Rounded"])


def _rescaling(method: Callable[..., Any]) -> Callable[..., Any]:
    """Rounding to an exponent, by division."""

    def rescale(self: Any, exp: Any, rounding: str) -> Any:
        if is_symbolic(exp) or not (is_open(self) and is_ordinary(self) and abs(exp) <= WIDEST):
            return method(self, exp, rounding)
        made = _namespace()["_dec_from_triple"]
        return made(self._sign, coefficient_of(scaled(self, exp, rounding)), exp)

    return rescale


def _quantizing(method: Callable[..., Any]) -> Callable[..., Any]:
    """`quantize`, which counts digits to know whether there are too many."""

    def quantize(self: Any, exp: Any, rounding: Any = None, context: Any = None) -> Any:
        namespace = _namespace()
        settings = namespace["getcontext"]() if context is None else context
        mode = settings.rounding if rounding is None else rounding
        if is_twin(exp) and is_open(self) and is_ordinary(self) and is_ordinary(exp):
            result = self._rescale(exp._exp, mode)
            if is_open(result) and fits(result, settings):
                if exp._exp > self._exp:
                    _signal_rounding(self, result._number, exp._exp, settings)
                return result
        return method(self, exp, rounding, context)

    return quantize


def _dividing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Quotient and remainder of ordinary values."""

    def divide(self: Any, other: Any, context: Any) -> Any:
        if is_ordinary(self) and is_ordinary(other) and (is_open(self) or is_open(other)):
            exponent = min(self._exp, other._exp)
            left, right = scaled(self, exponent, ""), scaled(other, exponent, "")
            whole, rest = left // right, left % right
            if decide(whole < 10**context.prec, "domain", "yes"):
                made = _namespace()["_dec_from_triple"]
                sign = self._sign ^ other._sign
                return (
                    made(sign, coefficient_of(whole), 0),
                    made(self._sign, coefficient_of(rest), exponent),
                )
        return method(self, other, context)

    return divide


def _exactly_dividing(method: Callable[..., Any]) -> Callable[..., Any]:
    """A quotient that has an end needs no digits to be counted."""

    def divide(self: Any, other: Any, context: Any = None) -> Any:
        namespace = _namespace()
        divisor = namespace["Decimal"](other) if isinstance(other, int) else other
        found = quotient(self, divisor) if is_open(self) and is_twin(divisor) else None
        if found is not None:
            made = namespace["_dec_from_triple"]
            number, exponent = found
            result = made(self._sign ^ divisor._sign, coefficient_of(number), exponent)
            if fits(result, namespace["getcontext"]() if context is None else context):
                return result
        return method(self, other, context)

    return divide


def _raising(method: Callable[..., Any]) -> Callable[..., Any]:
    """A power: with a small exponent, and if it is exact, it is a product; C computes others."""

    def power(self: Any, other: Any, modulo: Any = None, context: Any = None) -> Any:
        exponent = other if isinstance(other, int) else None
        if not is_open(self) or is_symbolic(exponent) or modulo is not None:
            raise TooLargeError
        if exponent is None or not 0 < exponent <= _HIGHEST_POWER or not is_ordinary(self):
            raise TooLargeError
        if decide(self._number == 0, "domain"):
            return method(self, other)
        namespace = _namespace()
        number = coefficient_of(self._number**exponent)
        result = namespace["_dec_from_triple"](
            self._sign * (exponent % 2), number, self._exp * exponent
        )
        if not fits(result, namespace["getcontext"]()):
            raise TooLargeError
        return result

    return power


_HIGHEST_POWER = 8


def _aligning(method: Callable[..., Any]) -> Callable[..., Any]:
    """Makes two operands of an addition have one exponent, which needs no digits."""

    def normalize(op1: Any, op2: Any, prec: int = 0) -> Any:
        symbolic = is_symbolic(op1.int) or is_symbolic(op2.int)
        if not symbolic or is_symbolic(op1.exp) or is_symbolic(op2.exp):
            return method(op1, op2, prec)
        if abs(op1.exp - op2.exp) > WIDEST:
            return method(op1, op2, prec)
        low, high = (op1, op2) if op1.exp < op2.exp else (op2, op1)
        high.int *= 10 ** (high.exp - low.exp)
        high.exp = low.exp
        return op1, op2

    return normalize


def _constructor(value: Any = "0", context: Any = None) -> Any:
    """`Decimal(value)`."""
    odd = context is not None and not isinstance(context, real.Context)
    if odd or isinstance(value, (float, list, tuple)):
        return _native.guarded(real.Decimal)(value, context)
    make = _namespace()["Decimal"]
    made = _computed(lambda *given: make(*given), real.Decimal, (value, context), {})
    if is_twin(made) and is_symbolic(made._exp) and decide(abs(made._exp) > 10**6, "domain"):
        return _native.guarded(real.Decimal)(value, context)
    return made


def _int(*arguments: Any, **named: Any) -> Any:
    """`int(value)`: of a twin it is arithmetic."""
    if len(arguments) == 1 and not named and is_twin(arguments[0]):
        return arguments[0].__trunc__()
    return _native.model_int(*arguments, **named)


def _method_model(name: str, original: Any) -> Callable[..., Any]:
    """A method of a C object, with something symbolic among the arguments."""

    def model(receiver: Any, *arguments: Any, **named: Any) -> Any:
        run = getattr(_namespace()["Decimal"], name)
        if is_twin(receiver):
            return run(receiver, *arguments, **named)
        return _computed(run, original, (receiver, *arguments), named)

    return model


def _context_model(name: str, original: Any) -> Callable[..., Any]:
    def model(context: Any, *arguments: Any, **named: Any) -> Any:
        run = getattr(_namespace()["Context"], name)
        return _computed(run, original, (context, *arguments), named)

    return model


def _watch_subclasses(kind: type) -> None:
    """Classes that exist already have copies of the slots; the lowest come first."""
    subclasses: list[type] = kind.__subclasses__()
    for subclass in subclasses:
        _watch_subclasses(subclass)
        _native.watch_operators(subclass)


_MANAGED = ("copy", "clear_flags", "clear_traps")


def install() -> None:
    """Registers what rewritten code may call; the twin itself is loaded when it is needed."""
    _watch_subclasses(real.Decimal)
    _native.watch_operators(real.Decimal, twin_of)
    _native.register_guarded(real.Decimal, _constructor)
    _native.register_model(int, _int)
    for name, method in vars(real.Decimal).items():
        if not name.startswith("_") and name != "from_float" and callable(method):
            _native.register_guarded(method, _method_model(name, method))
    for name, method in vars(real.Context).items():
        if not name.startswith("_") and name not in _MANAGED and callable(method):
            _native.register_guarded(method, _context_model(name, method))
