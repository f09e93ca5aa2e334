"""The `# pef: ignore` comments of a run: which findings they cover, which cover nothing.

A finding may lie in another file than the function it was found by, so the comments of all files
are asked, and those that cover nothing are known only at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pef.checking.codes import named
from pef.checking.discovery import Unit, parsed
from pef.checking.findings import Finding, Subject
from pef.checking.suppress import Span, Suppressions

_UNUSED = named("unused-suppression")


class Comments:
    """The comments of some modules."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self._units = {unit.shown: unit for unit in units}
        self._read = {file: Suppressions.of(unit.source) for file, unit in self._units.items()}
        self._spans = {
            (file, each.qualname): each.span
            for file, unit in self._units.items()
            for each in unit.functions
        }
        self._others: dict[str, Suppressions] = {}
        self._analysed: dict[str, set[Span]] = {}

    def analysed(self, subject: Subject) -> None:
        """A function got a verdict, so comments in it that cover nothing are useless."""
        span = self._spans.get((subject.file, subject.qualname))
        if span is not None:
            self._analysed.setdefault(subject.file, set()).add(span)

    def cover(self, found: Finding, subject: Subject) -> bool:
        """Whether a finding is to be left out."""
        span = self._spans.get((subject.file, subject.qualname))
        covered = False
        for file in dict.fromkeys([found["file"], subject.file]):
            comments = self._read.get(file) or self._elsewhere(file)
            if comments is not None:
                line = found["line"] if file == found["file"] else None
                function = span if file == subject.file else None
                covered |= comments.covers(found["code"], found["name"], line, function)
        return covered

    def _elsewhere(self, file: str) -> Suppressions | None:
        """The comments of a file that is not analysed itself; whether they are used is unknown."""
        if file not in self._others:
            try:
                source, _ = parsed(file)
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                return None
            self._others[file] = Suppressions.of(source)
        return self._others[file]

    def unused(self) -> Iterator[Finding]:
        """A finding for each comment that covers nothing."""
        for file, comments in self._read.items():
            spans = self._analysed.get(file, set())
            unit = self._units[file]
            whole = unit.is_whole and len(spans) == len(unit.functions)
            for line, column, message in comments.unused(spans, whole):
                yield {
                    "code": _UNUSED.code,
                    "name": _UNUSED.name,
                    "severity": _UNUSED.severity,
                    "message": message,
                    "function": self._units[file].module_name,
                    "file": file,
                    "line": line,
                    "column": column,
                    "end_line": None,
                    "end_column": None,
                    "call": "",
                    "setup": [],
                    "exception": None,
                    "contract": None,
                    "trace": [],
                    "notes": [],
                    "fingerprint": f"{file}:{line}:{message}",
                }
