"""Reader of "Raises" sections in the styles of Google and NumPy.

They are prose that follows a pattern, so what does not is not an error, and an exception whose
class the module does not see is known by its name. The list is open: it says which exceptions are
no surprise, not that there are no others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pef.contracts.docstring import declared_exception
from pef.contracts.errors import ContractError
from pef.contracts.fields import Line, lines_of
from pef.contracts.form import ClauseKind, RaisesEntry
from pef.contracts.notation import PEF
from pef.contracts.parsing import parse_one
from pef.contracts.placed import PlacedText
from pef.contracts.subject import Reading, Subject

# Few docstrings have such a section, so these are compiled when one is there.
_TITLE = r"\s*Raises?(:?)\s*$"
_UNDERLINE = r"\s*-{3,}\s*$"
_NAMES = r"\s*((?:[~!`]*[^\W\d][\w.]*[`]*)(?:\s*(?:,|\bor\b)\s*[~!`]*[^\W\d][\w.]*`*)*)"
_NAME = r"[^\W\d][\w.]*"


def read(subject: Subject, docstring: PlacedText | None) -> Reading:
    """Reads the exceptions a docstring lists under "Raises"."""
    reading = Reading()
    if docstring is None or "Raise" not in docstring.text:
        return reading
    for name in _listed(docstring):
        entry = _entry(subject, name)
        if entry is not None and all(each.exception != entry.exception for each in reading.raises):
            reading.raises.append(entry)
    return reading


def _listed(docstring: PlacedText) -> Iterator[PlacedText]:
    lines = lines_of(docstring)
    for row, line in enumerate(lines):
        title = re.match(_TITLE, line.text)
        if title is None:
            continue
        below = lines[row + 1 :]
        if title[1]:
            yield from _google(docstring, line, below)
        elif below and re.match(_UNDERLINE, below[0].text):
            yield from _numpy(docstring, line, below[1:])


def _google(docstring: PlacedText, title: Line, below: list[Line]) -> Iterator[PlacedText]:
    """The names before the colons, on the least indented lines of the section."""
    margin = None
    for line in below:
        if not line.text.strip():
            continue
        if line.indent <= title.indent:
            return
        margin = line.indent if margin is None else margin
        if line.indent == margin:
            yield from _names(docstring, line, r"\s*(:|$)")


def _numpy(docstring: PlacedText, title: Line, below: list[Line]) -> Iterator[PlacedText]:
    """The lines as little indented as the title, up to the next title."""
    for line, following in zip(below, [*below[1:], None], strict=True):
        if following is not None and re.match(_UNDERLINE, following.text):
            return
        if line.text.strip() and line.indent <= title.indent:
            yield from _names(docstring, line, r"\s*(:|$)")


def _names(docstring: PlacedText, line: Line, end: str) -> Iterator[PlacedText]:
    match = re.match(_NAMES, line.text)
    if match is None or not re.compile(end).match(line.text, match.end()):
        return
    for name in re.compile(_NAME).finditer(line.text, match.start(1), match.end(1)):
        if name[0] != "or":
            yield docstring.cut(line.start + name.start(), line.start + name.end())


def _entry(subject: Subject, name: PlacedText) -> RaisesEntry | None:
    try:
        exception = declared_exception(subject, parse_one(name))
    except ContractError:
        return None  # a word that is no exception
    always = ast.parse("True", mode="eval").body
    clause = subject.compiler.condition(
        ClauseKind.RAISES, PEF, always, name.text, name.source, name.place(0)
    )
    return RaisesEntry(exception, clause)
