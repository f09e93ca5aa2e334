"""Reader of PEF's own docstring syntax: `:type: :assume: :ensure: :raises:`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from pef.contracts.errors import ContractError, did_you_mean
from pef.contracts.fields import Field
from pef.contracts.form import ClauseKind, RaisesEntry, TypeForm
from pef.contracts.parsing import Item, parse_entries, parse_list
from pef.contracts.placed import PlacedText
from pef.contracts.subject import Reading, Subject
from pef.records import replace

_TYPE_SHAPE = "'parameter: type'"
_RAISES_SHAPE = "'Exception: condition'"


def read(subject: Subject, fields: list[Field]) -> Reading:
    """Reads the fields that carry no argument; everything in them must be right."""
    reading = Reading()
    for field in fields:
        if field.keyword == "type":
            _read_types(subject, field, reading)
        elif field.keyword == "raises":
            _read_raises(subject, field, reading)
            reading.closed_at = reading.closed_at or field.body.place(0)
        else:
            kind = ClauseKind(field.keyword)
            clauses = reading.assumes if kind is ClauseKind.ASSUME else reading.ensures
            clauses += [subject.compiler.clause(kind, item) for item in parse_list(field.body)]
    return reading


def _read_types(subject: Subject, field: Field, reading: Reading) -> None:
    for key, value in parse_entries(_with_globals_marked(field.body), _TYPE_SHAPE):
        variable = _global_variable(subject, key)
        if variable is not None:
            reading.globals[variable] = subject.types.alternatives(value.node)
            continue
        name = _parameter_name(subject, key)
        if name in reading.types:
            raise key.error(f"parameter '{name}' already has a type")
        reading.types[name] = _known(subject.types.alternatives(value.node))


_GLOBAL = re.compile(r"\bglobal\s(?=\s*[^\W\d])")
_MARK = "gl0bal"
"""Stands in for the keyword `global`, which no expression can hold: `gl0bal.NAME`."""


def _with_globals_marked(body: PlacedText) -> PlacedText:
    return replace(body, text=_GLOBAL.sub(f"{_MARK}.", body.text))


def _global_variable(subject: Subject, key: Item) -> str | None:
    """The dotted name of a global variable or class attribute, if the key is one."""
    parts: list[str] = []
    node = key.node
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if not parts or not isinstance(node, ast.Name) or node.id != _MARK:
        return None
    found: object = subject.function.__globals__.get(parts[0], _GLOBAL)
    for part in parts[1:]:
        found = getattr(found, part, _GLOBAL)
    if found is _GLOBAL:
        hint = did_you_mean(parts[0], list(subject.function.__globals__))
        raise key.error(f"there is no global '{'.'.join(parts)}'", hint)
    return ".".join(parts)


def _known(alternatives: tuple[TypeForm, ...]) -> Callable[[], tuple[TypeForm, ...]]:
    """A type resolved at once, so that its errors are never hidden."""
    return lambda: alternatives


def _parameter_name(subject: Subject, key: Item) -> str:
    if not isinstance(key.node, ast.Name):
        raise key.error("expected the name of a parameter", f"write {_TYPE_SHAPE}, ...")
    name = key.node.id
    if name not in subject.parameters:
        hint = did_you_mean(name, list(subject.parameters))
        raise key.error(f"'{subject.function.__name__}' has no parameter '{name}'", hint)
    return name


def _read_raises(subject: Subject, field: Field, reading: Reading) -> None:
    for key, value in parse_entries(field.body, _RAISES_SHAPE):
        exception = resolve_exception(subject, key)
        if any(entry.exception is exception for entry in reading.raises):
            message = f"'{key.text}' already has an entry, which decides"
            raise key.error(message, "join the conditions with 'or'")
        clause = subject.compiler.clause(ClauseKind.RAISES, value)
        reading.raises.append(RaisesEntry(exception, clause))


def resolve_exception(subject: Subject, key: Item) -> type[BaseException] | None:
    """The exception class a dotted name means; None for `any`."""
    if isinstance(key.node, ast.Name) and key.node.id == "any":
        return None
    return _exception_class(subject.types.lookup(key.node, "exception"), key)


def declared_exception(subject: Subject, key: Item) -> type[BaseException] | str:
    """The exception that prose names; one the module does not see is known by its name."""
    last = key.node.attr if isinstance(key.node, ast.Attribute) else getattr(key.node, "id", None)
    try:
        value = subject.types.lookup(key.node, "exception")
    except ContractError:
        if last is None:
            raise
        return str(last)
    return _exception_class(value, key)


def _exception_class(value: object, key: Item) -> type[BaseException]:
    if not (isinstance(value, type) and issubclass(value, BaseException)):
        raise key.error(f"'{key.text}' is not an exception class")
    return value
