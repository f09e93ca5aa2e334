"""The one internal form of a contract's parts, whatever syntax they were written in.

Readers produce these, the engine consumes them. Nothing here parses or resolves.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import CodeType, FunctionType
from typing import TypeAlias

from pef.records import field, record

#: A class (`int`, `NoneType`, `Point`) or a typing form (`list[int]`, `Literal[1]`). Unions never
#: occur at the top: they are several alternatives.
TypeForm: TypeAlias = object

RESULT = "returnv"


class ClauseKind(Enum):
    """What a clause promises; the value is its keyword."""

    ASSUME = "assume"
    ENSURE = "ensure"
    RAISES = "raises"
    INVARIANT = "invariant"
    PRECONDITION = "precondition"
    """An assumption of a called function, which its caller has to keep."""


class TypeSource(Enum):
    """Who says what type a parameter has, strongest first."""

    CONTRACT = "contract"
    HINT = "hint"
    SPHINX = "sphinx"
    RECEIVER = "receiver"
    VARIADIC = "variadic"
    DEFAULT = "default"
    USAGE = "usage"


class ParameterKind(Enum):
    """How an argument is passed."""

    POSITIONAL_ONLY = "positional-only"
    POSITIONAL_OR_KEYWORD = "positional-or-keyword"
    VAR_POSITIONAL = "var-positional"
    KEYWORD_ONLY = "keyword-only"
    VAR_KEYWORD = "var-keyword"


@record(frozen=True, eq=False)
class Expression:
    """Source compiled once: a function and the names of the values it takes, in order."""

    function: FunctionType
    takes: tuple[str, ...]

    def evaluate(self, values: Mapping[str, object]) -> object:
        """The expression's value; whatever it raises passes through."""
        return self.function(*map(values.__getitem__, self.takes))


@record(frozen=True, eq=False)
class Old:
    """An expression evaluated when the function is entered, as `old(...)` is."""

    name: str
    expression: Expression
    as_is: bool = False
    """Whether the value itself is remembered, not a copy: its author chose what to copy."""


@record(frozen=True, eq=False)
class Clause:
    """One condition of a contract.

    `condition` asks for the truth of the written expression *inside* its own code, at the place of
    the docstring it came from, and gives a plain bool: a decision about a symbolic truth is thus
    found at the clause, not in the engine. `line` and `column` are 1-based, in characters.
    """

    kind: ClauseKind
    text: str
    file: str
    line: int
    column: int
    condition: Expression = field(repr=False)
    olds: tuple[Old, ...] = field(default=(), repr=False)
    keyword: str = ""
    """What introduces the expression where it was written: `:ensure:`, `post:`, `assert`."""
    repeated: bool = False
    """Whether the function's body evaluates the same again: what that raises is its own doing."""
    raised: BaseException | None = field(default=None, repr=False)
    """What a broken clause raised instead of being false."""

    @property
    def code(self) -> CodeType:
        """The compiled condition."""
        return self.condition.function.__code__

    @property
    def shown(self) -> str:
        """The clause as its author wrote it."""
        return f"{self.keyword or f':{self.kind.value}:'} {self.text}"


@record(frozen=True, eq=False)
class RaisesEntry:
    """An exception the function may raise when the clause holds; None matches every exception.

    A string is the name of a class that cannot be seen from the function's module. An `exact` entry
    says nothing about subclasses.
    """

    exception: type[BaseException] | str | None
    clause: Clause
    exact: bool = False

    @property
    def name(self) -> str:
        """The exception as a contract calls it."""
        if self.exception is None:
            return "any"
        return self.exception if isinstance(self.exception, str) else self.exception.__name__

    def matches(self, exception: BaseException) -> bool:
        """Whether this entry speaks about the exception."""
        if self.exception is None:
            return True
        if isinstance(self.exception, str):
            return any(base.__name__ == self.exception for base in type(exception).__mro__)
        if self.exact:
            return type(exception) is self.exception
        return isinstance(exception, self.exception)


@record(frozen=True)
class UndeclaredException:
    """An exception that no entry of the contract speaks about.

    It can be shown like a clause; its place is where the contract first speaks of exceptions.
    """

    exception: BaseException
    file: str
    line: int
    column: int

    @property
    def kind(self) -> ClauseKind:
        """Which part of the contract is broken."""
        return ClauseKind.RAISES

    @property
    def text(self) -> str:
        """What is wrong, in place of a clause's expression."""
        return f"{type(self.exception).__name__} is not declared"


@record(frozen=True)
class Parameter:
    """A parameter and the types its argument may have, in the order they were written.

    For `*args` and `**kwargs` the types are those of the whole: `list[int]`, `dict[str, int]`.
    """

    name: str
    kind: ParameterKind
    alternatives: tuple[TypeForm, ...]
    source_of_type: TypeSource

    @property
    def is_variadic(self) -> bool:
        """Whether this is `*args` or `**kwargs`."""
        return self.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
