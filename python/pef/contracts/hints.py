"""Reader of type hints.

Each hint is resolved on its own and only if needed, so that one unreadable hint does not take the
others with it.
"""

from __future__ import annotations

import typing
from contextlib import suppress
from functools import partial
from types import GenericAlias, SimpleNamespace
from typing import Any

from pef.contracts import typing_only
from pef.contracts.form import ParameterKind, TypeForm
from pef.contracts.signature import Declared, Empty
from pef.contracts.subject import Reading, Subject
from pef.contracts.typeforms import flatten, is_type_form, union_of


def read(subject: Subject) -> Reading:
    """Reads the annotations of the parameters; the return annotation promises nothing yet."""
    reading = Reading()
    for parameter in subject.parameters.values():
        if parameter.annotation is not Empty:
            reading.types[parameter.name] = partial(_alternatives, subject, parameter)
    return reading


def _alternatives(subject: Subject, parameter: Declared) -> tuple[TypeForm, ...]:
    alternatives = flatten(_resolve(subject, parameter, parameter.annotation))
    alternatives = tuple(_resolve_quoted(subject, parameter, each) for each in alternatives)
    if parameter.kind is ParameterKind.VAR_POSITIONAL:
        return (list[union_of(alternatives)],)  # type: ignore[misc]
    if parameter.kind is ParameterKind.VAR_KEYWORD:
        if str(typing.get_origin(alternatives[0])) == "typing.Unpack":  # since 3.11
            return typing.get_args(alternatives[0])
        return (dict[str, union_of(alternatives)],)  # type: ignore[misc]
    return alternatives


def _resolve(subject: Subject, parameter: Declared, annotation: object) -> TypeForm:
    where, name = subject.where, parameter.name
    try:
        form = _evaluated(subject, name, annotation)
    except Exception as error:
        message = f"cannot resolve the type hint of '{name}': {error}"
        hint = _hint(subject, name, getattr(error, "name", None))
        raise where.source.error(message, where.place_of_hint(name), hint) from None
    if not is_type_form(form):
        message = f"the hint of '{name}' is not a type"
        raise where.source.error(message, where.place_of_hint(name), _declare(name))
    return form


def _evaluated(subject: Subject, name: str, annotation: object) -> TypeForm:
    """Evaluates a hint; names that only type checkers import are looked up as they turn up."""
    holder = SimpleNamespace(__annotations__={name: annotation})
    namespace = subject.function.__globals__
    known = _locals(subject)
    while True:
        try:
            hints = typing.get_type_hints(holder, namespace, known, include_extras=True)
            form: TypeForm = hints[name]
            return form
        except NameError as error:
            missing = getattr(error, "name", None)
            found = missing and typing_only.find(subject.where, namespace, missing)
            if found is None or missing is None or missing in known:
                raise
            known[missing] = found


def _resolve_quoted(subject: Subject, parameter: Declared, form: TypeForm) -> TypeForm:
    """Resolves the string in `list["Point"]`, which CPython 3.10 leaves as it is."""
    if not isinstance(form, GenericAlias):
        return form
    arguments = tuple(
        _resolve(subject, parameter, each)
        if isinstance(each, str)
        else _resolve_quoted(subject, parameter, each)
        for each in typing.get_args(form)
    )
    if arguments == typing.get_args(form):
        return form
    origin: Any = form.__origin__
    return origin[arguments]


def _locals(subject: Subject) -> dict[str, object]:
    """Captured variables and type parameters: names a hint sees beside the module's."""
    names: dict[str, object] = {
        each.__name__: each for each in getattr(subject.function, "__type_params__", ())
    }
    for name in subject.scope.ambient:
        with suppress(KeyError):
            names[name] = subject.scope.find_static(name)
    return names


def _hint(subject: Subject, parameter: str, missing: object) -> str:
    if isinstance(missing, str) and subject.where.imported_for_type_checkers_only(missing):
        return f"'{missing}' is imported only under TYPE_CHECKING; {_declare(parameter)}"
    return _declare(parameter)


def _declare(parameter: str) -> str:
    return f"make the name known at run time, or write ':type: {parameter}: ...' in the docstring"
