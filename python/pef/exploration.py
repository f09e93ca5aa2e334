"""One exploration: an iterator of paths, each replayed before it is handed out.

A path whose replay differs says so. What surrounds the exploration (rewritten code, the process to
replay in) is set up by `pef.session` and ends with it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from types import ModuleType, TracebackType
from typing import Any

from pef import _native
from pef.comparison import compare
from pef.contracts.contract import Contract
from pef.contracts.form import Clause, TypeSource, UndeclaredException
from pef.contracts.layers import bare
from pef.contracts.reader import read
from pef.inputs import Inputs, innermost
from pef.inputs.forms import Forms
from pef.inputs.recipes import Names
from pef.isolation.ambient import ambient
from pef.left_behind import Settings, left_behind
from pef.path import Path, Violation, plain
from pef.path import written as written_value
from pef.replay.call import type_name
from pef.replay.client import Replayer
from pef.replay.manner import MOST_ITEMS, Settled, getter, written
from pef.replay.pipeline import Request, pipelined
from pef.rewrite.probes import Probes
from pef.rewrite.transform import transform_expression


class Exploration:
    """The paths of one function, as they are found. Use as an iterator or a context manager."""

    def __init__(
        self,
        function: Callable[..., object],
        *,
        modules: Sequence[ModuleType],
        stack: ExitStack,
        replayer: Replayer | None,
        roots: Sequence[str],
        shared: bool,
        probes: Probes | None = None,
        shown_file: str | None = None,
        check_callees: bool = False,
        guess_types: bool = False,
        **limits: Any,
    ) -> None:
        self._stack = stack
        self._modules = modules
        self._settings = Settings(modules)
        self._replayer = replayer
        self._not_reproduced = 0
        self._probes = probes
        self._timeout: float | None = limits.get("timeout")
        self._patience = None if self._timeout is None else max(0.2 * self._timeout, 0.1)
        """Seconds a run that was cut off is given in the replay."""
        self._roots = tuple(roots)
        self.target = function
        self.contract = read(function, transform_expression, guess_types)
        self.name: str = innermost(function).__qualname__
        self.function = f"{function.__module__}:{self.name}"
        self.file = shown_file or self.contract.file
        self.line = self.contract.line
        self._renamed = {self.contract.file: self.file}
        forms = Forms(self.name, small_first=limits.get("depth") is None)
        self._inputs = Inputs(function, self.name, self.contract, forms)
        self._names = Names(getattr(innermost(function), "__globals__", {}))
        self._settled = Settled(bare(function))
        self._is_property = _reads_property(function)
        checked = check_callees and self._check_callees(modules)
        self._session = _native.Session(
            self._settled,
            self._inputs.native(),
            contract=self.contract if checked or self.contract.says_something else None,
            modules=list(modules),
            shared=shared,
            ambient=ambient() or _ambient_state(),
            **limits,
        )
        self._alternatives = {
            parameter.name: parameter.alternatives
            for parameter in self.contract.parameters
            if len(parameter.alternatives) > 1
        }
        for name, default in self._inputs.defaults.items():
            self._alternatives[f"default of {name}"] = (None, type(default))
        self._paths = self._run()

    def _check_callees(self, modules: Sequence[ModuleType]) -> bool:
        """Makes functions that assume something look at their arguments until the end."""
        from pef.contracts.callees import CheckedCallees

        spaces = [vars(module) for module in modules]
        callees = CheckedCallees(spaces, transform_expression, _native.__pef_sel__)
        self._stack.callback(callees.restore)
        return bool(callees)

    def __iter__(self) -> Iterator[Path]:
        return self._paths

    def __next__(self) -> Path:
        return next(self._paths)

    def __enter__(self) -> Exploration:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # An iterator that was never started has no `finally` to run.
        if hasattr(self, "_stack"):
            self._stack.close()

    def close(self) -> None:
        """Ends the exploration and everything around it."""
        self._session.abandon()
        self._stack.close()

    @property
    def summary(self) -> dict[str, Any]:
        """Counts so far, whether nothing is left (`exhaustive`) and what stayed `open`."""
        summary = self._session.summary()
        summary["open"] = [self._shown(reason) for reason in [*summary["open"], *self._doubts()]]
        if summary["exhaustive"]:
            summary["open"] += self._left_behind()
        if summary["exhaustive"] and summary["paths"] == 0:
            summary["open"].append("no input satisfies the assumptions")
        summary["exhaustive"] = summary["exhaustive"] and not summary["open"]
        return summary

    def _left_behind(self) -> list[str]:
        leaks = self._session.leaks()
        if self._settings.has_new_classes():
            leaks.append(("__subclasses__", "which classes there are"))
        told = left_behind(leaks, innermost(self.target), self._modules)
        return [*told, *self._settings.changed()]

    def _doubts(self) -> Iterator[str]:
        """What was not explored beyond what the engine knows of."""
        yield from self._inputs.doubts
        guessed = [
            each.name
            for each in self.contract.parameters
            if each.source_of_type is TypeSource.USAGE
        ]
        if guessed:
            yield f"guessed types of {', '.join(guessed)}"
        if "endless" in self._settled.manners:
            yield f"a generator left after {MOST_ITEMS} items"
        if "receiver" in self._settled.manners:
            yield "a generator left after its first item, since nothing is sent to it"
        if self._not_reproduced:
            yield f"not reproduced ({self._not_reproduced} of the paths)"

    @property
    def solver_statistics(self) -> list[tuple[str, int, int, int, int, int]]:
        """Per layer of the solver chain: name, asked, sat, unsat, unknown, nanoseconds."""
        return self._session.solver_statistics()

    @property
    def covered(self) -> int:
        """How many different arms of branches were taken so far."""
        return self._session.covered()

    @property
    def session(self) -> _native.Session:
        """The engine, for whoever makes its runs one by one."""
        return self._session

    @property
    def untried(self) -> int:
        """How many branches are left to try, possible or not."""
        return self._session.untried()

    def keep_part(self, part: int, parts: int) -> None:
        """Goes on with one part of what is left: copies of this process see to the others."""
        self._session.keep_part(part, parts)

    def endings(self) -> Iterator[_native.RawPath]:
        """How each path ended, without replay and without saying it: `describe` does."""
        while (raw := self._session.next_path()) is not None:
            yield raw
        self._expect_an_input()

    def endings_or_pauses(
        self, patience: Callable[[], float | None]
    ) -> Iterator[_native.RawPath | None]:
        """As `endings`, and None whenever there was none for as long as `patience` said before."""
        session = self._session
        while (raw := session.next_path(patience())) is not None or session.is_paused():
            yield raw
        self._expect_an_input()

    def _expect_an_input(self) -> None:
        """An assumption that no input meets and that raises is a mistake of the contract."""
        if self.contract.unanswered:
            summary = self._session.summary()
            if summary["exhaustive"] and summary["paths"] == 0:
                raise self.contract.unanswered[0]

    def describe(self, raw: _native.RawPath) -> Path:
        """The path behind an ending; to be asked for before the next one."""
        return self._path(raw)

    def expectation(self, raw: _native.RawPath) -> dict[str, Any]:
        """The call behind an ending as source, and what became of it; to be asked for at once."""
        arguments = self._inputs.written(raw.arguments, self._names)
        problem = raw.exception
        return {
            "args": arguments.args_source,
            "kwargs": arguments.kwargs_source,
            "variables": arguments.globals_source,
            "result": written_value(plain(raw.result)) if raw.ending == "returned" else None,
            "exception": None if problem is None else type_name(type(problem)),
        }

    def unreplayed(self) -> Iterator[Path]:
        """The paths as the engine saw them, without replay: for measuring the engine."""
        return map(self._path, self.endings())

    def _run(self) -> Iterator[Path]:
        try:
            if self._replayer is None:
                yield from self.unreplayed()
                return
            paths = pipelined(self._replayer, self.unreplayed(), self._request)
            for path, outcome in paths:
                if outcome is not None:
                    compare(path, outcome)
                    self._not_reproduced += not path.reproduced
                if path.outcome == "timeout" and self._timeout is not None:
                    path.detail = f"not done after {self._timeout:g} s"
                yield path
        finally:
            self._stack.close()

    def _request(self, path: Path) -> Request | None:
        """The call to replay. Text is made of the values now: later runs may change them."""
        call = path.args_source, path.kwargs_source
        result, _ = path.result_source, path.exception_facts
        if path.outcome == "pruned":
            return None
        patience = self._patience if path.outcome == "timeout" else None
        judged = None if path.violation is None else path.violation.kind
        expected = result if judged is None else None
        return Request(*call, patience, judged, path.globals_source, expected)

    def _path(self, raw: _native.RawPath) -> Path:
        arguments = self._inputs.call(raw.arguments, self._names)
        manner = self._settled.manner
        return Path(
            args=tuple(arguments.args),
            kwargs=arguments.kwargs,
            args_source=arguments.args_source,
            kwargs_source=arguments.kwargs_source,
            globals_source=arguments.globals_source,
            outcome=raw.ending,
            result=plain(raw.result),
            exception=raw.exception,
            stdout=raw.stdout,
            stderr=raw.stderr,
            depth=raw.depth,
            manner="property" if self._is_property else manner,
            violation=_violation(self.contract, raw.violated),
            roots=self._roots,
            _alternatives=self._alternatives,
            _session=self._session,
            _raw=raw,
        )

    def _shown(self, text: str) -> str:
        for file, name in self._renamed.items():
            text = text.replace(file, name)
        return text

    def call(self, path: Path) -> str:
        """The call that takes `path`, to be pasted."""
        before = [f"{name} = {value}; " for name, value in path.globals_source.items()]
        call = written(self.name, path.args_source, path.kwargs_source, path.manner)
        return f"{''.join(before)}{call}"

    def path_json(self, path: Path, unseen: Collection[str] = ()) -> str:
        """One element of `paths` in `docs/explore.schema.json`.

        `unseen` names what nobody will look at: `condition` and `decisions` may take longer to
        write down than the path took to find.
        """
        facts = path.exception_facts
        return json.dumps(
            {
                "call": self.call(path),
                "args": path.args_source,
                "kwargs": path.kwargs_source,
                "outcome": path.outcome,
                "result": path.result_source,
                "exception": facts
                and {
                    "type": facts["type"],
                    "message": facts["message"],
                    "file": self._shown(facts["file"]) if "file" in facts else None,
                    "line": int(facts["line"]) if "line" in facts else None,
                },
                "stdout": path.stdout,
                "stderr": path.stderr,
                "condition": [] if "condition" in unseen else path.condition,
                "decisions": [
                    {**vars(decision), "file": self._shown(decision.file)}
                    for decision in (() if "decisions" in unseen else path.decisions)
                ],
                "depth": path.depth,
                "pins": [{**vars(pin), "file": self._shown(pin.file)} for pin in path.pins],
                "reproduced": bool(path.reproduced),
                "replay": path.replay,
                "detail": path.detail,
                "contract": path.violation and vars(path.violation),
            }
        )

    def completion_json(self) -> str:
        """What is known of the whole: `exhaustive`, `open`, `seconds`, `coverage`."""
        summary = self.summary
        facts = {name: summary[name] for name in ("exhaustive", "open", "seconds")}
        return json.dumps({**facts, "coverage": self.coverage})

    @property
    def coverage(self) -> dict[str, Any] | None:
        """Branches of the function and how many were taken; None if nobody asked to measure."""
        if self._probes is None:
            return None
        seen = _native.probed(False)
        within = f"{self.name}."
        missing = []
        branches = 0
        for number, probe in enumerate(self._probes.all):
            if probe.file != self.contract.file or not f"{probe.scope}.".startswith(within):
                continue
            branches += 2
            taken = seen[number] if number < len(seen) else 0
            missing += [
                {"line": probe.line, "column": probe.column, "outcome": outcome}
                for outcome, bit in ((True, 1), (False, 2))
                if not taken & bit
            ]
        return {"branches": branches, "covered": branches - len(missing), "missing": missing}


def _reads_property(function: Any) -> bool:
    """Whether the function is what a property of its class runs."""
    owner = getattr(function, "__globals__", {})
    *owners, name = function.__qualname__.split(".")
    for part in owners:
        owner = vars(owner[part]) if isinstance(owner.get(part), type) else {}
    return getter(owner.get(name)) is function


class _RandomState:
    """The generator behind `random.random()` and its like, which all modules share."""

    def __init__(self, random: ModuleType) -> None:
        self._random = random
        self._state: object = None

    def capture(self) -> None:
        self._state = self._random.getstate()

    def restore(self) -> None:
        self._random.setstate(self._state)


def _ambient_state() -> list[_native.AmbientState]:
    """State outside the modules that a run may change."""
    random = sys.modules.get("random")
    return [_RandomState(random)] if random is not None else []


def _violation(contract: Contract, violated: object) -> Violation | None:
    if violated is None:
        return None
    if not isinstance(violated, (Clause, UndeclaredException)):
        raise TypeError(f"not a violation: {violated!r}")
    text = violated.text
    for entry in contract.raises or ():
        if entry.clause is violated:
            text = f"{entry.name}: {text}"
    return Violation(violated.kind.value, text, violated.line)
