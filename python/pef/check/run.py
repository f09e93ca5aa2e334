"""One run of `pef check`: what is to be done, what is already known, what is reported.

Brings the parts together. Discovery, supervision and rendering each know nothing of the others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pef.check.comments import Comments
from pef.check.discovery import Discovery, Unit
from pef.check.findings import Finding, Subject, same_cause
from pef.check.job import Limits
from pef.check.server import Channel
from pef.check.subjects import Subject as Function
from pef.check.supervisor import Module, Result, Settings, Task, check
from pef.cli.options import CheckOptions
from pef.cli.settings import for_file


class Report(NamedTuple):
    """Where a run sends what it learns: the kind of an event, and its content."""

    tell: Callable[[str, Any], None]

    def finding(self, found: Finding) -> None:
        """An element of `findings` in `docs/check.schema.json`."""
        self.tell("finding", found)

    def function(self, known: dict[str, Any]) -> None:
        """An element of `functions` in `docs/check.schema.json`."""
        self.tell("function", known)

    def mistake(self, text: str) -> None:
        """Something the user must put right before the function can be analysed."""
        self.tell("mistake", text)

    def fault(self, function: str, traceback: str) -> None:
        """A function whose analysis failed inside PEF."""
        self.tell("fault", [function, traceback])

    def progress(self, total: int, functions: int, paths: int, findings: int) -> None:
        """How far the run is."""
        self.tell("progress", [total, functions, paths, findings])


class Run:
    """The functions of some modules, analysed and reported in order."""

    def __init__(self, found: Discovery, options: CheckOptions, report: Report) -> None:
        self._options = options
        self._report = report
        self._units = {unit.path: unit for unit in found.modules}
        self._reported: set[tuple[object, ...]] = set()
        self._comments = Comments(found.modules)
        self.is_complete = True
        """Whether every function got a verdict."""

    def perform(self, engine: Channel) -> None:
        """Analyse everything; raises KeyboardInterrupt after reporting what was known by then."""
        modules = list(self._modules())
        total = sum(len(module.tasks) for module in modules)
        settings = Settings(
            jobs=self._options.jobs or os.cpu_count() or 1,
            python_path=self._options.python_path,
            project=sorted({each for unit in self._units.values() for each in _project(unit)}),
        )

        def progress(functions: int, paths: int, findings: int) -> None:
            self._report.progress(total, functions, paths, findings)

        check(modules, settings, engine, self._finished, progress)
        for each in self._comments.unused():
            if self._options.reports(each["code"], each["name"]):
                self._report.finding(each)

    def _modules(self) -> Iterator[Module]:
        for unit in self._units.values():
            options = for_file(self._options, unit.path)
            if options is not None and unit.functions:
                limits = _limits(options)
                tasks = [Task(_subject(unit, each), limits, []) for each in unit.functions]
                yield Module(unit.path, unit.module_name, unit.root, tasks)

    def _finished(self, module: Module, results: list[Result]) -> None:
        options = for_file(self._options, module.path) or self._options
        for result in results:
            self._tell(result, options)

    def _tell(self, result: Result, options: CheckOptions) -> None:
        """Report a function: each cause once, however many functions lead to it."""
        if result.mistake is not None:
            self._report.mistake(result.mistake)
        if result.fault is not None:
            self._report.fault(result.subject.name, result.fault)
        left = [each for each in result.findings if not self._comments.cover(each, result.subject)]
        wanted = [each for each in left if options.reports(each["code"], each["name"])]
        if result.verdict != "not-analysed":
            self._comments.analysed(result.subject)
        for each in wanted:
            cause = same_cause(each)
            if cause not in self._reported:
                self._reported.add(cause)
                self._report.finding(each)
        verdict = result.verdict
        if verdict == "error" and not wanted:
            verdict = "no-error-found"
        self.is_complete &= verdict != "not-analysed"
        self._report.function(
            {
                "name": result.subject.name,
                "file": result.subject.file,
                "line": result.subject.line,
                "verdict": verdict,
                "reasons": result.reasons,
                "paths": result.paths,
                "depth": result.depth,
                "seconds": round(result.seconds, 4),
                "cached": False,
            }
        )


def _subject(unit: Unit, function: Function) -> Subject:
    return Subject(unit.module_name, function.qualname, unit.shown, function.line)


def _limits(options: CheckOptions) -> Limits:
    return Limits(
        timeout=options.timeout,
        patience=options.timeout / 2 if options.patience is None else options.patience,
        depth=options.depth,
        max_paths=options.max_paths,
        strategy=options.strategy,
        seed=options.seed,
        all_exceptions=options.all_exceptions,
        guess_types=options.guess_types,
    )


def _project(unit: Unit) -> list[str]:
    """What belongs to the same project as a module: its package, or the folder it lies in."""
    package, _, _ = unit.module_name.partition(".")
    top = unit.root / package
    if unit.path.is_relative_to(top):
        return [str(top)]
    if unit.root.name in ("site-packages", "dist-packages"):
        return [str(unit.path)]
    return [str(unit.root)]
