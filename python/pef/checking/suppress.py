"""`# pef: ignore` comments: which findings they cover, and which of them cover nothing.

A comment speaks about the statement it stands in, however many lines that has; on the line of a
`def` or `class`, about the whole of it; `ignore-file` before the first statement, about the file.
They are found by `suppress_reader`.

A suppression that covers nothing hides the next real error, so it is reported. That needs care: it
is known to be unused only if what it speaks about was analysed.
"""

from __future__ import annotations

from collections.abc import Collection

from pef.checking.codes import CODES
from pef.records import NamedTuple, field, record

Span = tuple[int, int]
"""First and last line; of a function, from its `def` on."""

EVERYTHING = ""
"""Stands for all codes, in a comment that names none."""


class Remark(NamedTuple):
    """Something to tell about a comment; the column counts from one."""

    line: int
    column: int
    message: str


@record
class Suppression:
    """One comment."""

    line: int
    column: int
    covered: Span | None
    """The lines it speaks about; None for the whole file."""
    words: tuple[str, ...]
    """Codes and names, or `EVERYTHING`."""
    used: set[str] = field(default_factory=set)

    def covers(self, code: str, name: str, line: int | None, function: Span | None) -> bool:
        """Whether the comment speaks about a finding; remembers that it did."""
        places = [(line, line)] if line is not None else []
        places += [function] if function is not None else []
        if self.covered is not None and not any(_within(each, self.covered) for each in places):
            return False
        matching = [w for w in self.words if w in (EVERYTHING, name) or w.upper() == code]
        self.used.update(matching)
        return bool(matching)

    def unused(self) -> str | None:
        """Return what of it covered nothing, as it should be said."""
        left = [word for word in self.words if word not in self.used]
        if not left:
            return None
        if len(left) == len(self.words):
            return "this comment suppresses nothing"
        return f"this comment suppresses no {', '.join(left)}"


class Suppressions:
    """The comments of one file."""

    def __init__(self, comments: list[Suppression], mistakes: list[Remark]) -> None:
        self._comments = comments
        self._mistakes = mistakes

    @classmethod
    def of(cls, source: str) -> Suppressions:
        """Read the comments of a source text."""
        if "pef:" not in source:
            return cls([], [])
        from pef.checking.suppress_reader import read  # hardly any file needs a tokenizer

        return cls(*read(source))

    def covers(
        self, code: str, name: str, line: int | None, function_span: Span | None = None
    ) -> bool:
        """Whether a finding is to be left out; the comments that say so count as used.

        `line` is where the finding is, if that is in this file; `function_span` is the function
        that was analysed, if it is in this file. Ask before findings are selected by their codes:
        a comment is not useless because the user looks at something else today.
        """
        answers = [each.covers(code, name, line, function_span) for each in self._comments]
        return any(answers)

    def unused(self, analysed: Collection[Span], whole_file: bool) -> list[Remark]:
        """Return what to tell about the comments: mistakes in them, and those that cover nothing.

        `analysed` are the spans of the functions that were analysed, `whole_file` says whether
        those are all.
        """
        known = {word for code in CODES for word in (code.code, code.name, EVERYTHING)}
        remarks = list(self._mistakes)
        for each in self._comments:
            unknown = [w for w in each.words if w not in known and w.upper() not in known]
            remarks += [Remark(each.line, each.column, f"unknown code '{w}'") for w in unknown]
            if unknown or not _was_analysed(each.covered, analysed, whole_file):
                continue
            message = each.unused()
            if message:
                remarks.append(Remark(each.line, each.column, message))
        return sorted(remarks)


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _was_analysed(covered: Span | None, analysed: Collection[Span], whole_file: bool) -> bool:
    if covered is None:
        return whole_file
    return any(_within(covered, span) for span in analysed)
