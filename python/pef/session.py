"""Explorations: `pef.explore` for functions at hand, `explore_target` for the command line.

An exploration is an iterator of paths. Each path is replayed in plain CPython before it is handed
out, so its outcome is a fact; a path whose replay differs says so.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path as FilePath
from types import FunctionType, MethodType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from pef import _native, engine, models
from pef.contracts.contract import Contract
from pef.contracts.form import Clause, ParameterKind, UndeclaredException
from pef.contracts.reader import read
from pef.inputs import native_parameters
from pef.models.neighbours import neighbours
from pef.path import Path, Violation, plain
from pef.replay.client import Outcome, Replayer
from pef.replay.pipeline import Request, pipelined
from pef.replay.twin import FUNCTION, Twin
from pef.rewrite.loader import Rewriter
from pef.rewrite.probes import Probes
from pef.rewrite.transform import transform_expression
from pef.targets import Target, TargetError, find, resolve

if TYPE_CHECKING:
    from pef.cli.settings import ExploreOptions

__all__ = ["Exploration", "Path", "explore", "explore_target"]


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
        **limits: Any,
    ) -> None:
        _refuse_unstarted(function)
        self._stack = stack
        self._replayer = replayer
        self._not_reproduced = 0
        self._probes = probes
        self._timeout: float | None = limits.get("timeout")
        self._patience = None if self._timeout is None else max(0.2 * self._timeout, 0.1)
        """Seconds a run that was cut off is given in the replay."""
        self._roots = tuple(roots)
        self.contract = read(function, transform_expression)
        self.function = f"{function.__module__}:{function.__qualname__}"
        self.file = shown_file or self.contract.file
        self.line = self.contract.line
        self.name = function.__qualname__
        self._renamed = {self.contract.file: self.file}
        self._session = _native.Session(
            function,
            native_parameters(self.name, self.contract.parameters),
            contract=self.contract if _says_something(self.contract) else None,
            modules=list(modules),
            shared=shared,
            ambient=_ambient_state(),
            **limits,
        )
        self._alternatives = {
            parameter.name: parameter.alternatives
            for parameter in self.contract.parameters
            if len(parameter.alternatives) > 1
        }
        self._paths = self._run()

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
        if summary["exhaustive"] and summary["paths"] == 0:
            summary["open"].append("no input satisfies the assumptions")
        summary["exhaustive"] = summary["exhaustive"] and not summary["open"]
        return summary

    def _doubts(self) -> Iterator[str]:
        """What was not explored beyond what the engine knows of."""
        for parameter in self.contract.parameters:
            if parameter.kind is ParameterKind.VAR_POSITIONAL:
                yield f"*{parameter.name} left empty"
            elif parameter.kind is ParameterKind.VAR_KEYWORD:
                yield f"**{parameter.name} left empty"
        if self._not_reproduced:
            yield f"not reproduced ({self._not_reproduced} of the paths)"

    @property
    def solver_statistics(self) -> list[tuple[str, int, int, int, int, int]]:
        """Per layer of the solver chain: name, asked, sat, unsat, unknown, nanoseconds."""
        return self._session.solver_statistics()

    def unreplayed(self) -> Iterator[Path]:
        """The paths as the engine saw them, without replay: for measuring the engine."""
        while (raw := self._session.next_path()) is not None:
            yield self._path(raw)

    def _run(self) -> Iterator[Path]:
        try:
            if self._replayer is None:
                yield from self.unreplayed()
                return
            paths = pipelined(self._replayer, self.unreplayed(), self._request)
            for path, outcome in paths:
                if outcome is not None:
                    _compare(path, outcome)
                    self._not_reproduced += not path.reproduced
                if path.outcome == "timeout" and self._timeout is not None:
                    path.detail = f"not done after {self._timeout:g} s"
                yield path
        finally:
            self._stack.close()

    def _request(self, path: Path) -> Request | None:
        """The call to replay. Text is made of the values now: later runs may change them."""
        call = path.args_source, path.kwargs_source
        _ = path.result_source, path.exception_facts
        if path.outcome == "pruned":
            return None
        patience = self._patience if path.outcome == "timeout" else None
        return Request(*call, patience, judged=path.violation is not None)

    def _path(self, raw: _native.RawPath) -> Path:
        arguments = [(name, key, plain(value)) for name, key, value in raw.arguments]
        return Path(
            args=tuple(value for _, keyword_only, value in arguments if not keyword_only),
            kwargs={name: value for name, keyword_only, value in arguments if keyword_only},
            outcome=raw.ending,
            result=plain(raw.result),
            exception=raw.exception,
            stdout=raw.stdout,
            stderr=raw.stderr,
            depth=raw.depth,
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
        keywords = [f"{name}={value}" for name, value in path.kwargs_source.items()]
        return f"{self.name}({', '.join([*path.args_source, *keywords])})"

    def path_json(self, path: Path) -> str:
        """One element of `paths` in `docs/explore.schema.json`."""
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
                "condition": path.condition,
                "decisions": [
                    {**vars(decision), "file": self._shown(decision.file)}
                    for decision in path.decisions
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


class TargetExploration:
    """An exploration for the command line: paths as JSON."""

    def __init__(self, exploration: Exploration) -> None:
        self._exploration = exploration
        self.function = exploration.function
        self.file = exploration.file
        self.line = exploration.line

    def __iter__(self) -> Iterator[str]:
        return map(self._exploration.path_json, self._exploration)

    def completion(self) -> str:
        """What is known of the whole, at any moment."""
        return self._exploration.completion_json()

    def __enter__(self) -> TargetExploration:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._exploration.close()


def explore(
    func: Callable[..., object],
    *,
    depth: int | None = 10,
    max_paths: int | None = None,
    timeout: float | None = None,
    cpu_timeout: float | None = None,
    strategy: str = "depth-first",
    seed: int = 0,
    query_log: str | None = None,
) -> Exploration:
    """The paths of `func`, an iterator; they arrive as they are found.

    >>> def absolute(x: int) -> int:
    ...     return x if x >= 0 else -x
    >>> for path in pef.explore(absolute):                          # doctest: +SKIP
    ...     print(path.args, path.result, path.condition)
    (0,) 0 ['x >= 0']
    (-1,) 1 ['x < 0']

    `func` and the functions it calls run rewritten until the exploration ends. Paths are replayed
    in a twin of this process, forked now.
    """
    if depth is not None and depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    plain_function = _innermost(func)
    module = sys.modules.get(func.__module__)
    stack = ExitStack()
    replayer = _twin(stack, func, timeout)
    around = stack.enter_context(engine.Engine())
    try:
        _rewrite_in_place(around, func, plain_function)
        return Exploration(
            func,
            modules=[module] if module is not None else [],
            stack=stack,
            replayer=replayer,
            roots=_roots(plain_function),
            shared=True,
            depth=depth,
            max_paths=max_paths,
            timeout=timeout,
            cpu_timeout=cpu_timeout,
            strategy=strategy,
            seed=seed,
            query_log=query_log,
        )
    except BaseException:
        stack.close()
        raise


def explore_target(text: str, options: ExploreOptions) -> TargetExploration:
    """The exploration of `FILE:FUNC`; imports the file rewritten."""
    target = resolve(text, [*options.python_path, os.getcwd(), *sys.path])
    stack = ExitStack()
    try:
        roots = [str(target.root)]
        replayer = _start_replayer(stack, target, options)
        sys.path[:0] = [*options.python_path, *roots]
        around = stack.enter_context(engine.Engine())
        probes = Probes() if options.verbose or options.output_format == "json" else None
        _native.probed(True)
        rewriter = stack.enter_context(Rewriter([target.root], engine.register, probes))
        before = set(sys.modules)
        module = rewriter.load_file(target.path)
        models.install()  # once more, for the types that the target has brought
        modules = [module, *_loaded_since(before, rewriter)]
        for loaded in modules:
            around.adopt_surroundings(loaded)
        function = find(module, target.qualname)
        exploration = Exploration(
            function,
            modules=modules,
            stack=stack,
            replayer=replayer,
            roots=roots,
            shared=False,
            probes=probes,
            shown_file=os.path.relpath(target.path),
            depth=options.depth,
            max_paths=options.max_paths,
            timeout=options.timeout,
            strategy=options.strategy,
            seed=options.seed,
            query_log=options.query_log,
        )
    except BaseException:
        stack.close()
        raise
    return TargetExploration(exploration)


def _start_replayer(stack: ExitStack, target: Target, options: ExploreOptions) -> Replayer:
    """Starts the plain process first, so that it imports the target while we do."""
    roots = [str(target.root)]
    path = [*options.python_path, *roots, *(entry for entry in sys.path if entry)]
    replayer = Replayer(target, path, roots=roots, timeout=options.timeout or _PATIENCE)
    stack.enter_context(replayer)
    replayer.start()
    return replayer


_PATIENCE = 60.0
"""Seconds a replay may take where nothing else is said."""


def _twin(stack: ExitStack, func: Callable[..., object], timeout: float | None) -> Replayer:
    """Forks before anything is rewritten."""
    roots = _roots(_innermost(func))
    target = Target(FilePath(roots[0]), func.__module__, FUNCTION)
    launch = Twin(func).launch
    replayer = Replayer(target, roots=roots, timeout=timeout or _PATIENCE, launch=launch)
    stack.enter_context(replayer)
    replayer.start()
    return replayer


def _rewrite_in_place(
    around: engine.Engine, func: Callable[..., object], plain_function: Callable[..., object]
) -> None:
    """Rewrites the function, what is wrapped around it and what it calls by name."""
    if not isinstance(plain_function, FunctionType):
        raise TargetError(f"cannot explore {plain_function!r}: it is not a Python function")
    if not around.adopt(plain_function):
        reason = around.adoptions.refused.get(plain_function, "")
        raise TargetError(f"cannot explore {plain_function.__qualname__}: {reason}")
    around.adopt(func)
    for function in (plain_function, func):
        for beside in neighbours(function):
            around.adoptions.adopt(beside)
    module = sys.modules.get(func.__module__)
    if module is not None:
        around.adopt_surroundings(module)


def _roots(func: Callable[..., object]) -> list[str]:
    """The folder of the function's file: what lies there is the analysed project."""
    code = getattr(func, "__code__", None)
    return [os.path.dirname(os.path.realpath(getattr(code, "co_filename", "")))]


def _loaded_since(before: set[str], rewriter: Rewriter) -> list[ModuleType]:
    return [
        module
        for name, module in list(sys.modules.items())
        if name not in before
        and getattr(module, "__file__", None)
        and rewriter.covers(str(module.__file__))
    ]


def _innermost(func: Callable[..., object]) -> Callable[..., object]:
    while hasattr(func, "__wrapped__"):
        func = func.__wrapped__
    return func.__func__ if isinstance(func, MethodType) else func


_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x200


def _refuse_unstarted(function: Callable[..., object]) -> None:
    """Calling a generator or coroutine function runs none of its body."""
    code = getattr(_innermost(function), "__code__", None)
    flags = getattr(code, "co_flags", 0)
    name = function.__qualname__
    if flags & (_COROUTINE | _ASYNC_GENERATOR):
        raise TargetError(
            f"{name} is async: explore a function that runs it, asyncio.run({name}(...))"
        )
    if flags & _GENERATOR:
        raise TargetError(
            f"{name} is a generator: explore a function that consumes it, list({name}(...))"
        )


def _says_something(contract: Contract) -> bool:
    return bool(contract.assumes or contract.ensures or contract.raises)


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
            kind = "any" if entry.exception is None else entry.exception.__name__
            text = f"{kind}: {text}"
    return Violation(violated.kind.value, text, violated.line)


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def _compare(path: Path, outcome: Outcome) -> None:
    """Notes on the path what plain CPython said."""
    path.reproduced = _agrees(path, outcome)
    path.detail = outcome.detail
    if not path.reproduced:
        path.replay = outcome.describe()
    elif path.violation is not None and not _is_broken_too(path.violation, outcome):
        path.reproduced = False
        path.replay = f"{outcome.describe()} and kept the contract"


def _is_broken_too(violation: Violation, outcome: Outcome) -> bool:
    return outcome.violated is not None and violation.text.endswith(outcome.violated)


def _agrees(path: Path, outcome: Outcome) -> bool:
    """Whether plain CPython did what the path says, addresses of objects aside."""
    if path.outcome != outcome.status:
        return False
    if path.outcome == "returned":
        here, there = path.result_source or "", outcome.result or ""
        return _ADDRESS.sub("", here) == _ADDRESS.sub("", there)
    facts = path.exception_facts
    if facts is None or outcome.exception is None:
        return True
    messages = (facts["message"], outcome.exception.message)
    same_message = _ADDRESS.sub("", messages[0]) == _ADDRESS.sub("", messages[1])
    return facts["type"] == outcome.exception.type and same_message
