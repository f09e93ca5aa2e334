"""One concrete call: arguments built anew, silent, limited in time, judged by the contract.

What a call does to the process (files, sockets, module state) is not undone here: the scout runs in
a process that is thrown away, guarded by whoever started it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from types import CodeType, FrameType
from typing import Any, NamedTuple

from pef.contracts.contract import Contract, Entry
from pef.contracts.errors import ContractEvaluationError
from pef.contracts.form import Clause, Parameter, ParameterKind, UndeclaredException
from pef.contracts.layers import bare
from pef.inputs.recipes import Items, Names, Recipe
from pef.replay.manner import Settled
from pef.scout.coverage import Coverage
from pef.scout.samples import Sample

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_TICK = 0.05
"""Seconds until a call that swallowed its interruption is interrupted again."""


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


class _TooSlow(BaseException):
    """The time of a call is up."""


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
        self._coverage = coverage
        self._limit = limit
        self._running = False
        self._judged = bool(contract.ensures) or contract.raises is not None
        # Signals reach the main thread only; elsewhere nothing limits a call.
        self._timed = threading.current_thread() is threading.main_thread()

    def perform(self, sample: Sample) -> Outcome:
        """Build the arguments, call, judge."""
        try:
            values = [part.value() for part in _parts(sample)]
            arguments = {
                each.name: value for each, value in zip(self._parameters, values, strict=True)
            }
            if self._contract.violated_assume(arguments) is not None:
                return Outcome(Status.EXCLUDED)
            entry = self._contract.enter(arguments) if self._judged else None
        except (Exception, RecursionError):  # the assumption itself fails, or a constructor does
            return Outcome(Status.EXCLUDED)
        args, kwargs = self._passed(values)
        try:
            with _silence():
                return self._called(args, kwargs, entry)
        except _TooSlow:  # came in the instant between the call and its end
            return Outcome(Status.SLOW)

    def _passed(self, values: list[Any]) -> tuple[list[Any], dict[str, Any]]:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter, value in zip(self._parameters, values, strict=True):
            if parameter.kind is ParameterKind.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            elif parameter.kind is ParameterKind.VAR_POSITIONAL:
                args += value
            else:
                args.append(value)
        return args, kwargs

    def _called(self, args: list[Any], kwargs: dict[str, Any], entry: Entry | None) -> Outcome:
        exception: BaseException | None = None
        result = None
        slow = False
        before = self._arm()
        self._coverage.start()
        try:
            self._running = True
            result = self._function(*args, **kwargs)
            self._running = False
        except _TooSlow:
            slow = True
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            exception = _without_our_frames(problem)
        finally:
            self._running = False
            news = tuple(self._coverage.stop())
            self._disarm(before)
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

    def _arm(self) -> Any:
        if not self._timed:
            return None
        before = signal.signal(signal.SIGALRM, self._interrupt)
        signal.setitimer(signal.ITIMER_REAL, self._limit, _TICK)
        return before

    def _disarm(self, before: Any) -> None:
        if self._timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before or signal.SIG_DFL)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._running:
            raise _TooSlow


def written(
    sample: Sample, parameters: list[Parameter], names: Names
) -> tuple[list[str], dict[str, str]]:
    """The arguments of a call as Python source: positional ones and named ones."""
    args: list[str] = []
    kwargs: dict[str, str] = {}
    for parameter, part in zip(parameters, _parts(sample), strict=True):
        if parameter.kind is ParameterKind.KEYWORD_ONLY:
            kwargs[parameter.name] = part.source(names)
        elif parameter.kind is ParameterKind.VAR_POSITIONAL and isinstance(part, Items):
            args += [each.source(names) for each in part.parts]
        else:
            args.append(part.source(names))
    return args, kwargs


def _parts(sample: Sample) -> list[Recipe]:
    return [part.recipe() for part in sample.content]


def _without_our_frames(problem: BaseException) -> BaseException:
    """The exception as if the function had been called by nobody."""
    trace = problem.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return problem.with_traceback(trace)


class _Nowhere:
    """Streams that lead nowhere, opened once."""

    def __init__(self) -> None:
        self.output = open(os.devnull, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
        self.input = open(os.devnull, encoding="utf-8")  # noqa: SIM115


_nowhere: _Nowhere | None = None


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing is printed and standard input is empty."""
    global _nowhere
    if _nowhere is None or _nowhere.output.closed or _nowhere.input.closed:
        _nowhere = _Nowhere()
    before = sys.stdout, sys.stderr, sys.stdin
    sys.stdout = sys.stderr = _nowhere.output
    sys.stdin = _nowhere.input
    try:
        yield
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
