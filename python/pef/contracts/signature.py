"""What the `def` of a function says about its parameters.

`inspect` knows this of every callable. Nearly all are plain functions, whose code tells; for those
it need not be loaded.
"""

from __future__ import annotations

from types import FunctionType, MethodType

from pef.contracts.form import ParameterKind
from pef.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_VAR_POSITIONAL, _VAR_KEYWORD = 4, 8
"""Flags of code objects."""


_WRAPPER = frozenset({"__wrapped__"})
_DRESS = _WRAPPER | {"__signature__", "__text_signature__"}


class Empty:
    """Stands for a default or an annotation that is not there."""


class Declared(NamedTuple):
    """A parameter as it is written."""

    name: str
    kind: ParameterKind
    default: Any
    annotation: Any


def parameters_of(function: Any) -> dict[str, Declared]:
    """The parameters of a callable, by name; raises as `inspect.signature` does."""
    method = _with_receiver(function)
    is_bound = method is not None
    inner = _undressed(method if is_bound else function)
    if inner is None:
        return _inspected(function)
    found = _declared(inner)
    if is_bound:
        first = next(iter(found.values()), None)
        if first is None or first.kind in (ParameterKind.KEYWORD_ONLY, ParameterKind.VAR_KEYWORD):
            return _inspected(function)
        if first.kind is not ParameterKind.VAR_POSITIONAL:
            del found[first.name]
    return found


def bound(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """What each parameter gets in a call, defaults included; a TypeError if the call does not fit.

    >>> bound(lambda a, *rest, b=3: None, (1, 2), {})
    {'a': 1, 'rest': (2,), 'b': 3}
    """
    values: dict[str, Any] = {}
    places, names = list(args), dict(kwargs)
    for name, kind, default, _ in parameters_of(function).values():
        if kind is ParameterKind.VAR_POSITIONAL:
            values[name], places = tuple(places), []
        elif kind is ParameterKind.VAR_KEYWORD:
            values[name], names = names, {}
        elif places and kind is not ParameterKind.KEYWORD_ONLY:
            values[name] = places.pop(0)
            if name in names and kind is not ParameterKind.POSITIONAL_ONLY:
                raise TypeError(f"multiple values for argument {name!r}")
        elif name in names and kind is not ParameterKind.POSITIONAL_ONLY:
            values[name] = names.pop(name)
        elif default is not Empty:
            values[name] = default
        else:
            raise TypeError(f"missing a required argument: {name!r}")
    if places:
        raise TypeError("too many positional arguments")
    if names:
        raise TypeError(f"unexpected argument: {next(iter(names))!r}")
    return values


def unwrapped(function: Any) -> Any:
    """The function inside all wrappers."""
    seen = {id(function)}
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
        if id(function) in seen:
            raise ValueError(f"wrapper loop when unwrapping {function!r}")
        seen.add(id(function))
    return function


def stored(kind: type, name: str) -> Any:
    """An attribute as a class or one of its bases has it, nothing bound; None if none does."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def _with_receiver(function: Any) -> Any:
    """What is called with one argument more, first; None if this is a function by itself.

    Of a class that is its `__init__`, where neither the class nor its own class make instances in
    another way.
    """
    if isinstance(function, MethodType):
        return function.__func__
    if not isinstance(function, type) or hasattr(function, "__signature__"):
        return None
    maker: Any = function.__new__
    is_plain = maker is object.__new__ and type(function).__call__ is type.__call__
    return stored(function, "__init__") if is_plain else None


def _undressed(function: Any) -> FunctionType | None:
    """The function whose code says what the parameters are, inside of wrappers that say so.

    None if that is not for us to tell: the code is C, or it asks to be described otherwise.
    """
    wrappers: set[int] = set()
    while isinstance(function, FunctionType):
        dress = _DRESS.intersection(vars(function))
        if not dress:
            return function
        if dress != _WRAPPER or id(function) in wrappers:
            return None
        wrappers.add(id(function))
        function = vars(function)["__wrapped__"]
    return None


def _declared(function: FunctionType) -> dict[str, Declared]:
    code = function.__code__
    annotations: dict[str, Any] = function.__annotations__
    positional = code.co_varnames[: code.co_argcount]
    by_name_only = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    rest = iter(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
    defaults: dict[str, Any] = dict(function.__kwdefaults__ or {})
    given = function.__defaults__ or ()
    defaults.update(zip(positional[len(positional) - len(given) :], given, strict=True))
    kinds: dict[str, ParameterKind] = {}
    for place, name in enumerate(positional):
        is_bare = place < code.co_posonlyargcount
        kinds[name] = (
            ParameterKind.POSITIONAL_ONLY if is_bare else ParameterKind.POSITIONAL_OR_KEYWORD
        )
    if code.co_flags & _VAR_POSITIONAL:
        kinds[next(rest)] = ParameterKind.VAR_POSITIONAL
    kinds.update(dict.fromkeys(by_name_only, ParameterKind.KEYWORD_ONLY))
    if code.co_flags & _VAR_KEYWORD:
        kinds[next(rest)] = ParameterKind.VAR_KEYWORD
    return {
        name: Declared(name, kind, defaults.get(name, Empty), annotations.get(name, Empty))
        for name, kind in kinds.items()
    }


def _inspected(function: Any) -> dict[str, Declared]:
    import inspect

    def known(value: Any) -> Any:
        return Empty if value is inspect.Parameter.empty else value

    return {
        name: Declared(
            name, ParameterKind[each.kind.name], known(each.default), known(each.annotation)
        )
        for name, each in inspect.signature(function).parameters.items()
    }
