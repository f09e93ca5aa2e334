"""What it takes to make an object of a class: its constructor, and the types of its parameters.

Nothing is made here. A constructor that someone wrote speaks through its contract; one that was
generated (`dataclasses`, `attrs`, named tuples) through the annotations of the class.
"""

from __future__ import annotations

import types
import typing
from typing import Any

from pef.contracts.contract import Contract
from pef.contracts.form import Parameter, ParameterKind, TypeSource
from pef.contracts.signature import Declared, Empty, parameters_of, stored
from pef.contracts.typeforms import flatten
from pef.records import record

_ABSTRACT = 1 << 20
"""The flag of classes that cannot be made."""


@record(frozen=True)
class Constructor:
    """How a class is called."""

    parameters: list[Parameter]
    contract: Contract | None
    """That of a constructor which assumes something."""
    defaults: dict[str, Any]
    """Of the parameters that need not be given; `Empty` where nobody knows."""
    variadic: tuple[str, ...] = ()
    """`*args` and `**kwargs`, for which nothing is given."""


def constructor(kind: type) -> Constructor:
    """The constructor of a class; one that takes anything is called with nothing."""
    contract = _written(kind)
    signature = _signature(kind)
    stars = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}
    variadic = tuple(stars[each.kind] + each.name for each in signature if each.kind in stars)
    defaults = {each.name: _default(kind, each) for each in signature if each.default is not Empty}
    if contract is None:
        return Constructor(_generated(kind), None, defaults, variadic)
    taken = [each for each in contract.parameters[1:] if not each.is_variadic]
    return Constructor(taken, contract if contract.assumes else None, defaults, variadic)


def can_be_made(kind: type) -> bool:
    """Whether calling the class is something we know how to do."""
    try:
        parameters_of(kind)
    except (TypeError, ValueError):
        return False
    return True


def subclasses(kind: type) -> list[type]:
    """Every class below, parents first."""
    found: list[type] = []
    each: type
    for each in kind.__subclasses__():
        found += [each, *subclasses(each)]
    return list(dict.fromkeys(found))


def is_abstract(kind: type) -> bool:
    """Whether a class has methods that only classes below it can have."""
    return bool(kind.__flags__ & _ABSTRACT)


def _written(kind: type) -> Contract | None:
    """The contract of an `__init__` that someone wrote; others have nothing but hints."""
    from pef.contracts.reader import read
    from pef.rewrite.transform import transform_expression

    method = stored(kind, "__init__")
    if not isinstance(method, types.FunctionType) or method.__code__.co_filename.startswith("<"):
        return None
    return read(method, transform_expression)


def _signature(kind: type) -> list[Declared]:
    try:
        return list(parameters_of(kind).values())
    except (TypeError, ValueError):
        return []


def _default(kind: type, parameter: Declared) -> Any:
    if not hasattr(kind, "__dataclass_fields__") and not hasattr(kind, "__attrs_attrs__"):
        return parameter.default
    from pef.inputs.defaults import with_factory

    return with_factory(kind, parameter.name, parameter.default)


def _generated(kind: type) -> list[Parameter]:
    """The parameters of a constructor that nobody wrote."""
    hints = _hints(kind)
    found = []
    for each in _signature(kind):
        if each.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            continue
        form: Any = hints.get(each.name, each.annotation)
        source = TypeSource.HINT
        if form is Empty and each.default is not Empty:
            form, source = type(each.default), TypeSource.DEFAULT
        keyword = each.kind is ParameterKind.KEYWORD_ONLY
        passed = ParameterKind.KEYWORD_ONLY if keyword else ParameterKind.POSITIONAL_OR_KEYWORD
        found.append(Parameter(each.name, passed, flatten(form), source))
    return found


def _hints(kind: Any) -> dict[str, object]:
    """The types of the fields of a class, and those its constructor declares."""
    attributes = getattr(kind, "__attrs_attrs__", ())
    has_fields = hasattr(kind, "__dataclass_fields__") or hasattr(kind, "_fields") or attributes
    sources: list[Any] = [kind] if has_fields else []
    for name in ("__init__", "__new__"):
        method = stored(kind, name)
        method = method.__func__ if isinstance(method, staticmethod) else method
        if isinstance(method, types.FunctionType):
            sources.append(method)
    hints: dict[str, object] = {}
    for source in sources:
        try:
            found = typing.get_type_hints(source, include_extras=True)
        except Exception:
            found = {}
        hints = {**found, **hints}
    for each in attributes:  # attrs passes `_x` as `x`
        if each.name in hints:
            hints[getattr(each, "alias", None) or each.name.lstrip("_")] = hints[each.name]
    return hints
