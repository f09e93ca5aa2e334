"""The vocabulary of the code that runs, and how a word of it is chosen.

Words come in groups, one for each function reached. A group is chosen first, so a table of a
thousand names does not drown three separators. Functions reached lately, and those that the input
being changed was first to reach, are asked more often: what is missing is usually mentioned there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from pef.records import field, record
from pef.scout.patterns import Pattern
from pef.scout.text import NASTY, NOTATIONS

_RECENT = 10
_MOST_NEIGHBOURS = 400
_FEW = (0, 1, 1, 1, 2, 2, 2, 3, 3, 4)
_LARGEST_LENGTH = 40
_MOST_NEAR = 60
_SURROGATES_AFTER = 500
_ALWAYS_NEAR = ("0", "a", " ", "\n", "-1", ",", "/", ":", "=", "(", ")", "[", "]", '"', "'", "\\")


@record
class Group:
    """What one function mentions."""

    texts: list[str] = field(default_factory=list)
    numbers: list[int | float] = field(default_factory=list)
    patterns: list[Pattern] = field(default_factory=list)
    tables: list[list[str]] = field(default_factory=list)
    """Texts that were found together in a container."""

    def says_something(self) -> bool:
        """Whether there is a text to be had here."""
        return bool(self.texts or self.patterns or self.tables)

    def text(self, random: Random) -> str:
        """One of the words, or a text for one of the regular expressions."""
        kind = random.random()
        if self.patterns and (kind < 0.35 or not (self.texts or self.tables)):
            return random.choice(self.patterns).text(random, lambda: self.word(random))
        return self.word(random)

    def word(self, random: Random) -> str:
        """One of the words; nothing if there are none."""
        if self.tables and (not self.texts or random.random() < 0.4):
            return random.choice(random.choice(self.tables))
        return random.choice(self.texts) if self.texts else ""


class Words:
    """All groups so far. Order of arrival is order of reaching, so draws are deterministic."""

    def __init__(self) -> None:
        self._speaking: list[Group] = []
        self._around: list[Group] = []
        self._numbers: list[int | float] = []
        self._lengths: list[int] = []
        self._neighbours: list[str] = []
        self._focus: Sequence[Group] = ()
        self._characters = 0

    def learn(self, group: Group) -> None:
        """A function was reached for the first time."""
        if group.says_something():
            self._speaking.append(group)
        fresh = [number for number in group.numbers if number not in self._numbers]
        self._numbers += fresh
        self._lengths += [
            number for number in fresh if isinstance(number, int) and 0 <= number <= _LARGEST_LENGTH
        ]

    def learn_around(self, groups: Iterable[Group]) -> None:
        """Modules near what was reached."""
        self._around += [group for group in groups if group.says_something()]

    def remember(self, texts: Iterable[str]) -> None:
        """Texts of an interesting input, for others to borrow from."""
        self._neighbours += [text for text in texts if text]
        del self._neighbours[:-_MOST_NEIGHBOURS]

    def concentrate(self, groups: Sequence[Group]) -> None:
        """Until the next call, prefer the words of these groups."""
        self._focus = [group for group in groups if group.says_something()]

    def near(self, groups: Sequence[Group]) -> list[str]:
        """Some words to try one by one after those groups did something new."""
        chosen: dict[str, None] = {}
        for group in (*groups, *self._speaking[:1]):
            chosen.update(dict.fromkeys(group.texts[:_MOST_NEAR]))
            for table in group.tables:
                chosen.update(dict.fromkeys(table[:_MOST_NEAR]))
        chosen.update(dict.fromkeys(_ALWAYS_NEAR))
        return list(chosen)[:_MOST_NEAR]

    def text(self, random: Random) -> str:
        """A word, or a text some regular expression of the code matches."""
        kind = random.random()
        if self._focus and kind < 0.45:
            return random.choice(self._focus).text(random)
        if self._speaking and kind < 0.6:
            return random.choice(self._speaking[-_RECENT:]).text(random)
        if self._speaking and kind < 0.68:
            return random.choice(self._speaking[:2]).text(random)
        if self._speaking and kind < 0.82:
            return random.choice(self._speaking).text(random)
        if self._around and kind < 0.95:
            return random.choice(self._around).text(random)
        return random.choice(NASTY if random.random() < 0.5 else NOTATIONS)

    def number(self, random: Random) -> int | float | None:
        """A number the code mentions."""
        return random.choice(self._numbers) if self._numbers else None

    def length(self, random: Random) -> int:
        """How many of something: mostly few, sometimes as many as the code mentions."""
        kind = random.random()
        if kind < 0.7 or not self._lengths:
            return random.choice(_FEW)
        return max(0, random.choice(self._lengths) + random.choice((0, 0, 0, 0, 0, 0, 1, -1)))

    def character(self, random: Random) -> str:
        """Any character; lone surrogates, which hardly any text has, only late."""
        self._characters += 1
        points = [random.randrange(128), random.randrange(0x3000), 0x1F600]
        if self._characters > _SURROGATES_AFTER:
            points.append(0xD800)
        return chr(random.choice(points))

    def neighbour(self, random: Random) -> str:
        """A text that an earlier, interesting input had."""
        return random.choice(self._neighbours) if self._neighbours else self.text(random)
