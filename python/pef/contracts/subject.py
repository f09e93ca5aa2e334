"""The function whose contract is read, with everything a reader needs to know about it.

A decorated function is read through to the one its author wrote: that one has the docstring, the
hints and the parameters. Readers live in their own files and all take a `Subject`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType, MethodType

from pef.contracts.compiling import ClauseCompiler, Transform
from pef.contracts.form import Clause, RaisesEntry, TypeForm
from pef.contracts.placed import Place
from pef.contracts.scope import Scope, scope_of
from pef.contracts.signature import Declared, parameters_of, unwrapped
from pef.contracts.source import FunctionSource, locate
from pef.contracts.typeforms import TypeReader
from pef.records import field, record


@record(frozen=True, eq=False)
class Subject:
    """A function and the tools to read what was written about it."""

    function: FunctionType
    parameters: Mapping[str, Declared]
    where: FunctionSource
    scope: Scope
    types: TypeReader
    compiler: ClauseCompiler


@record
class Reading:
    """What one reader found. Types are resolved only if no stronger reader has one."""

    types: dict[str, Callable[[], tuple[TypeForm, ...]]] = field(default_factory=dict)
    assumes: list[Clause] = field(default_factory=list)
    ensures: list[Clause] = field(default_factory=list)
    raises: list[RaisesEntry] = field(default_factory=list)
    closed_at: Place | None = None
    """Where it is said that no other exceptions are raised than those declared."""
    globals: dict[str, tuple[TypeForm, ...]] = field(default_factory=dict)


def subject_of(func: Callable[..., object], transform: Transform | None) -> Subject:
    """Prepares a function or bound method for the readers; TypeError for any other callable."""
    # A bound method shows its function's `__wrapped__`, so it must be taken apart first.
    inner = unwrapped(func.__func__ if isinstance(func, MethodType) else func)
    if not isinstance(inner, FunctionType):
        raise TypeError(f"{func!r} is not a Python function")
    receiver = None
    if isinstance(func, MethodType) and inner.__code__.co_varnames:
        receiver = inner.__code__.co_varnames[0], func.__self__
    parameters = parameters_of(func)
    scope = scope_of(inner, tuple(parameters), receiver)
    where = locate(inner)
    source = where.docstring.source if where.docstring else where.source
    return Subject(
        inner,
        parameters,
        where,
        scope,
        TypeReader(scope, source),
        ClauseCompiler(scope, transform),
    )
