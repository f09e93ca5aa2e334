"""Beginning an exploration: `explore` for functions at hand, `explore_target` for commands."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from types import FunctionType, ModuleType, TracebackType
from typing import TYPE_CHECKING

from pef import _native, engine, models
from pef.contracts.source import remember
from pef.exploration import Exploration
from pef.inputs import innermost
from pef.models.neighbours import neighbours
from pef.path import Path
from pef.records import NamedTuple
from pef.replay.client import Replayer
from pef.replay.forked import start
from pef.replay.twin import FUNCTION, Twin
from pef.rewrite.loader import Rewriter, is_standard
from pef.rewrite.probes import Probes
from pef.targets import Target, TargetError, find, resolve

if TYPE_CHECKING:
    from pef.cli.settings import ExploreOptions

__all__ = ["Exploration", "Path", "explore", "explore_target"]


class TargetExploration:
    """An exploration for the command line: paths as JSON."""

    def __init__(self, exploration: Exploration, options: ExploreOptions) -> None:
        self._exploration = exploration
        for_programs = options.output_format == "json"
        shown = {"condition": for_programs or options.conditions, "decisions": for_programs}
        self._unseen = [part for part, is_shown in shown.items() if not is_shown]
        self.function = exploration.function
        self.file = exploration.file
        self.line = exploration.line

    def __iter__(self) -> Iterator[str]:
        return (self._exploration.path_json(path, self._unseen) for path in self._exploration)

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
    plain_function = innermost(func)
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
        replayer = _start_replayer(stack, target, options)
        probes = Probes() if options.verbose or options.output_format == "json" else None
        loaded = load(stack, target, options.python_path, probes)
        exploration = Exploration(
            find(loaded.module, target.qualname),
            modules=loaded.modules,
            stack=stack,
            replayer=replayer,
            roots=[target.root],
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
    return TargetExploration(exploration, options)


class Loaded(NamedTuple):
    """A module imported rewritten, and first of the modules that came with it."""

    module: ModuleType
    modules: list[ModuleType]


def load(
    stack: ExitStack,
    target: Target,
    python_path: Sequence[str],
    probes: Probes | None = None,
    *,
    merging: bool = False,
) -> Loaded:
    """Imports the file of a target rewritten, with all that rewritten code needs around it.

    `merging`, nobody wants to see every path: branches that only choose a number are no branches.
    """
    sys.path[:0] = [*python_path, target.root]
    around = stack.enter_context(engine.Engine())
    _native.probed(True)
    rewriter = Rewriter([target.root], engine.register, probes, merging=merging)
    stack.enter_context(rewriter)
    before = set(sys.modules)
    module = rewriter.load_file(target.path)
    modules = [module, *_loaded_since(before)]
    covered = [each for each in modules if rewriter.covers(str(each.__file__))]
    _prepare_for(set().union(*map(_words, covered)))
    remember(target.path)
    for each in covered:
        around.adopt_surroundings(each)
    return Loaded(module, modules)


def _prepare_for(words: set[str]) -> None:
    """Load what programs with these words need: once, for all processes that will be forked."""
    models.install(words)  # once more, for the types that the target has brought
    if '"""' in words:
        from pef.contracts import docstring, pep316, sections, sphinx  # noqa: F401


def _words(module: ModuleType) -> set[str]:
    """The words of a source file, whatever they mean there."""
    try:
        with open(str(module.__file__), "rb") as file:
            source = file.read() if file.name.endswith(".py") else b""
    except OSError:
        return set()
    return {word.decode() for word in re.findall(rb'[A-Za-z_]\w*|"""', source)}


def _start_replayer(stack: ExitStack, target: Target, options: ExploreOptions) -> Replayer:
    """Starts the plain process first, so that it imports the target while we do."""
    roots = [target.root]
    path = [*options.python_path, *roots, *(entry for entry in sys.path if entry)]
    patience = options.timeout or _PATIENCE
    replayer = Replayer(target, path, roots=roots, timeout=patience, launch=start)
    stack.enter_context(replayer)
    replayer.start()
    return replayer


_PATIENCE = 60.0
"""Seconds a replay may take where nothing else is said."""


def _twin(stack: ExitStack, func: Callable[..., object], timeout: float | None) -> Replayer:
    """Forks before anything is rewritten."""
    roots = _roots(innermost(func))
    target = Target(roots[0], func.__module__, FUNCTION)
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


def _loaded_since(before: set[str]) -> list[ModuleType]:
    """The modules that came with the target, without the standard library and our own."""
    ours = os.path.dirname(__file__)
    return [
        module
        for name, module in list(sys.modules.items())
        if name not in before
        and (file := getattr(module, "__file__", None))
        and not is_standard(file)
        and not file.startswith(ours)
    ]
