"""Finds the `# pef: ignore` comments of a file, and the lines that each of them speaks about.

By the tokenizer, so text that looks like a comment is left alone.
"""

from __future__ import annotations

import io
import re
import tokenize

from pef.checking.suppress import EVERYTHING, Remark, Suppression

Found = tuple[list[Suppression], list[Remark]]
"""The comments, and mistakes in them."""

_COMMENT = re.compile(r"#\s*pef:\s*(?P<verb>[\w-]*)(?P<list>\s*\[(?P<words>[^\]#]*)\])?")
_LAYOUT = frozenset(
    {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
)


def read(source: str) -> Found:
    """Find the comments of a source text."""
    reader = _Reader()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            reader.see(token)
    except (tokenize.TokenError, SyntaxError):
        pass  # Whoever parses the file says so; comments up to here are known.
    return reader.result()


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

    def result(self) -> Found:
        """Return what was found; blocks that are still open end with the text."""
        for comments in [self._opening, *self._blocks]:
            self._close(comments)
        return self._comments, self._mistakes

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
        return (EVERYTHING,)
    words = tuple(word.strip() for word in found["words"].split(",") if word.strip())
    if not words:
        raise ValueError("the list of codes is empty")
    return words
