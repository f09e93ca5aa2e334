"""A function's contract and the questions an execution asks of it.

One run asks, in this order: do the assumptions hold, what must be remembered of the entry, did
the result or the exception break a promise. Everything was resolved and compiled when the contract
was read; what happens here is paid on every path. Reporting and exploring stay out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import chain, product
from types import CellType, CodeType

from pef.contracts.errors import ContractEvaluationError, PreconditionBroken
from pef.contracts.form import (
    RESULT,
    Clause,
    Expression,
    Parameter,
    ParameterKind,
    RaisesEntry,
    TypeForm,
    UndeclaredException,
)
from pef.contracts.naming import live_name
from pef.contracts.placed import Place
from pef.contracts.snapshot import Snapshot
from pef.records import field, record, replace


@record(frozen=True, eq=False)
class Entry:
    """The moment a function was entered: what its promises need to remember of it."""

    live: Mapping[str, object]
    snapshot: Snapshot


_NOTHING = Entry({}, Snapshot({}))


@record(frozen=True, eq=False)
class Contract:
    """What a function expects and promises; `raises` is None if it says nothing of exceptions.

    A contract on exceptions is closed if whatever it does not declare breaks it. An open one lists
    exceptions that are no surprise; of others it says nothing.
    """

    qualname: str
    file: str
    line: int
    parameters: tuple[Parameter, ...]
    assumes: tuple[Clause, ...] = ()
    ensures: tuple[Clause, ...] = ()
    raises: tuple[RaisesEntry, ...] | None = None
    closed_at: Place | None = None
    globals: Mapping[str, tuple[TypeForm, ...]] = field(default_factory=dict)
    """Global variables and class attributes that are inputs too, by dotted name."""
    ambient: Mapping[str, CellType] = field(default_factory=dict, repr=False)
    unanswered: list[ContractEvaluationError] = field(default_factory=list, repr=False)
    """The first time an assumption raised instead of being true or false."""

    @property
    def declares_exceptions(self) -> bool:
        """Whether the contract speaks of exceptions at all."""
        return self.raises is not None

    @property
    def closed(self) -> bool:
        """Whether an undeclared exception breaks it; if not, the caller's own policy applies."""
        return self.closed_at is not None

    @property
    def says_something(self) -> bool:
        """Whether a call can break it."""
        return bool(self.assumes or self.ensures or self.declares_exceptions)

    def combinations(self) -> Iterator[tuple[TypeForm, ...]]:
        """Every choice of one type per parameter, first alternatives first."""
        return product(*(parameter.alternatives for parameter in self.parameters))

    def codes(self) -> Iterator[CodeType]:
        """Every code object a clause may run in: decisions found there are about the contract."""
        for clause in chain(self.assumes, self._promises):
            yield from _nested(clause.code)
            for old in clause.olds:
                yield from _nested(old.expression.function.__code__)

    def violated_assume(self, arguments: Mapping[str, object]) -> Clause | None:
        """The first assumption these arguments break; such a call is none of ours to judge.

        One that raises is not met: `items[0] > 0` says nothing good of a list without items.
        """
        values = self._values(arguments)
        for clause in self.assumes:
            try:
                if not _evaluate(clause.condition, values, clause):
                    return clause
            except ContractEvaluationError as problem:
                if clause.repeated:
                    return None  # the body will raise the same, before what comes next
                if problem.is_mistake:
                    raise
                if not self.unanswered:
                    self.unanswered.append(problem)
                return replace(clause, raised=problem.cause)
        return None

    def enter(self, arguments: Mapping[str, object]) -> Entry:
        """Remembers what the promises will ask about the moment before the call."""
        if self._remembers_nothing:
            return _NOTHING
        values = self._values(arguments)
        live = {live_name(name): values[name] for name in self._read_live}
        remembered = {name: values[name] for name in self._read_at_entry}
        for clause in self._promises:
            for old in clause.olds:
                keep = live if old.as_is else remembered
                keep[old.name] = _evaluate(old.expression, values, clause)
        return Entry(live, self._snapshot(remembered))

    def violated_ensure(self, entry: Entry, result: object) -> Clause | None:
        """The first promise a normal return with this result breaks, be it by raising."""
        if not self.ensures:
            return None
        remembered = {} if entry is _NOTHING else {**entry.live, **entry.snapshot.read()}
        values = self._values({**remembered, RESULT: result})
        for clause in self.ensures:
            try:
                if not _evaluate(clause.condition, values, clause):
                    return clause
            except ContractEvaluationError as problem:
                if problem.is_mistake:
                    raise
                return replace(clause, raised=problem.cause)
        return None

    def violated_raises(
        self, entry: Entry, exception: BaseException
    ) -> Clause | UndeclaredException | None:
        """What this exception breaks; None also if the contract says nothing about it."""
        if isinstance(exception, PreconditionBroken):
            return exception.clause
        declared = self._entry_for(exception)
        if declared is not None:
            values = self._values({**entry.live, **entry.snapshot.read()})
            clause = declared.clause
            return None if _evaluate(clause.condition, values, clause) else clause
        if self.closed_at is None:
            return None
        return UndeclaredException(exception, self.file, self.closed_at.line, self.closed_at.column)

    def allows(self, exception: BaseException) -> bool:
        """Whether the contract declares the exception; *when* is for `violated_raises` to say."""
        return self._entry_for(exception) is not None

    def _entry_for(self, exception: BaseException) -> RaisesEntry | None:
        return next((each for each in self.raises or () if each.matches(exception)), None)

    @cached_property
    def _promises(self) -> tuple[Clause, ...]:
        return (*self.ensures, *(entry.clause for entry in self.raises or ()))

    @cached_property
    def _read_live(self) -> tuple[str, ...]:
        return self._parameters_taken_as(live_name)

    @cached_property
    def _read_at_entry(self) -> tuple[str, ...]:
        return self._parameters_taken_as(lambda name: name)

    @cached_property
    def _remembers_nothing(self) -> bool:
        has_olds = any(clause.olds for clause in self._promises)
        return not (has_olds or self._read_live or self._read_at_entry)

    def _parameters_taken_as(self, spelling: Callable[[str], str]) -> tuple[str, ...]:
        taken = {name for clause in self._promises for name in clause.condition.takes}
        return tuple(each.name for each in self.parameters if spelling(each.name) in taken)

    @cached_property
    def _variadic(self) -> dict[str, Callable[[], object]]:
        empty = {ParameterKind.VAR_POSITIONAL: tuple, ParameterKind.VAR_KEYWORD: dict}
        return {each.name: empty[each.kind] for each in self.parameters if each.kind in empty}

    def _values(self, values: Mapping[str, object]) -> Mapping[str, object]:
        """The values with those of captured variables, as they are now.

        A call that passes nothing to `*args` or `**kwargs` need not mention them.
        """
        if not self.ambient and not self._variadic:
            return values
        known = {name: empty() for name, empty in self._variadic.items()}
        known.update(values)
        for name, cell in self.ambient.items():
            with suppress(ValueError):  # not assigned yet; only an error if a clause needs it
                known.setdefault(name, cell.cell_contents)
        return known

    def _snapshot(self, values: dict[str, object]) -> Snapshot:
        try:
            return Snapshot(values)
        except Exception as cause:
            # Some value cannot be copied: blame the first clause that wants to remember one.
            wanting = (each for each in self._promises if values.keys() & each.condition.takes)
            raise ContractEvaluationError(next(wanting), cause) from cause


def _evaluate(expression: Expression, values: Mapping[str, object], clause: Clause) -> object:
    # Only Exception: a run that is stopped from outside must stop here too.
    try:
        return expression.evaluate(values)
    except Exception as cause:
        raise ContractEvaluationError(clause, cause) from cause


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)
