"""One run of `pef check`: what is to be done, what is already known, what is reported.

Brings the parts together. Discovery, supervision and rendering each know nothing of the others.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pef.checking.comments import Comments
from pef.checking.discovery import Discovery, Unit
from pef.checking.findings import Finding, Subject, same_cause
from pef.checking.job import Limits, Suspicion
from pef.checking.server import Servers
from pef.checking.subjects import Subject as Function
from pef.checking.supervisor import FAIL_FAST, Settings, check
from pef.checking.underway import Module, Result, Task, once_failed
from pef.cli.options import CheckOptions
from pef.cli.settings import for_file
from pef.contracts.errors import missing_type
from pef.records import NamedTuple

if TYPE_CHECKING:
    from pef.checking.cache import Stored
    from pef.checking.memory import Memory


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

    def warning(self, text: str) -> None:
        """Something is not as it should be, and nothing is lost by it."""
        self.tell("warning", text)

    def progress(self, total: int, functions: int, paths: int, findings: int) -> None:
        """How far the run is."""
        self.tell("progress", [total, functions, paths, findings])


class Run:
    """The functions of some modules, analysed and reported in order."""

    def __init__(
        self, found: Discovery, options: CheckOptions, search: Sequence[str], report: Report
    ) -> None:
        self._options = options
        self._report = report
        self._units = [unit for unit in found.modules if for_file(options, unit.path) is not None]
        self._unreported = deque(self._units)
        self._reported: set[tuple[object, ...]] = set()
        self._comments = Comments(found.modules)
        self._memory: Memory | None = None
        if not options.no_cache:
            from pef.checking.memory import Memory

            self._memory = Memory(options.cache_dir, self._units, search, report.warning)
        self._keys: dict[Subject, str] = {}
        self._sources = {
            _subject(unit, function): (unit, function)
            for unit in self._units
            for function in unit.functions
        }
        self._known: dict[Subject, Result] = {}
        self.is_complete = True
        """Whether every function got a verdict."""

    def perform(self, servers: Servers, folder: str) -> None:
        """Analyse everything; raises KeyboardInterrupt after reporting what was known by then.

        Target code has its temporary files in `folder`.
        """
        self._remember()
        modules = [module for module in map(self._module, self._units) if module.tasks]
        servers.sources = [unit.source for unit in self._units]
        servers.several = sum(len(module.tasks) for module in modules) > 1
        total = sum(len(unit.functions) for unit in self._units)
        settings = Settings(
            jobs=self._options.jobs or os.cpu_count() or 1,
            python_path=self._options.python_path,
            warn=self._report.warning if self._options.verbose else lambda text: None,
            folder=folder,
            project=sorted({each for unit in self._units for each in _project(unit)}),
            is_enough=self._is_enough,
            fail_fast=self._options.fail_fast,
        )

        def progress(functions: int, paths: int, findings: int) -> None:
            self._report.progress(total, len(self._known) + functions, paths, findings)

        if any(self._is_enough(*known) for known in self._recalled_findings()):
            for module in modules:
                skipped = [Result(task.subject, reasons=[FAIL_FAST]) for task in module.tasks]
                self._finished(module, skipped)
        else:
            check(modules, settings, servers, self._finished, progress)
        self._tell_until(None, {})
        for each in self._comments.unused():
            if self._options.reports(each["code"], each["name"]):
                self._report.finding(each)
        if self._memory is not None:
            self._memory.tidy()

    def _remember(self) -> None:
        """Look up what earlier runs have found out about functions that are still the same."""
        if self._memory is None or self._memory.is_empty:
            return
        keys = {subject: self._key(self._memory, subject) for subject in self._sources}
        known = self._memory.known(keys.values())
        for subject, key in keys.items():
            if key in known:
                self._known[subject] = _recalled(subject, known[key])

    def _key(self, memory: Memory, subject: Subject) -> str:
        if subject not in self._keys:
            unit, function = self._sources[subject]
            limits = _limits(self._options_of(unit), unit, function)
            self._keys[subject] = memory.key(unit, function, limits)
        return self._keys[subject]

    def _module(self, unit: Unit) -> Module:
        """What is left to do in a module, contracts first: the others may only serve them."""
        options = self._options_of(unit)
        functions = sorted(unit.functions, key=lambda each: not each.is_contracted)
        subjects = [(_subject(unit, function), function) for function in functions]
        tasks = [
            Task(
                subject,
                _limits(options, unit, function),
                self._tried_first(subject),
                "" if options.guess_types else _refusal(function),
            )
            for subject, function in subjects
            if subject not in self._known
        ]
        return Module(unit.path, unit.module_name, unit.root, tasks)

    def _tried_first(self, subject: Subject) -> list[Suspicion]:
        if self._memory is None or self._memory.is_empty:
            return []
        return [once_failed(*call) for call in self._memory.tried_first(subject.name)]

    def _finished(self, module: Module, results: list[Result]) -> None:
        fresh = {result.subject: result for result in results}
        if self._memory is not None:
            with self._memory.together():
                for result in results:
                    self._keep(self._memory, result)
        self._tell_until(module, fresh)

    def _keep(self, memory: Memory, result: Result) -> None:
        """Remember a result that depends on nothing but what its key covers."""
        is_lasting = result.is_refused or result.verdict != "not-analysed"
        if not is_lasting or result.is_cut_short or result.is_dated:
            return
        calls = [
            (each["args"], each["kwargs"], each["variables"]) for each in result.counterexamples
        ]
        key, name = self._key(memory, result.subject), result.subject.name
        facts = _facts(result)
        memory.keep(key, name, result.findings, facts, calls, result.variables)

    def _tell_until(self, module: Module | None, fresh: dict[Subject, Result]) -> None:
        """Report the modules up to this one, in order; those before it were all known."""
        while self._unreported:
            unit = self._unreported.popleft()
            for function in unit.functions:
                subject = _subject(unit, function)
                self._tell(fresh.get(subject) or self._known[subject], self._options_of(unit))
            if module is not None and unit.path == module.path:
                return

    def _recalled_findings(self) -> Iterator[tuple[Finding, Subject]]:
        for subject, result in self._known.items():
            yield from ((each, subject) for each in result.findings)

    def _is_enough(self, found: Finding, subject: Subject) -> bool:
        """Whether this is the error that the user asked to stop at: one that will be reported."""
        if not self._options.fail_fast or found["severity"] != "error":
            return False
        [unit] = [unit for unit in self._units if unit.shown == subject.file]
        reports = self._options_of(unit).reports
        return reports(found["code"], found["name"]) and not self._comments.cover(found, subject)

    def _options_of(self, unit: Unit) -> CheckOptions:
        return for_file(self._options, unit.path) or self._options

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
        facts = _facts(result)
        if result.verdict == "error" and not wanted:
            facts["verdict"] = "no-error-found"
        self.is_complete &= result.verdict != "not-analysed"
        self._report.function({**facts, "cached": result.subject in self._known})


def _facts(result: Result) -> dict[str, Any]:
    """A function in the report."""
    return {
        "name": result.subject.name,
        "file": result.subject.file,
        "line": result.subject.line,
        "verdict": result.verdict,
        "reasons": result.reasons,
        "paths": result.paths,
        "depth": result.depth,
        "seconds": round(result.seconds, 4),
    }


def _recalled(subject: Subject, stored: Stored) -> Result:
    facts = stored.function
    return Result(
        subject,
        verdict=facts["verdict"],
        reasons=facts["reasons"],
        paths=facts["paths"],
        depth=facts["depth"],
        seconds=facts["seconds"],
        findings=stored.findings,
    )


def _subject(unit: Unit, function: Function) -> Subject:
    return Subject(unit.module_name, function.qualname, unit.shown, function.line)


def _refusal(function: Function) -> str:
    return missing_type(function.untyped) if function.untyped else ""


_OF_HELPERS = 0.1
"""How much of the patience is for functions without a claim beside some that have a contract."""


def _patience(options: CheckOptions, unit: Unit, function: Function) -> float:
    """Seconds without news after which to leave a function.

    In a module with contracts, what has none serves those that have one, and is explored with them.
    """
    if options.patience is not None:
        return options.patience
    patience = options.timeout / 2
    if function.claims or not unit.is_whole:
        return patience
    return patience * (_OF_HELPERS if any(each.is_contracted for each in unit.functions) else 1)


def _limits(options: CheckOptions, unit: Unit, function: Function) -> Limits:
    return Limits(
        timeout=options.timeout,
        patience=_patience(options, unit, function),
        depth=options.depth,
        max_paths=options.max_paths,
        strategy=options.strategy,
        seed=options.seed,
        all_exceptions=options.all_exceptions,
        guess_types=options.guess_types,
        allow=options.allow,
    )


def _project(unit: Unit) -> list[str]:
    """What belongs to the same project as a module: its package, or the folder it lies in."""
    package, _, _ = unit.module_name.partition(".")
    top = os.path.join(unit.root, package)
    if unit.path == top or unit.path.startswith(os.path.join(top, "")):
        return [top]
    if os.path.basename(unit.root) in ("site-packages", "dist-packages"):
        return [unit.path]
    return [unit.root]
