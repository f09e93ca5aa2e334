"""From the text of a field to expression trees that stand where the text stands.

The text is parsed by Python itself, inside brackets it cannot leave, so commas and colons in
strings, lambdas, slices and comprehensions are never mistaken for separators. Every node of the
result carries its place in the source file.
"""

from __future__ import annotations

import ast
import re
import warnings

from pef.contracts.errors import ContractError
from pef.contracts.placed import PlacedText
from pef.records import record


@record(frozen=True)
class Item:
    """One expression of a field; `start` and `end` are its indices in the field's text."""

    node: ast.expr
    start: int
    end: int
    body: PlacedText

    @property
    def text(self) -> str:
        """The expression as it was written, on one line. Only as long as the node is untouched."""
        text = self.body.text[self.start : self.end]
        # Joining lines by hand would have to know about comments and strings.
        return ast.unparse(self.node) if "\n" in text else text

    def error(self, message: str, hint: str | None = None) -> ContractError:
        """An error about this expression."""
        return self.body.error(message, self.start, hint)


def parse_list(body: PlacedText) -> list[Item]:
    """The expressions of `a, b, c`."""
    tree, reader = _parse(body, "[", "]")
    if not isinstance(tree, ast.List):
        hint = "put the comprehension in parentheses" if isinstance(tree, ast.ListComp) else None
        raise body.error("expected expressions separated by commas", 0, hint)
    items = [reader.item(node) for node in tree.elts]
    for item in items:
        if isinstance(item.node, ast.Starred):
            raise item.error("'*' cannot be used here")
    _refuse_trailing_comma(body, items[-1].end)
    return items


def parse_entries(body: PlacedText, shape: str) -> list[tuple[Item, Item]]:
    """The pairs of `a: b, c: d`; `shape` says in an error what a pair looks like."""
    hint = f"write {shape}, ..."
    tree, reader = _parse(body, "{", "}", hint)
    if not isinstance(tree, ast.Dict):
        raise body.error(f"expected {shape}", 0, hint)
    entries = []
    for key, value in zip(tree.keys, tree.values, strict=True):
        if key is None:
            raise reader.item(value).error("'**' cannot be used here", hint)
        entries.append((reader.item(key), reader.item(value)))
    _refuse_trailing_comma(body, entries[-1][1].end)
    return entries


def parse_one(body: PlacedText) -> Item:
    """The single expression of the text."""
    items = parse_list(body)
    if len(items) > 1:
        raise items[1].error("expected one expression")
    return items[0]


#: What text between square or curly brackets can be, as long as it stays between them.
_DISPLAYS = (ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Dict, ast.DictComp)


def _parse(
    body: PlacedText, opening: str, closing: str, hint: str | None = None
) -> tuple[ast.expr, _Reader]:
    # A carriage return would count as a line break for the parser but not for the docstring.
    written = opening + body.text.replace("\r", " ") + "\n" + closing
    reader = _Reader(body, written)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(written, mode="eval").body
        except SyntaxError as error:
            raise _syntax_error(body, reader, error, hint) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise body.error(f"cannot parse this: {error}", 0) from None
    if not isinstance(tree, _DISPLAYS):
        # Something like `x], [y`: the text left the brackets and entered new ones.
        raise body.error(f"unmatched '{closing}'", _closes_too_much(body.text, closing))
    if (isinstance(tree, ast.List) and not tree.elts) or (
        isinstance(tree, ast.Dict) and not tree.values
    ):
        raise body.error("expected an expression", 0, hint)
    return tree, reader


class _Reader:
    """Translates the parser's positions into indices of the field's text and into its file."""

    def __init__(self, body: PlacedText, written: str) -> None:
        self._body = body
        self._lines = written.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def index(self, line: int, byte_offset: int) -> int:
        """Index in the body for a line and UTF-8 column of the bracketed text."""
        text = self._lines[min(line, len(self._lines)) - 1]
        return self.character_index(line, len(text.encode()[:byte_offset].decode(errors="replace")))

    def character_index(self, line: int, column: int) -> int:
        """The same for a column in characters."""
        return self._starts[min(line, len(self._lines)) - 1] + column - 1

    def item(self, node: ast.expr) -> Item:
        """The node moved to its place in the file."""
        start = self.index(node.lineno, node.col_offset)
        end = self.index(node.end_lineno or node.lineno, node.end_col_offset or 0)
        for each in ast.walk(node):
            if isinstance(each, (ast.expr, ast.arg, ast.keyword)):
                self._move(each)
        return Item(node, start, end, self._body)

    def _move(self, node: ast.expr | ast.arg | ast.keyword) -> None:
        source = self._body.source
        start = self.index(node.lineno, node.col_offset)
        # Before 3.12 positions inside f-strings can be off; the end must not precede the start.
        end = max(start, self.index(node.end_lineno or 1, node.end_col_offset or 0))
        first, last = self._body.place(start), self._body.place_after(end)
        node.lineno, node.col_offset = first.line, source.byte_offset(first)
        node.end_lineno, node.end_col_offset = last.line, source.byte_offset(last)


def _refuse_trailing_comma(body: PlacedText, end: int) -> None:
    """A comma at the end most often means that the next line lacks its indentation."""
    rest = body.text[end:]
    if "," in rest and "," in re.sub(r"#.*", "", rest):
        hint = "a continuation line must be indented more than its first line"
        at = body.text.index(",", end)
        raise body.error("nothing follows this ','", at, hint)


def _syntax_error(
    body: PlacedText, reader: _Reader, error: SyntaxError, hint: str | None
) -> ContractError:
    at = reader.character_index(error.lineno or 1, (error.offset or 1) - 1)
    message = re.sub(r" \(detected at line \d+\)| on line \d+", "", error.msg or "invalid syntax")
    if message.startswith("unmatched") and at >= len(body.text):
        # The parser blames our closing bracket for the user's, which closed ours.
        at = _closes_too_much(body.text, message[-2])
    elif "does not match opening" in message and at < len(body.text):
        message = f"unmatched '{body.text[at]}'"
    elif at >= len(body.text) or at < 0:
        at, message = len(body.text), "the expression is not complete"
    message = message.replace("dictionary key", "the name")
    return body.error(message, at, hint)


def _closes_too_much(text: str, closing: str) -> int:
    """The index of the bracket in the text that closes one the text did not open."""
    opening = {"]": "[", "}": "{"}[closing]
    for at, char in enumerate(text):
        if char == closing:
            try:
                ast.parse(opening + text[:at] + closing, mode="eval")
            except SyntaxError:
                continue
            return at
    return len(text)
