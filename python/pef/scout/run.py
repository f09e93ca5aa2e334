"""One concrete call: arguments built anew, silent, limited in time, judged by the contract.

What a call does to the process (files, sockets, module state) is not undone here: the scout runs in
a process that is thrown away, guarded by whoever started it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import Enum
from types import CodeType
from typing import Any, TextIO

from pef.contracts.contract import Contract, Entry
from pef.contracts.errors import ContractEvaluationError
from pef.contracts.form import Clause, Parameter, ParameterKind, UndeclaredException
from pef.contracts.layers import bare
from pef.inputs.recipes import Items, Names, Omitted, Pairs, Recipe
from pef.records import NamedTuple
from pef.replay.manner import Settled
from pef.scout.coverage import Coverage
from pef.scout.samples import Sample
from pef.scout.stopwatch import Stopwatch, TooSlow

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Status(Enum):
    """How a call ended."""

    RETURNED = "returned"
    RAISED = "raised"
    SLOW = "slow"
    EXCLUDED = "excluded"
    """The arguments cannot be built, or the contract's assumptions do not hold: no call at all."""


class Outcome(NamedTuple):
    """What one call did."""

    status: Status
    exception: BaseException | None = None
    violated: Clause | UndeclaredException | None = None
    """What it breaks of the contract."""
    news: tuple[CodeType, ...] = ()
    """The functions in which it did something no call did before, once for each such thing."""


class Calls:
    """Calls one function with one sample after the other."""

    def __init__(
        self,
        function: Callable[..., Any],
        contract: Contract,
        parameters: list[Parameter],
        coverage: Coverage,
        limit: float,
    ) -> None:
        self._function = Settled(bare(function))
        self._contract = contract
        self._parameters = parameters
        self._names = [parameter.name for parameter in parameters]
        self._coverage = coverage
        self._watch = Stopwatch(limit)
        self._judged = bool(contract.ensures) or contract.raises is not None
        self._nowhere = _Nowhere()

    def perform(self, sample: Sample) -> Outcome:
        """Build the arguments, call, judge."""
        try:
            recipes = [part.recipe() for part in sample.content]
            values = [recipe.value() for recipe in recipes]
            arguments = dict(zip(self._names, values, strict=True))
            if self._contract.violated_assume(arguments) is not None:
                return Outcome(Status.EXCLUDED)
            entry = self._contract.enter(arguments) if self._judged else None
        except (Exception, RecursionError):  # the assumption itself fails, or a constructor does
            return Outcome(Status.EXCLUDED)
        args, kwargs = passed(self._parameters, recipes, values)
        streams = sys.stdout, sys.stderr, sys.stdin
        try:
            sys.stdout = sys.stderr = self._nowhere.output()
            sys.stdin = self._nowhere.input()
            return self._called(args, kwargs, entry)
        finally:
            sys.stdout, sys.stderr, sys.stdin = streams

    def rest(self) -> None:
        """No calls for a while."""
        self._coverage.rest()
        self._watch.rest()

    def _called(self, args: list[Any], kwargs: dict[str, Any], entry: Entry | None) -> Outcome:
        exception: BaseException | None = None
        result = None
        slow = False
        self._watch.start()
        self._coverage.start()
        try:
            result = self._function(*args, **kwargs)
        except TooSlow:
            slow = True
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            exception = _without_our_frames(problem)
        finally:
            news = tuple(self._coverage.stop())
            self._watch.stop()
        if slow:
            return Outcome(Status.SLOW, news=news)
        if exception is not None:
            return Outcome(Status.RAISED, exception, self._broken_by(entry, exception), news)
        return self._returned(entry, result, news)

    def _returned(self, entry: Entry | None, result: Any, news: tuple[CodeType, ...]) -> Outcome:
        if entry is None:
            return Outcome(Status.RETURNED, news=news)
        try:
            broken = self._contract.violated_ensure(entry, result)
        except ContractEvaluationError as problem:
            return Outcome(Status.RAISED, problem, None, news)
        return Outcome(Status.RETURNED, None, broken, news)

    def _broken_by(
        self, entry: Entry | None, exception: BaseException
    ) -> Clause | UndeclaredException | None:
        if entry is None:
            return None
        try:
            return self._contract.violated_raises(entry, exception)
        except ContractEvaluationError:
            return None


def written(
    sample: Sample, parameters: list[Parameter], names: Names
) -> tuple[list[str], dict[str, str]]:
    """The arguments of a call as Python source: positional ones and named ones."""
    recipes = [part.recipe() for part in sample.content]
    parts = [
        _parts_written(recipe, names) if parameter.is_variadic else recipe.source(names)
        for parameter, recipe in zip(parameters, recipes, strict=True)
    ]
    return passed(parameters, recipes, parts)


def _parts_written(recipe: Recipe, names: Names) -> list[str] | dict[str, str]:
    """What `*args` or `**kwargs` hold, each part as source."""
    if isinstance(recipe, Pairs):
        return {key.value(): part.source(names) for key, part in recipe.parts}
    assert isinstance(recipe, Items)
    return [part.source(names) for part in recipe.parts]


def passed(
    parameters: list[Parameter], recipes: list[Recipe], values: list[Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Values of parameters as positional and named arguments; after a gap all are named."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    by_name = False
    for parameter, recipe, value in zip(parameters, recipes, values, strict=True):
        if isinstance(recipe, Omitted):
            by_name = True
        elif parameter.kind is ParameterKind.VAR_POSITIONAL:
            args += value
        elif parameter.kind is ParameterKind.VAR_KEYWORD:
            kwargs.update(value)
        elif by_name or parameter.kind is ParameterKind.KEYWORD_ONLY:
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return args, kwargs


def _without_our_frames(problem: BaseException) -> BaseException:
    """The exception as if the function had been called by nobody."""
    trace = problem.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return problem.with_traceback(trace)


class _Nowhere:
    """Streams that lead nowhere; opened once, and again if someone closed them."""

    def __init__(self) -> None:
        self._output: TextIO | None = None
        self._input: TextIO | None = None

    def output(self) -> TextIO:
        """Takes everything."""
        if self._output is None or self._output.closed:
            self._output = open(os.devnull, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
        return self._output

    def input(self) -> TextIO:
        """Is at its end."""
        if self._input is None or self._input.closed:
            self._input = open(os.devnull, encoding="utf-8")  # noqa: SIM115
        return self._input
