"""Reader of Sphinx fields: `:type x: T` declares a type, `:raises E: text` an exception.

Sphinx fields are written for people. A type in prose ("list of names") is therefore an error only
if nothing else says what the parameter is, and an exception counts as declared whenever it is
raised: the text that says when is not for machines. Nor does it say that there are no others. A
class that the module does not see is known by its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial

from pef.contracts.docstring import declared_exception
from pef.contracts.fields import Field
from pef.contracts.form import ClauseKind, ParameterKind, RaisesEntry, TypeForm
from pef.contracts.parsing import Item, parse_list, parse_one
from pef.contracts.placed import PlacedText
from pef.contracts.subject import Reading, Subject
from pef.records import replace


def read(subject: Subject, fields: list[Field]) -> Reading:
    """Reads the fields that carry an argument."""
    reading = Reading()
    for field in fields:
        if field.argument is None:
            continue
        if field.keyword == "type":
            _read_type(subject, field.argument, field.body, reading.types)
        else:
            _read_raises(subject, field.argument, reading.raises)
    return reading


def _read_type(
    subject: Subject,
    argument: PlacedText,
    body: PlacedText,
    types: dict[str, Callable[[], tuple[TypeForm, ...]]],
) -> None:
    name = argument.text.lstrip("*")
    kinds = [each.kind for each in subject.parameters.values()]
    takes_more = ParameterKind.VAR_KEYWORD in kinds
    if name not in subject.parameters and not takes_more:
        raise argument.error(f"'{subject.function.__name__}' has no parameter '{name}'")
    types.setdefault(name, partial(_alternatives, subject, body, argument))


def _alternatives(subject: Subject, body: PlacedText, argument: PlacedText) -> tuple[TypeForm, ...]:
    if not body.text:
        raise argument.error(f"':type {argument.text}:' is empty")
    node = parse_one(body).node
    # "int or None" is how Sphinx writes a union.
    choices = node.values if isinstance(node, ast.BoolOp) else [node]
    alternatives = ast.List(choices, ast.Load())
    return subject.types.alternatives(ast.copy_location(alternatives, node))


def _read_raises(subject: Subject, argument: PlacedText, raises: list[RaisesEntry]) -> None:
    # `~` and `!` only tell Sphinx how to link the name.
    names = replace(argument, text=re.sub("[~!]", " ", argument.text))
    for key in parse_list(names):
        exception = declared_exception(subject, key)
        if all(entry.exception != exception for entry in raises):
            always = ast.copy_location(ast.Constant(True), key.node)
            item = Item(always, key.start, key.end, key.body)
            raises.append(RaisesEntry(exception, subject.compiler.clause(ClauseKind.RAISES, item)))
