"""The wrappers that contract libraries put around a function.

PEF checks a contract itself, on symbolic values and without building the message of a violation, so
the wrapper is taken off before a function is explored or replayed. Which wrappers those are is
told by where their code comes from: attributes are copied by every decorator further out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

from pef.contracts.signature import stored

ICONTRACT = "icontract._checkers"
DEAL = "deal._runtime._contracts"

_ATTRIBUTES = {ICONTRACT: "__wrapped__", DEAL: "__deal_contract"}
"""What tells a wrapper from the other functions of the module that makes it."""


def layers(function: Any) -> Iterator[Any]:
    """The function and everything it wraps, outermost first."""
    if isinstance(function, MethodType):
        function = function.__func__
    seen = set()
    while function is not None and id(function) not in seen:
        seen.add(id(function))
        yield function
        function = getattr(function, "__wrapped__", None)


def is_made_by(layer: object, module: str) -> bool:
    """Whether this is a wrapper that was made by that module."""
    return (
        isinstance(layer, FunctionType)
        and layer.__globals__.get("__name__") == module
        and hasattr(layer, _ATTRIBUTES[module])
    )


def deal_contract(layer: Any) -> Any:
    """What deal keeps with a wrapper it made."""
    return getattr(layer, _ATTRIBUTES[DEAL])


def bare(function: Any) -> Any:
    """The function without the outer wrappers whose contracts PEF checks."""
    if isinstance(function, MethodType):
        inner = bare(function.__func__)
        return function if inner is function.__func__ else MethodType(inner, function.__self__)
    for layer in layers(function):
        if not _is_checked_by_us(layer):
            return layer
    return function


def bare_constructor(
    kind: Any, select: Callable[[Any], Any] = lambda function: function
) -> Callable[..., Any] | None:
    """Makes instances without the checks of a contract library; None if there are none to avoid.

    `select` gives what to call for a function.
    """
    written = stored(kind, "__init__")
    inner = bare(written)
    plain = kind.__new__ is object.__new__ and type(kind).__call__ is type.__call__
    if inner is written or not plain:
        return None

    def make(*args: Any, **kwargs: Any) -> Any:
        instance = kind.__new__(kind)
        select(inner)(instance, *args, **kwargs)
        return instance

    return make


def _is_checked_by_us(layer: Any) -> bool:
    if is_made_by(layer, ICONTRACT):
        return True
    return is_made_by(layer, DEAL) and not is_watched(deal_contract(layer))


def is_watched(contracts: Any) -> bool:
    """Whether deal has to be there while the function runs: for side effects and each item."""
    return contracts.patcher is not None or is_generator(contracts.func)


def is_generator(function: Any) -> bool:
    """Whether a call makes a generator."""
    from inspect import isgeneratorfunction

    return isgeneratorfunction(function)
