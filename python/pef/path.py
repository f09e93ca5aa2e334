"""One explored path, as users of the library see it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import NoneType
from typing import Any, Literal

from pef import _native
from pef.records import field, record
from pef.replay.call import exception_facts, source_of, unlimited_digits
from pef.replay.manner import Manner

Ending = Literal["returned", "raised", "pruned", "timeout", "crash", "exit"]


@record(frozen=True)
class Decision:
    """A branch of a path. `column` counts from 1 and is None where Python does not tell."""

    file: str
    line: int
    column: int | None
    kind: str
    outcome: bool | int
    free: bool
    """Whether the other way was possible too."""


@record(frozen=True)
class Pin:
    """A symbolic value that was fixed to its concrete one, because something had no model."""

    expression: str
    value: str
    reason: str
    file: str
    line: int


@record(frozen=True)
class Violation:
    """A clause of the contract that a path breaks."""

    kind: str
    text: str
    line: int


@record
class Path:
    """A path: the input that takes it, what happened, and why it was taken."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    outcome: Ending
    result: Any
    exception: BaseException | None
    stdout: str
    stderr: str
    depth: int
    violation: Violation | None
    reproduced: bool | None = None
    """Whether plain CPython did the same; None for a path that was cut short."""
    replay: str | None = None
    """What plain CPython did instead."""
    detail: str | None = None
    args_source: list[str] = field(default_factory=list)
    """The positional arguments as Python source."""
    kwargs_source: dict[str, str] = field(default_factory=dict)
    """The keyword arguments as Python source."""
    globals_source: dict[str, str] = field(default_factory=dict)
    """Global variables that were part of the input, as Python source."""
    manner: Manner = "plain"
    """What it took to see what the function does: a generator is consumed, say."""
    roots: tuple[str, ...] = field(default=(), repr=False)
    _alternatives: Mapping[str, tuple[object, ...]] = field(default_factory=dict, repr=False)
    """The types a parameter may have, for those that may have several."""
    _session: _native.Session | None = field(default=None, repr=False)
    _raw: _native.RawPath | None = field(default=None, repr=False)

    @property
    def output(self) -> str:
        """What the call printed."""
        return self.stdout

    @property
    def condition(self) -> list[str]:
        """The path condition: one Python expression over the parameters for each conjunct."""
        if self._session is None or self._raw is None:
            return []
        chosen = [
            (decision.file, self._alternatives[decision.file][int(decision.outcome)])
            for decision in self.decisions
            if decision.kind == "input-shape" and decision.file in self._alternatives
        ]
        shapes = [
            _has_type(name.removeprefix("default of "), form)
            for name, form in chosen
            if form is not None
        ]
        return [*shapes, *self._session.condition(self._raw)]

    @property
    def decisions(self) -> list[Decision]:
        """Every decision on the way, forced ones included."""
        if self._session is None or self._raw is None:
            return []
        return [
            Decision(file, line, column or None, kind, outcome, free)
            for file, line, column, kind, outcome, free in self._session.decisions(self._raw)
        ]

    @property
    def pins(self) -> list[Pin]:
        """Values that lost their symbolic side on the way."""
        if self._session is None or self._raw is None:
            return []
        return [
            Pin(*_sides(condition), reason, file, line)
            for file, line, reason, condition in self._session.pins(self._raw)
        ]

    @cached_property
    def exception_facts(self) -> dict[str, str] | None:
        """Type, message, file and line of the exception."""
        if self.exception is None:
            return None
        return exception_facts(self.exception, list(self.roots))

    @cached_property
    def result_source(self) -> str | None:
        """The result as Python source."""
        return written(self.result) if self.outcome == "returned" else None


def _has_type(name: str, form: object) -> str:
    if form is NoneType:
        return f"{name} is None"
    return f"type({name}) is {getattr(form, '__name__', form)}"


def written(value: object) -> str:
    """The value as Python source, however many digits it has."""
    unlimited_digits(True)
    try:
        return source_of(value)
    finally:
        unlimited_digits(False)


def _sides(condition: str) -> tuple[str, str]:
    """What was pinned, and to what: `x + 1 == 3` says it, a bool is true or false."""
    expression, equal, value = condition.rpartition(" == ")
    if equal:
        return expression, value
    if condition.startswith("not "):
        return condition.removeprefix("not "), "False"
    return condition, "True"


def plain(value: Any) -> Any:
    """`value` without symbolic parts; containers are rebuilt only if they hold some."""
    kind = type(value)
    if kind in _native.SYMBOLIC_TYPES:
        return _native.concrete(value)
    if kind is list:
        return [plain(item) for item in value]
    if kind is tuple:
        return tuple(plain(item) for item in value)
    if kind is dict:
        return {plain(key): plain(item) for key, item in value.items()}
    if kind is set or kind is frozenset:
        return kind(plain(item) for item in value)
    twin = getattr(kind, "__pef_plain__", None)
    return value if twin is None else twin(value)
