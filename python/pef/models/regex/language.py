"""Which texts a pattern matches, as membership in regular languages.

Whether a pattern matches at all is one question about the whole text. Here a pattern becomes a
formula over regular languages, in which groups and the order of alternatives no longer matter.
Anchors and look-around are resolved by splitting the text around them: "`\\b` here" restricts what
the part before may end with and what the part after may start with.

Back-references, conditions and what is never gone back into are a `NotRegularError`: there the
matcher decides character by character.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any

from pef.models.regex.expressions import (
    NOTHING,
    NotRegularError,
    alternatives,
    bare,
    empties,
    ending,
    fixed_width,
    has_assertion,
    in_order,
    native_pattern,
    repeated,
    single,
    starting,
)
from pef.models.regex.outlook import closed, landmark
from pef.models.regex.syntax import (
    EMPTY,
    Anchor,
    Choice,
    Look,
    Node,
    One,
    Place,
    Repeat,
    Sequence,
    Syntax,
)
from pef.models.regex.units import LINE_FEED, Units
from pef.records import record

_MOST_SPLITS = 300
"""Assertions multiply the formula; one that needs more splits is left to the matcher."""

_MOST_UNROLLED = 4
"""A repeat with assertions in it is written out up to so many times."""


@record(frozen=True)
class Member:
    """The whole text is in the language (a table of the term language)."""

    language: Any


@record(frozen=True)
class Both:
    """All of them hold."""

    parts: tuple[Formula, ...]


@record(frozen=True)
class Either:
    """Any of them holds."""

    parts: tuple[Formula, ...]


@record(frozen=True)
class Not:
    """It does not hold."""

    part: Formula


Formula = Member | Both | Either | Not


@record(frozen=True)
class Question:
    """Where a match is asked for."""

    first: int
    """The first position where it may start."""
    anywhere: bool
    """Whether it may start later, too."""
    whole: bool = False
    """Whether it must reach the end."""
    advance: bool = False
    """Whether an empty match at the first position does not count."""


@lru_cache(maxsize=1024)
def formula(syntax: Syntax, question: Question) -> Formula | None:
    """Which texts have the match, or None if that is not regular."""
    all_units, first = syntax.all_units, question.first
    try:
        root = bare(syntax.root)
        here = text_formula(all_units, first, root, whole=question.whole, advance=question.advance)
        if not question.anywhere:
            return here
        if question.advance:
            return Either((here, _anywhere(all_units, first + 1, root)))
        return _anywhere(all_units, first, root)
    except (NotRegularError, RecursionError):
        return None


@lru_cache(maxsize=1024)
def count_formula(syntax: Syntax, first: int, count: int) -> Formula | None:
    """Which texts have at least `count` matches from `first` on, one after the other.

    None unless each match starts at the next character of a set and ends where the pattern says.
    """
    mark = landmark(syntax.root)
    match = closed(syntax) if mark is not None and len(mark.text) == 1 else None
    if mark is None or match is None:
        return None
    all_units = syntax.all_units
    between = repeated(One(mark.text[0].others(all_units)), 0, None)
    try:
        before = repeated(One(all_units), first, first)
        matches = (between, bare(match)) * (count - 1)
        any_text = repeated(One(all_units), 0, None)
        last = (between, One(mark.text[0]), any_text)
        return _Translator(all_units).resolve((before, *matches, *last))
    except (NotRegularError, RecursionError):
        return None


def text_formula(
    all_units: Units, position: int, node: Node, *, whole: bool, advance: bool
) -> Formula:
    """Which texts match an expression at a position.

    With `whole` the match is up to their end, with `advance` it is not empty.
    """
    before = repeated(One(all_units), position, position)
    after = EMPTY if whole else repeated(One(all_units), 0, None)
    wanted = starting(node, all_units) if advance else node
    return _Translator(all_units).resolve((before, wanted, after))


def _anywhere(all_units: Units, first: int, node: Node) -> Formula:
    before, after = repeated(One(all_units), first, None), repeated(One(all_units), 0, None)
    return _Translator(all_units).resolve((before, node, after))


class _Translator:
    """Turns the expression of a whole text, with assertions in it, into a formula."""

    def __init__(self, all_units: Units) -> None:
        self._all = all_units
        self._splits = 0

    def resolve(self, items: tuple[Node, ...]) -> Formula:
        """Splits at the first assertion, until there is none."""
        flat = in_order(items)
        if isinstance(flat, Choice):
            return self._any([(each,) for each in flat.items])
        parts = flat.items if isinstance(flat, Sequence) else (flat,)
        for index, item in enumerate(parts):
            if has_assertion(item):
                self._splits += 1
                if self._splits > _MOST_SPLITS:
                    raise NotRegularError
                return self._split(parts[:index], item, parts[index + 1 :])
        return Member(native_language(flat))

    def _split(self, before: Items, item: Node, after: Items) -> Formula:
        match item:
            case Anchor():
                return self._any(self._anchored(before, item, after))
            case Look():
                return self._looked(before, item, after)
            case Choice(items):
                return self._any([(*before, each, *after) for each in items])
            case Repeat():
                return self.resolve((*before, _unrolled(item), *after))
            case _:
                raise NotRegularError

    def _any(self, texts: list[Items]) -> Formula:
        possible = [text for text in texts if in_order(text) != NOTHING]
        if not possible:
            return Member(native_language(NOTHING))
        if not any(has_assertion(item) for text in possible for item in text):
            return Member(native_language(alternatives([in_order(text) for text in possible])))
        return Either(tuple(self.resolve(text) for text in possible))

    def _anchored(self, before: Items, anchor: Anchor, after: Items) -> list[Items]:
        """The texts in which the anchor holds, by what is beside it."""
        left, right = Sequence(before), Sequence(after)
        first, last = empties(left), empties(right)
        match anchor.place:
            case Place.START:
                return [(first, *after)]
            case Place.START_OF_LINE:
                return [(alternatives([first, ending(left, LINE_FEED)]), *after)]
            case Place.END:
                return [(*before, last)]
            case Place.END_OR_LAST_LINE_FEED:
                return [(*before, alternatives([last, single(right, LINE_FEED)]))]
            case Place.END_OF_LINE:
                return [(*before, alternatives([last, starting(right, LINE_FEED)]))]
            case Place.BOUNDARY | Place.NO_BOUNDARY:
                return self._at_boundary(left, anchor, right)

    def _at_boundary(self, left: Node, anchor: Anchor, right: Node) -> list[Items]:
        if anchor.word is None:
            raise NotRegularError
        word, other = anchor.word, anchor.word.others(self._all)
        first, last = empties(left), empties(right)
        no_word_after = alternatives([starting(right, other), last])
        no_word_before = alternatives([ending(left, other), first])
        if anchor.place is Place.BOUNDARY:
            return [(ending(left, word), no_word_after), (no_word_before, starting(right, word))]
        return [
            (ending(left, word), starting(right, word)),
            (ending(left, other), no_word_after),
            (first, starting(right, other)),
        ]

    def _looked(self, before: Items, look: Look, after: Items) -> Formula:
        left, right = Sequence(before), Sequence(after)
        if isinstance(look.body, One):
            units = look.body.units if look.wanted else look.body.units.others(self._all)
            beside = [(*before, starting(right, units))]
            if look.back is not None:
                beside = [(ending(left, units), *after)]
            if not look.wanted:
                edge = (*before, empties(right)) if look.back is None else (empties(left), *after)
                beside.append(edge)
            return self._any(beside)
        return self._looked_far(before, look, after)

    def _looked_far(self, before: Items, look: Look, after: Items) -> Formula:
        """A look at more than one character is a second question about the whole text."""
        any_text = repeated(One(self._all), 0, None)
        if look.wanted and look.back is None and in_order(after) == any_text:
            return self.resolve((*before, look.body, any_text))
        if look.wanted and look.back is not None and in_order(before) == any_text:
            return self.resolve((any_text, look.body, *after))
        width = fixed_width(Sequence(before))
        if width is None or (look.back is not None and look.back > width):
            raise NotRegularError
        start = width - (look.back or 0)
        seen = self.resolve((repeated(One(self._all), start, start), look.body, any_text))
        return Both((self.resolve((*before, *after)), seen if look.wanted else Not(seen)))


Items = tuple[Node, ...]


def _unrolled(repeat: Repeat) -> Node:
    """A repeat of few rounds, written out."""
    if repeat.most is None or repeat.most > _MOST_UNROLLED:
        raise NotRegularError
    optional: Node = EMPTY
    for _ in range(repeat.most - repeat.least):
        optional = alternatives([in_order((repeat.body, optional)), EMPTY])
    return in_order((*(repeat.body,) * repeat.least, optional))


@lru_cache(maxsize=1024)
def native_language(node: Node) -> Any:
    """The language of an expression without assertions, as a table of the term language."""
    from pef._native import Language

    try:
        return Language(native_pattern(node))
    except (ValueError, OverflowError):
        raise NotRegularError from None


def truth(question: Formula, text: Any) -> Any:
    """Whether the formula holds for a text: a truth value, symbolic if the text is."""
    from pef._native import __pef_not__, apply

    match question:
        case Member(language):
            return apply("matches", text, table=language)
        case Both(parts):
            return reduce(lambda one, other: one & other, [truth(part, text) for part in parts])
        case Either(parts):
            return reduce(lambda one, other: one | other, [truth(part, text) for part in parts])
        case Not(part):
            return __pef_not__(truth(part, text))
