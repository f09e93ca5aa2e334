"""All matches of a pattern in symbolic text: `finditer` and what is built on it.

Where one match ends the next search begins. If whether there is a next match can be asked of the
whole text, the ends may stay terms; else they are plain numbers, and each is decided.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from pef import _native
from pef._native import apply, decide, is_symbolic, pinned
from pef.models.regex import templates
from pef.models.regex.finding import Finder, GaveUpError, settled
from pef.models.regex.guided import Located
from pef.models.regex.matched import SymMatch


class Scan:
    """The matches of a pattern in a text between two positions."""

    def __init__(self, finder: Finder, string: Any, end: int | None) -> None:
        self.finder = finder
        self.pattern = finder.pattern
        self.string = string
        self.end = end
        """As it was given, if it was."""

    def matches(self) -> Iterator[Any]:
        """Each match, as CPython finds them."""
        count = 0
        try:
            for match in self._symbolic_matches():
                yield match
                count += 1
        except GaveUpError:
            plain = pinned(self.string, "re.Pattern.finditer")
            limits = () if self.end is None else (self.end,)
            yield from islice(self.pattern.finditer(plain, self.finder.pos, *limits), count, None)

    def _symbolic_matches(self) -> Iterator[SymMatch]:
        finder, origin = self.finder, 0
        position, advance = self.finder.pos, False
        for count in itertools.count(1):
            exists = self.finder.has_matches(count)
            if exists is False:
                return
            find = finder.first_start if exists is None else finder.known_start
            start = find(position, advance=advance)
            if start is None:
                return
            located = finder.spans_at(start, advance=advance and start == position)
            yield self.match(_shifted(located, origin))
            end = located[0][0][1]
            advance = finder.may_be_empty() and decide(end == start, "domain")
            if exists and is_symbolic(end):
                finder, origin, position = finder.after(end), origin + end, 0
            else:
                position = settled(end)

    def match(self, located: Located) -> SymMatch:
        """The match object for known spans."""
        return found_match(self.finder, self.string, lambda: located, _never)

    def slice(self, start: Any, end: Any = None) -> Any:
        """A part of the text."""
        last = apply("length", self.finder.text) if end is None else end
        return apply("slice", self.finder.text, start, last)


def _shifted(located: Located, origin: Any) -> Located:
    spans, last_group = located
    moved = [
        (start, end) if not is_symbolic(start) and start < 0 else (origin + start, origin + end)
        for start, end in spans
    ]
    return moved, last_group


def _never(string: Any) -> re.Match[Any] | None:
    return None


def found_match(
    finder: Finder,
    string: Any,
    locate: Callable[[], Located],
    real: Callable[[Any], re.Match[Any] | None],
) -> SymMatch:
    """A match object of a finder's text."""
    range_ = finder.pos, apply("length", finder.text)
    return SymMatch(finder.pattern, string, range_, locate, real)


def find_all(scan: Scan) -> list[Any]:
    """As `re.Pattern.findall`."""
    groups = scan.pattern.groups
    empty = scan.slice(0, 0)
    if groups == 0:
        return [match.group() for match in scan.matches()]
    if groups == 1:
        return [match.groups(empty)[0] for match in scan.matches()]
    return [match.groups(empty) for match in scan.matches()]


def split(scan: Scan, most: int) -> list[Any]:
    """As `re.Pattern.split`."""
    parts: list[Any] = []
    last = 0
    if most >= 0:
        for match in islice(scan.matches(), most or None):
            start, end = match.span()
            parts += [scan.slice(last, start), *match.groups()]
            last = end
    return [*parts, scan.slice(last)]


def substitute(scan: Scan, replacement: Any, most: int) -> tuple[Any, int]:
    """As `re.Pattern.subn`."""
    make = _maker(scan, replacement)
    texts: list[Any] = []
    last: Any = 0
    count = 0
    if most >= 0:
        for match in islice(scan.matches(), most or None):
            start, end = match.span()
            made = make(match)
            texts += [scan.slice(last, start), scan.slice(0, 0) if made is None else made]
            last = end
            count += 1
    if not count:
        return scan.string, 0
    _check_items(texts)
    return templates.joined(scan.slice(0, 0), [*texts, scan.slice(last)]), count


def _maker(scan: Scan, replacement: Any) -> Callable[[Any], Any]:
    if callable(replacement):
        maker: Callable[[Any], Any] = _native.__pef_sel__(replacement)
        return maker
    parts = templates.read(replacement, scan.pattern)
    return lambda match: templates.filled(parts, match)


def _check_items(texts: list[Any]) -> None:
    """What is not text is CPython's own error; it does not count what is empty between matches."""
    base = bytes if isinstance(texts[0], bytes) else str
    if not all(isinstance(text, base) for text in texts):
        plain = [_native.concrete(text) for text in texts]
        gaps, made = plain[::2], plain[1::2]
        items = [item for pair in zip(gaps, made, strict=True) for item in pair]
        base().join(item for index, item in enumerate(items) if index % 2 or item)
