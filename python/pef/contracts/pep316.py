"""Reader of PEP 316 docstrings, as CrossHair reads them: `pre:`, `post:`, `raises:`, `inv:`.

A `post:` is about the moment of return: a parameter's name means its value then, `__old__.x` its
value at entry, `_` and `__return__` the result. `post[x]:` adds that no other argument was changed.
A function with any of these lines has a closed contract on exceptions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pef.contracts.compiling import truth, written_at
from pef.contracts.docstring import resolve_exception
from pef.contracts.errors import ContractError, did_you_mean
from pef.contracts.fields import last_row, lines_of
from pef.contracts.form import Clause, ClauseKind, RaisesEntry
from pef.contracts.naming import live_name
from pef.contracts.notation import PEP316
from pef.contracts.parsing import Item, parse_list, parse_one
from pef.contracts.placed import PlacedText
from pef.contracts.subject import Reading, Subject
from pef.records import record

_DIRECTIVE = re.compile(r"\s*(pre|post|raises|inv)(\[[^\]\n]*\])?:(?![:=])")

_KINDS = {"pre": ClauseKind.ASSUME, "post": ClauseKind.ENSURE}


@record(frozen=True)
class Directive:
    """A keyword, what stands in brackets behind it, and its expressions."""

    keyword: str
    brackets: PlacedText | None
    head: PlacedText
    bodies: tuple[PlacedText, ...]

    def refuse_empty(self) -> None:
        """A keyword without an expression is half a contract."""
        if not self.bodies:
            raise self.head.error(f"'{self.head.text}' is empty")


def read(subject: Subject, docstring: PlacedText | None) -> Reading:
    """Reads the lines of a function's docstring that start with a keyword."""
    reading = Reading()
    if docstring is None or not _DIRECTIVE.search(docstring.text):
        return reading
    # "pre: the text before" documents a parameter of that name.
    named = [each for each in directives(docstring) if each.keyword not in subject.parameters]
    found = [each for each in named if each.keyword != "inv"]
    if not found or _is_prose(found):
        return reading
    reading.closed_at = found[0].head.place(0)
    for directive in found:
        directive.refuse_empty()
        if directive.keyword == "raises":
            _read_raises(subject, directive, reading)
            continue
        kind = _KINDS[directive.keyword]
        clauses = reading.assumes if kind is ClauseKind.ASSUME else reading.ensures
        clauses += [
            subject.compiler.clause(kind, parse_one(body), PEP316) for body in directive.bodies
        ]
        if directive.brackets is not None:
            clauses += _unchanged(subject, directive, directive.brackets)
    return reading


def directives(docstring: PlacedText) -> Iterator[Directive]:
    """Every keyword that starts a line, with the expressions it introduces.

    An expression on the line of the keyword goes on over more-indented lines. Without one, each of
    the indented lines below is an expression of its own.
    """
    lines = lines_of(docstring)
    row = 0
    while row < len(lines):
        match = _DIRECTIVE.match(lines[row].text)
        if match is None:
            row += 1
            continue
        last = last_row(lines, row)
        start, end = lines[row].start, lines[last].end
        head = docstring.cut(start, start + match.end()).strip()
        body = docstring.cut(start + match.end(), end).strip()
        bodies = [body] if body.text else []
        if not lines[row].text[match.end() :].strip():
            bodies = list(_expressions(docstring, row + 1, last))
        brackets = None
        if match[2] is not None:
            brackets = docstring.cut(start + match.start(2) + 1, start + match.end(2) - 1).strip()
        yield Directive(match[1], brackets, head, tuple(bodies))
        row = last + 1


def _expressions(docstring: PlacedText, first: int, last: int) -> Iterator[PlacedText]:
    """One expression per line; lines that are indented further continue the one above."""
    lines = lines_of(docstring)
    row = first
    while row <= last:
        if not lines[row].text.strip():
            row += 1
            continue
        end = min(last_row(lines, row), last)
        yield docstring.cut(lines[row].start, lines[end].end).strip()
        row = end + 1


def _is_prose(found: list[Directive]) -> bool:
    """Whether this is a sentence about exceptions: `raises: ValueError if x is negative`."""
    if any(each.keyword != "raises" for each in found):
        return False
    if not all(each.bodies for each in found):
        return True
    try:
        for each in found:
            for body in each.bodies:
                parse_list(body)
    except ContractError:
        return True
    return False


def _read_raises(subject: Subject, directive: Directive, reading: Reading) -> None:
    if directive.brackets is not None:
        raise directive.brackets.error("'raises' takes no brackets")
    for body in directive.bodies:
        for key in parse_list(body):
            exception = resolve_exception(subject, key)
            always = ast.copy_location(ast.Constant(True), key.node)
            item = Item(always, key.start, key.end, key.body)
            clause = subject.compiler.clause(ClauseKind.RAISES, item, PEP316)
            reading.raises.append(RaisesEntry(exception, clause))


def _unchanged(subject: Subject, directive: Directive, brackets: PlacedText) -> Iterator[Clause]:
    """That every argument not in the brackets is as it was."""
    if directive.keyword != "post":
        raise brackets.error(f"'{directive.keyword}' takes no brackets")
    changed = set()
    for key in parse_list(brackets) if brackets.text else ():
        if not isinstance(key.node, ast.Name) or key.node.id not in subject.parameters:
            hint = did_you_mean(key.text, list(subject.parameters))
            raise key.error(f"'{subject.function.__name__}' has no parameter '{key.text}'", hint)
        changed.add(key.node.id)
    place = directive.head.place(0)
    source = directive.head.source
    for name in subject.parameters:
        if name in changed:
            continue
        # The entry value is the object itself unless its parts changed.
        now = live_name(name)
        test = written_at(f"{name} is {now} or {name} == {now}", source, place)
        yield Clause(
            ClauseKind.ENSURE,
            f"{name} is not changed",
            source.file,
            place.line,
            place.column,
            subject.compiler.expression(truth(test), (name, now), "post"),
            keyword=directive.head.text,
        )
