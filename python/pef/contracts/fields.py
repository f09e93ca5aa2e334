"""Docstring fields: which lines of a docstring belong together, and under which keyword.

Knows the shape `:keyword: text` and `:keyword argument: text`, continuation lines, and which
lines merely look like a contract and are therefore errors. What the text means is for the readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pef.contracts.errors import did_you_mean
from pef.contracts.placed import PlacedText
from pef.records import record

#: Keywords of PEF's own syntax and the one each stands for.
CONTRACT_KEYWORDS = {
    "type": "type",
    "types": "type",
    "assume": "assume",
    "ensure": "ensure",
    "ensures": "ensure",
    "raises": "raises",
}

#: Keywords of class docstrings.
CLASS_KEYWORDS = {"invariant": "invariant", "invariants": "invariant"}

#: Sphinx fields that declare something when they carry an argument.
SPHINX_KEYWORDS = {
    "type": "type",
    "raises": "raises",
    "raise": "raises",
    "except": "raises",
    "exception": "raises",
}

#: Fields of Sphinx and of other issues of PEF: never a misspelt contract.
_OTHER_FIELDS = frozenset(
    {
        "param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam", "var",
        "ivar", "cvar", "vartype", "except", "exception", "return", "returns", "rtype", "yield",
        "yields", "ytype", "meta",
    }
)  # fmt: skip

_NAME = re.compile(r":([A-Za-z_]+)")
_STARTS_CONTRACT = re.compile(r"\s*:(?:types?|assume|ensures?|raises|invariants?)[\s:]")


@record(frozen=True)
class Field:
    """A field of a docstring; `argument` is None in PEF's own syntax.

    `keyword` is the canonical one (`ensure` for `:ensures:`).
    """

    keyword: str
    argument: PlacedText | None
    body: PlacedText


@record(frozen=True)
class Line:
    """A line of a docstring and where its text stands in it."""

    start: int
    end: int
    indent: int
    text: str


def split_fields(docstring: PlacedText) -> list[Field]:
    """The contract fields of a function's docstring, in order.

    A line that only resembles one is an error. A field goes on over more-indented lines, blank ones
    between them included (as in reStructuredText), and over lines joined by a backslash.
    """
    return _split(docstring, _field)


def split_class_fields(docstring: PlacedText) -> list[Field]:
    """The contract fields of a class docstring; all others in it are for people."""
    return _split(docstring, _class_field)


def _split(docstring: PlacedText, read: Callable[[PlacedText], Field | None]) -> list[Field]:
    lines = lines_of(docstring)
    fields = []
    row = 0
    while row < len(lines):
        if not lines[row].text.lstrip().startswith(":"):
            row += 1
            continue
        last = last_row(lines, row)
        field = read(docstring.cut(lines[row].start, lines[last].end).strip())
        if field is not None:
            fields.append(field)
        row = row + 1 if field is None else last + 1
    return fields


def _field(text: PlacedText) -> Field | None:
    """The field the text starts with, if it is one that declares something."""
    match = _NAME.match(text.text)
    if match is None:
        return None
    name, after = match[1], match.end()
    following = text.text[after : after + 1]
    if following == ":":
        if text.text.startswith("`", after + 1):
            return None  # a Sphinx role such as :class:`Point`
        if name in CLASS_KEYWORDS:
            raise text.error(f"':{name}:' belongs in the docstring of a class", 0)
        if name not in CONTRACT_KEYWORDS:
            _refuse_misspelt(name, text, CONTRACT_KEYWORDS)
            return None
        return Field(CONTRACT_KEYWORDS[name], None, _body(name, text, after + 1))
    if name in SPHINX_KEYWORDS and following.isspace():
        return _sphinx_field(name, after, text)
    if name in CONTRACT_KEYWORDS:
        raise text.error(f"expected ':' after ':{name}'", after, f"write ':{name}: ...'")
    return None


def _class_field(text: PlacedText) -> Field | None:
    match = _NAME.match(text.text)
    if match is None or text.text[match.end() : match.end() + 1] != ":":
        return None
    name, after = match[1], match.end() + 1
    if name not in CLASS_KEYWORDS:
        _refuse_misspelt(name, text, CLASS_KEYWORDS)
        return None
    return Field(CLASS_KEYWORDS[name], None, _body(name, text, after))


def _body(name: str, text: PlacedText, start: int) -> PlacedText:
    body = text.cut(start, len(text.text)).strip()
    if not body.text:
        raise text.error(f"':{name}:' is empty", 0)
    return body


def _sphinx_field(name: str, after: int, text: PlacedText) -> Field | None:
    line_end = (text.text + "\n").index("\n")
    colon = text.text.find(":", after, line_end)
    if colon < 0 or not text.text[after:colon].strip():
        if name not in CONTRACT_KEYWORDS:
            return None  # prose that happens to start with ':raise '
        hint = f"write ':{name}: ...', or ':{name} NAME: ...' as in Sphinx"
        raise text.error(f"':{name}' lacks its second ':'", after, hint)
    argument = text.cut(after, colon).strip()
    body = text.cut(colon + 1, len(text.text)).strip()
    return Field(SPHINX_KEYWORDS[name], argument, body)


def _refuse_misspelt(name: str, text: PlacedText, keywords: dict[str, str]) -> None:
    """A contract must not be lost to a typo: `:asume:` is an error, `:rtype:` is not."""
    if name in _OTHER_FIELDS:
        return
    hint = did_you_mean(name.lower(), list(keywords), cutoff=0.8)
    if hint is not None:
        raise text.error(f"unknown field ':{name}:'", 1, hint)


def lines_of(docstring: PlacedText) -> list[Line]:
    """The lines of a docstring with their indentation in the file."""
    lines = []
    start = 0
    for text in docstring.text.split("\n"):
        indent = _width(text)
        lines.append(Line(start, start + len(text), indent, text))
        start += len(text) + 1
    first = lines[0]
    lines[0] = Line(0, first.end, _first_indent(docstring, lines), first.text)
    return lines


def _first_indent(docstring: PlacedText, lines: list[Line]) -> int:
    """The first line follows the opening quotes; it counts as indented like the line of those."""
    opening = docstring.place(0)
    if len(lines) > 1 and docstring.place(lines[1].start).line == opening.line:
        return 0  # a one-line literal with \n escapes: the value alone says what is indented
    line = docstring.source.line(opening.line)
    if line[: opening.column - 1].strip():
        return _width(line)
    if lines[0].indent:
        return lines[0].indent  # the quotes were followed by an escaped line break
    # No source file: the closing line or the least indented one shows the margin.
    rest = [line for row, line in enumerate(lines[1:], 2) if line.text.strip() or row == len(lines)]
    return min((line.indent for line in rest), default=0)


def _width(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def last_row(lines: list[Line], first: int) -> int:
    """The last line of the field that starts on line `first`."""
    last = first
    for row in range(first + 1, len(lines)):
        line = lines[row]
        if row - 1 == last and lines[last].text.endswith("\\"):
            last = row
        elif line.text.strip():
            if line.indent <= lines[first].indent or _STARTS_CONTRACT.match(line.text):
                break
            last = row
    return last
