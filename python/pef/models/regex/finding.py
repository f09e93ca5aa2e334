"""Finding a match in symbolic text: first whether there is one, then where.

Whether is one decision where the pattern is regular. Where is asked only when somebody wants to
know, and costs no decision where the pattern leaves no choice.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from pef._native import apply, concrete, decide, is_symbolic
from pef.models.regex.expressions import NotRegularError
from pef.models.regex.guided import Guide, Located, Spans
from pef.models.regex.language import Question, count_formula, formula, truth
from pef.models.regex.matcher import Found, Matcher, TooMuchWorkError
from pef.models.regex.outlook import Landmark, landmark, may_be_empty
from pef.models.regex.program import Program, program_of
from pef.models.regex.subject import SymbolicSubject
from pef.models.regex.syntax import (
    Anchor,
    Node,
    Place,
    Sequence,
    Syntax,
    UnmodelledError,
    syntax_of,
)
from pef.models.regex.units import native

_MOST_STEPS = 50_000


class GaveUpError(Exception):
    """CPython has to do it, on plain text."""


class Finder:
    """Looks for a pattern in text: between `pos` and the end of the text."""

    def __init__(self, pattern: re.Pattern[Any], text: Any, pos: int) -> None:
        self.pattern = pattern
        self.text = text
        self.pos = pos
        try:
            self._syntax, program = _read(pattern)
        except UnmodelledError:
            raise GaveUpError from None
        self._subject = SymbolicSubject(text, self._syntax.all_units)
        self._matcher = Matcher(program, self._syntax.groups, self._subject, _MOST_STEPS)

    def asked(self, question: Question) -> bool | None:
        """Whether there is such a match, as one decision; None if that cannot be asked."""
        wanted = formula(self._syntax, question)
        if wanted is None:
            return None
        return decide(truth(wanted, self.text), "domain")

    def spans_at(self, start: Any, *, whole: bool = False, advance: bool = False) -> Located:
        """Where the match at `start` lies, which is known to exist; terms where possible."""
        guide = Guide(self._syntax, self.text, start, whole=whole, advance=advance)
        try:
            found = guide.located()
        except NotRegularError:
            matched = self.match_at(settled(start), whole=whole, advance=advance)
            if matched is None:
                raise GaveUpError from None
            return matched
        if not advance:
            self._check(start, whole, found)
        return found

    def match_at(self, start: int, *, whole: bool = False, advance: bool = False) -> Located | None:
        """The match at `start`, at plain positions; characters are decided one by one."""
        try:
            matched = self._matcher.match(start, whole=whole, advance=advance)
        except TooMuchWorkError:
            raise GaveUpError from None
        found = None if matched is None else (_spans(matched), matched.last_group)
        if not advance:
            self._check(start, whole, found)
        return found

    def _check(self, start: Any, whole: bool, found: Located | None) -> None:
        """CPython must find the same in the plain text of this run; it has a few quirks."""
        method = self.pattern.fullmatch if whole else self.pattern.match
        try:
            theirs = method(concrete(self.text), concrete(start))
        except SystemError:
            # "The span of capturing group is wrong": a quirk that CPython itself notices.
            raise GaveUpError from None
        ours = found and (tuple((concrete(a), concrete(b)) for a, b in found[0]), found[1])
        if ours != (theirs and (theirs.regs, theirs.lastindex)):
            raise GaveUpError

    def first_start(self, first: int, *, advance: bool = False) -> Any:
        """Where the first match from `first` on starts; None if there is none."""
        exists = self.asked(Question(first, anywhere=True, advance=advance))
        if exists is None:
            return self._tried_start(first, advance)
        return self.known_start(first, advance=advance) if exists else None

    def has_matches(self, count: int) -> bool | None:
        """Whether there are so many matches, as one decision; None if that cannot be asked."""
        wanted = count_formula(self._syntax, self.pos, count)
        return None if wanted is None else decide(truth(wanted, self.text), "domain")

    def known_start(self, first: int, *, advance: bool = False) -> Any:
        """As `first_start`, where it is known that there is a match; a term if possible."""
        mark = landmark(self._syntax.root)
        if mark is not None:
            return self._start_of(mark, first)
        start = first
        while not self.asked(Question(start, anywhere=False, advance=advance and start == first)):
            start += 1
        return start

    def _start_of(self, mark: Landmark, first: int) -> Any:
        if len(mark.text) == 1:
            others = mark.text[0].others(self._syntax.all_units)
            tail = apply("slice", self.text, first, apply("length", self.text))
            return first + apply("span", tail, table=native(others))
        codes = [units.ranges[0][0] for units in mark.text]
        wanted = "".join(map(chr, codes)) if isinstance(self.text, str) else bytes(codes)
        return apply("find", self.text, wanted, first)

    def may_be_empty(self) -> bool:
        """Whether a match may have no characters."""
        return may_be_empty(self._syntax)

    def after(self, position: Any) -> Finder:
        """Looks in what is behind a position."""
        tail = apply("slice", self.text, position, apply("length", self.text))
        return Finder(self.pattern, tail, 0)

    def _tried_start(self, first: int, advance: bool) -> int | None:
        start = first
        while self.match_at(start, advance=advance and start == first) is None:
            if _is_at_start(self._syntax.root) or not self._subject.has(start):
                return None
            start += 1
        return start


def _spans(matched: Found) -> Spans:
    return list(matched.spans())


@lru_cache(maxsize=256)
def _read(pattern: re.Pattern[Any]) -> tuple[Syntax, Program]:
    syntax = syntax_of(pattern)
    return syntax, program_of(syntax.root)


def _is_at_start(node: Node) -> bool:
    """Whether it matches nowhere but at the start of the text."""
    match node:
        case Anchor(Place.START):
            return True
        case Sequence((first, *_)):
            return _is_at_start(first)
        case _:
            return False


def settled(position: Any) -> int:
    """A plain number for a position: which one is decided."""
    if not is_symbolic(position):
        return int(position)
    number = 0
    while not decide(position == number, "domain"):
        number += 1
    return number


def clamped(text: Any, pos: int) -> int:
    """A start position that is not behind the end of the text."""
    if pos <= 0:
        return 0
    length = apply("length", text)
    if decide(length >= pos, "domain"):
        return pos
    end = 0
    while decide(length > end, "domain"):
        end += 1
    return end
