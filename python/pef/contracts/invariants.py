"""Class invariants: what holds of an object whenever no method of it is running.

They are written in the docstrings of a class and of its bases, `:invariant: expr` or `inv: expr`
over `self`, or with icontract. A public method may rely on them and has to restore them; what
`__init__` makes has to have them. deal checks its invariants itself, at every assignment.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType

from pef.contracts.compiling import ClauseCompiler, Transform
from pef.contracts.form import Clause, ClauseKind, Expression
from pef.contracts.layers import ICONTRACT
from pef.contracts.naming import live_name
from pef.contracts.notation import PEP316
from pef.contracts.parsing import parse_list, parse_one
from pef.contracts.placed import PlacedText
from pef.contracts.scope import Scope
from pef.contracts.source import class_docstring
from pef.contracts.subject import Reading, Subject
from pef.records import replace

SELF = "self"

_MAKERS = ("__init__", "__post_init__")
"""Methods that get an object which is not finished yet."""


def read(subject: Subject, owner: type | None, transform: Transform | None) -> Reading:
    """What the invariants of `owner` ask of a method of it."""
    reading = Reading()
    function = subject.function
    name = function.__name__
    if owner is None or is_private(name) or not function.__code__.co_argcount:
        return reading
    receiver = function.__code__.co_varnames[0]
    at_exit = live_name(receiver) if receiver in subject.parameters else receiver
    for clause in invariants_of(owner, transform):
        if name not in _MAKERS:
            reading.assumes.append(_about(clause, receiver))
        if name != "__del__":
            reading.ensures.append(_about(clause, at_exit))
    return reading


def invariants_of(kind: type, transform: Transform | None = None) -> tuple[Clause, ...]:
    """Every invariant of a class, those of its bases first. Each takes `self` alone."""
    written = (each for base in reversed(kind.__mro__) for each in _written(base, transform))
    if ICONTRACT not in sys.modules:
        return tuple(written)
    from pef.contracts import icontract

    return (*written, *icontract.invariants(kind, transform))


def violated_invariant(invariants: tuple[Clause, ...], instance: object) -> Clause | None:
    """The first invariant that does not hold of an object; one that raises does not either."""
    for clause in invariants:
        try:
            if not clause.condition.evaluate({SELF: instance}):
                return clause
        except Exception:
            return clause
    return None


def is_private(name: str) -> bool:
    """Whether a method of that name may find and leave an object in any state."""
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def _about(clause: Clause, receiver: str) -> Clause:
    """The clause about what a method calls its first parameter."""
    takes = tuple(receiver if name == SELF else name for name in clause.condition.takes)
    return replace(clause, condition=Expression(clause.condition.function, takes))


def _written(kind: type, transform: Transform | None) -> Iterator[Clause]:
    """The invariants in the docstring that this class itself has."""
    docstring = vars(kind).get("__doc__")
    if not isinstance(docstring, str) or "inv" not in docstring:
        return
    text = class_docstring(kind)
    if text is None:
        return
    from pef.contracts.fields import split_class_fields
    from pef.contracts.pep316 import directives

    compiler = ClauseCompiler(_scope(kind, text), transform)
    for field in split_class_fields(text):
        for item in parse_list(field.body):
            yield compiler.clause(ClauseKind.INVARIANT, item)
    for directive in directives(text):
        if directive.keyword != "inv":
            continue
        if directive.brackets is not None:
            raise directive.brackets.error("'inv' takes no brackets")
        directive.refuse_empty()
        for body in directive.bodies:
            yield compiler.clause(ClauseKind.INVARIANT, parse_one(body), PEP316)


def _scope(kind: type, text: PlacedText) -> Scope:
    module = sys.modules.get(kind.__module__)
    methods = (each for each in vars(kind).values() if isinstance(each, FunctionType))
    # A module that is not importable is known to the methods alone.
    near = next((each.__globals__ for each in methods if each.__module__ == kind.__module__), {})
    namespace = vars(module) if module is not None else near
    return Scope(namespace, text.source.file, (SELF,), {}, kind.__name__)
