"""Decides the type of every parameter: the strongest reader wins, then what the `def` itself shows.

A parameter nobody says anything about is an error, and a guess only for those who ask for one.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from types import NoneType

from pef.contracts.errors import missing_type
from pef.contracts.form import Parameter, ParameterKind, TypeForm, TypeSource
from pef.contracts.signature import Declared, Empty, stored
from pef.contracts.subject import Reading, Subject
from pef.contracts.typeforms import union_of


def typed_parameters(
    subject: Subject, readings: Mapping[TypeSource, Reading], guesses: Reading | None = None
) -> tuple[Parameter, ...]:
    """Every parameter with its types; `readings` come strongest first, `guesses` last of all."""
    receiver = receiver_of(subject)
    parameters = []
    for position, parameter in enumerate(subject.parameters.values()):
        found = _declared(parameter, readings)
        if found is None and position == 0 and receiver is not None:
            found = TypeSource.RECEIVER, (receiver,)
        if found is None and guesses is not None:
            found = _guessed(parameter, guesses)
        source, alternatives = found or _shown_by_def(subject, parameter)
        parameters.append(Parameter(parameter.name, parameter.kind, alternatives, source))
    return tuple(parameters)


_Typed = tuple[TypeSource, tuple[TypeForm, ...]]


def _declared(parameter: Declared, readings: Mapping[TypeSource, Reading]) -> _Typed | None:
    for source, reading in readings.items():
        resolve = reading.types.get(parameter.name)
        if resolve is not None:
            alternatives = resolve()
            # A hint on *args speaks of one argument by definition, a docstring may mean either.
            by_hint = source is TypeSource.HINT
            return source, alternatives if by_hint else _whole(parameter, alternatives)
    return None


def _whole(parameter: Declared, alternatives: tuple[TypeForm, ...]) -> tuple[TypeForm, ...]:
    """The type of all of `*args` or `**kwargs`, which a docstring may give for one argument."""
    origins = {typing.get_origin(each) or each for each in alternatives}
    if parameter.kind is ParameterKind.VAR_POSITIONAL and not origins <= {list, tuple}:
        return (list[union_of(alternatives)],)  # type: ignore[misc]
    if parameter.kind is ParameterKind.VAR_KEYWORD and not origins <= {dict}:
        return (dict[str, union_of(alternatives)],)  # type: ignore[misc]
    return alternatives


def receiver_of(subject: Subject) -> TypeForm | None:
    """The class of `self`, or `type[C]` for the `cls` of an unbound class method."""
    function = subject.function
    *owners, name = function.__qualname__.split(".")
    owner: object = None
    namespace: Mapping[str, object] = function.__globals__
    for part in owners:
        owner = namespace.get(part)
        if not isinstance(owner, type):
            return None
        namespace = owner.__dict__
    if not isinstance(owner, type):
        return None
    # A decorator may have put a subclass in the place of the class that has the method.
    found = stored(owner, subject.scope.mangle(name))
    if found is None or isinstance(found, staticmethod):
        return None
    if isinstance(found, classmethod):
        return type[owner] if function.__code__.co_varnames[0] in subject.parameters else None
    return owner


def _guessed(parameter: Declared, guesses: Reading) -> _Typed | None:
    """What its use suggests, for a parameter that shows nothing itself, or only `= None`."""
    variadic = parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    if variadic or parameter.default not in (Empty, None):
        return None
    alternatives = guesses.types[parameter.name]()
    if parameter.default is None and NoneType not in alternatives:
        alternatives = (*alternatives, NoneType)
    return TypeSource.USAGE, alternatives


def _shown_by_def(subject: Subject, parameter: Declared) -> _Typed:
    if parameter.kind is ParameterKind.VAR_POSITIONAL:
        return TypeSource.VARIADIC, (list,)
    if parameter.kind is ParameterKind.VAR_KEYWORD:
        return TypeSource.VARIADIC, (dict,)
    if parameter.default is not Empty:
        return TypeSource.DEFAULT, (type(parameter.default),)
    name, where = parameter.name, subject.where
    missing = where.source.error(
        missing_type(name),
        where.place_of_parameter(name),
        f"write ':type: {name}: int' in the docstring, or the hint '{name}: int' in the def",
    )
    missing.is_missing_type = True
    raise missing
