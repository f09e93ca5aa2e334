"""`pef.check(...)`: the command as a function, its report as objects."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from pef.checking.front import perform_apart
from pef.cli.options import CheckOptions
from pef.targets import TargetError

Verdict = Literal["error", "proved", "no-error-found", "not-analysed"]


@dataclass(frozen=True)
class Raised:
    """An exception that left a function."""

    type: str
    """Qualified; builtins without their module."""
    message: str


@dataclass(frozen=True)
class Clause:
    """A part of a contract."""

    kind: str
    text: str
    file: str
    line: int


@dataclass(frozen=True)
class Frame:
    """A line on the way to a failure."""

    file: str
    line: int
    column: int | None
    end_line: int | None
    end_column: int | None
    function: str
    source: str


@dataclass(frozen=True)
class Finding:
    """An input on which a function fails, as plain CPython confirmed."""

    code: str
    name: str
    severity: Literal["error", "warning"]
    message: str
    function: str
    file: str
    line: int
    column: int | None
    end_line: int | None
    end_column: int | None
    call: str
    """The call that fails, to be pasted after the lines of `setup`."""
    setup: tuple[str, ...]
    exception: Raised | None
    contract: Clause | None
    trace: tuple[Frame, ...]
    notes: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True)
class FunctionReport:
    """The verdict on one function."""

    name: str
    file: str
    line: int
    verdict: Verdict
    reasons: tuple[str, ...]
    """What stayed open, or why it was not analysed."""
    paths: int
    depth: int
    seconds: float
    cached: bool


@dataclass(frozen=True)
class Report:
    """What a check found out; true if nothing failed."""

    findings: tuple[Finding, ...]
    functions: tuple[FunctionReport, ...]
    problems: tuple[str, ...]
    """What must be put right before everything can be analysed."""

    def __bool__(self) -> bool:
        return not self.findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)


Subject = Callable[..., object] | ModuleType | str | os.PathLike[str]


def check(*subjects: Subject, **options: Any) -> Report:
    """Check functions, modules, files or folders, and return findings and verdicts.

    Options are those of the command, with underscores: `pef.check(f, timeout=2.0)`. The cache is
    used only with `no_cache=False`. What is checked is the source file, not the object at hand.
    """
    unknown = sorted(options.keys() - set(CheckOptions._fields))
    if unknown:
        raise TypeError(f"check() got an unexpected option '{unknown[0]}'")
    asked = CheckOptions(**{"no_cache": True, **options})
    gathered = _Gathered()
    search = [*asked.python_path, os.getcwd(), *sys.path]
    ended = perform_apart([_word(each) for each in subjects], search, asked, gathered.hear)
    if ended.refused is not None:
        raise TargetError(ended.refused)
    if ended.interrupted:
        raise KeyboardInterrupt
    return Report(tuple(gathered.findings), tuple(gathered.functions), tuple(gathered.problems))


class _Gathered:
    """Collects the events of a run."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.functions: list[FunctionReport] = []
        self.problems: list[str] = []

    def hear(self, kind: str, content: Any) -> None:
        if kind == "finding":
            self.findings.append(_finding(content))
        elif kind == "function":
            facts = {**content, "reasons": tuple(content["reasons"])}
            self.functions.append(FunctionReport(**facts))
        elif kind == "fault":
            self.problems.append(": ".join(content))
        elif kind != "progress":
            self.problems.append(content)


def _finding(found: dict[str, Any]) -> Finding:
    exception, contract = found["exception"], found["contract"]
    parts = {
        "setup": tuple(found["setup"]),
        "exception": exception and Raised(**exception),
        "contract": contract and Clause(**contract),
        "trace": tuple(Frame(**frame) for frame in found["trace"]),
        "notes": tuple(found["notes"]),
    }
    return Finding(**{**found, **parts})


def _word(subject: Subject) -> str:
    """What the command line would call it."""
    if isinstance(subject, (str, os.PathLike)):
        return os.fspath(subject)
    try:
        file = inspect.getsourcefile(inspect.unwrap(subject) if callable(subject) else subject)
    except TypeError:
        file = None
    if file is None or not os.path.isfile(file):
        raise TargetError(f"cannot check {subject!r}: it has no source file")
    if isinstance(subject, ModuleType):
        return file
    return f"{file}:{subject.__qualname__}"
