"""`# pef: ignore` comments: which findings they cover, and which of them cover nothing.

A comment speaks about the statement it stands in, however many lines that has; on the line of a
`def` or `class`, about the whole of it; `ignore-file` before the first statement, about the file.
Comments are found by the tokenizer, so text that looks like one is left alone.

A suppression that covers nothing hides the next real error, so it is reported. That needs care: it
is known to be unused only if what it speaks about was analysed.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection

from pef.checking.codes import CODES
from pef.records import NamedTuple, field, record

Span = tuple[int, int]
"""First and last line; of a function, from its `def` on."""

_COMMENT = re.compile(r"#\s*pef:\s*(?P<verb>[\w-]*)(?P<list>\s*\[(?P<words>[^\]#]*)\])?")
_LAYOUT = frozenset(
    {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
)
_EVERYTHING = ""
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
    """Codes and names, or `_EVERYTHING`."""
    used: set[str] = field(default_factory=set)

    def covers(self, code: str, name: str, line: int | None, function: Span | None) -> bool:
        """Whether the comment speaks about a finding; remembers that it did."""
        places = [(line, line)] if line is not None else []
        places += [function] if function is not None else []
        if self.covered is not None and not any(_within(each, self.covered) for each in places):
            return False
        matching = [w for w in self.words if w in (_EVERYTHING, name) or w.upper() == code]
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
        reader = _Reader()
        try:
            for token in tokenize.generate_tokens(io.StringIO(source).readline):
                reader.see(token)
        except (tokenize.TokenError, SyntaxError):
            pass  # Whoever parses the file says so; comments up to here are known.
        return reader.result()

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
        known = {word for code in CODES for word in (code.code, code.name, _EVERYTHING)}
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


class _Reader:
    """Follows the tokens: which statement a comment stands in, which block a `def` opens."""

    def __init__(self) -> None:
        self._comments: list[Suppression] = []
        self._mistakes: list[Remark] = []
        self._waiting: list[tuple[Remark, tuple[str, ...]]] = []
        """Comments of the statement that is being read."""
        self._first: tokenize.TokenInfo | None = None
        self._last_line = 0
        self._begun = False
        """Whether a statement other than a docstring was seen."""
        self._opening: list[Suppression] = []
        """Comments of a `def` whose block has not begun yet."""
        self._blocks: list[list[Suppression]] = []
        """Those of the blocks around, whose end is not known yet."""
        self._is_definition = False

    def see(self, token: tokenize.TokenInfo) -> None:
        """Take the next token."""
        if token.type == tokenize.COMMENT:
            self._comment(token)
        elif token.type == tokenize.INDENT:
            self._blocks.append(self._opening)
            self._opening = []
        elif token.type == tokenize.DEDENT:
            self._close(self._blocks.pop())
        elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            self._end_statement(token.start[0])
        elif token.type not in _LAYOUT:
            if self._first is None:
                self._begin_statement(token)
            elif self._first.string == "async" and token.string == "def":
                self._is_definition = True
            self._last_line = token.end[0]

    def result(self) -> Suppressions:
        """Return what was found; blocks that are still open end with the text."""
        for comments in [self._opening, *self._blocks]:
            self._close(comments)
        return Suppressions(self._comments, self._mistakes)

    def _begin_statement(self, token: tokenize.TokenInfo) -> None:
        self._first = token
        self._is_definition = token.string in ("def", "class")
        self._opening = []

    def _end_statement(self, line: int) -> None:
        """Place the comments of a statement; one on a line of its own speaks about that line."""
        first = self._first
        for remark, words in self._waiting:
            inside = first is not None and first.start[0] <= remark.line
            covered = (first.start[0], line) if inside and first else (remark.line, remark.line)
            comment = Suppression(remark.line, remark.column, covered, words)
            self._comments.append(comment)
            if inside and self._is_definition:
                self._opening.append(comment)
        self._waiting = []
        if first is not None and not (first.type == tokenize.STRING and not self._begun):
            self._begun = True
        self._first = None

    def _close(self, comments: list[Suppression]) -> None:
        for comment in comments:
            if comment.covered is not None:
                comment.covered = (comment.covered[0], max(self._last_line, comment.covered[1]))

    def _comment(self, token: tokenize.TokenInfo) -> None:
        for found in _COMMENT.finditer(token.string):
            remark = Remark(token.start[0], token.start[1] + found.start() + 1, "")
            try:
                words = _words(found)
            except ValueError as problem:
                self._mistakes.append(remark._replace(message=str(problem)))
                continue
            if found["verb"] == "ignore":
                self._waiting.append((remark, words))
            elif self._begun or self._first is not None:
                message = "ignore-file must stand before the first statement"
                self._mistakes.append(remark._replace(message=message))
            else:
                self._comments.append(Suppression(remark.line, remark.column, None, words))


def _words(found: re.Match[str]) -> tuple[str, ...]:
    """Return the codes a comment names; says what is wrong with it by a `ValueError`."""
    if found["verb"] not in ("ignore", "ignore-file"):
        raise ValueError(f"unknown comment 'pef: {found['verb']}'; there is ignore and ignore-file")
    if found["list"] is None:
        rest = found.string[found.end() :]
        if rest.lstrip().startswith("["):
            raise ValueError("the list of codes is not closed")
        return (_EVERYTHING,)
    words = tuple(word.strip() for word in found["words"].split(",") if word.strip())
    if not words:
        raise ValueError("the list of codes is empty")
    return words
