"""Inputs as trees that can be drawn, mutated, made smaller, built anew and written down.

A `Shape` knows the values of one type: which are simple or nasty, how to draw one, how to change
one a little, what is smaller than it. A `Sample` is one value of a shape. The shapes of scalars are
in `numbers` and `text`, those of the rest in `compound` and `objects`; `forms` chooses them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Protocol

from pef.inputs.recipes import Leaf, Recipe
from pef.records import NamedTuple


class Vocabulary(Protocol):
    """What the code under test seems to know: see `words`."""

    def text(self, random: Random) -> str:
        """A word, or a text some regular expression of the code matches."""

    def number(self, random: Random) -> int | float | None:
        """A number the code mentions."""

    def length(self, random: Random) -> int:
        """How many of something: mostly few, sometimes as many as the code mentions."""

    def character(self, random: Random) -> str:
        """Any character; lone surrogates, which hardly any text has, only late."""

    def neighbour(self, random: Random) -> str:
        """A text that an earlier, interesting input had."""


class Source(NamedTuple):
    """Where the choices of one draw or mutation come from."""

    random: Random
    words: Vocabulary


class Sample(NamedTuple):
    """A value of a shape: a plain value for scalars, else the samples it is made of."""

    shape: Shape
    content: Any

    def recipe(self) -> Recipe:
        """How to build it and how to write it."""
        return self.shape.recipe(self.content)

    def mutated(self, source: Source) -> Sample:
        """A sample near this one."""
        return self.shape.mutate(self.content, source)

    def smaller(self) -> Iterator[Sample]:
        """Simpler samples, boldest first."""
        return self.shape.smaller(self.content)

    def extended(self, words: Sequence[str]) -> Iterator[Sample]:
        """Samples with one of these words added or put in some place."""
        return self.shape.extend(self.content, words)

    def weight(self) -> int:
        """How big the sample is to a reader; what is smaller is shown."""
        return self.shape.weigh(self.content)

    def texts(self) -> Iterator[str]:
        """The texts inside, which other texts can borrow from."""
        return self.shape.texts(self.content)


DEEPEST = 4
"""From this level on, containers are empty and choices take the way that ends soonest."""


class Shape:
    """The values of one type."""

    def simple(self) -> Sequence[Sample]:
        """Values worth trying before anything is known, simplest first."""
        raise NotImplementedError

    def draw(self, source: Source, level: int = 0) -> Sample:
        """A random value."""
        raise NotImplementedError

    def mutate(self, content: Any, source: Source) -> Sample:
        """A value near this one."""
        return self.draw(source)

    def smaller(self, content: Any) -> Iterator[Sample]:
        """Simpler values, boldest first."""
        return iter(())

    def extend(self, content: Any, words: Sequence[str]) -> Iterator[Sample]:
        """Values with one of these words added or put in some place."""
        return iter(())

    def recipe(self, content: Any) -> Recipe:
        """How to build and write this value."""
        return Leaf(content)

    def weigh(self, content: Any) -> int:
        """How big this value is to a reader."""
        return 1

    def texts(self, content: Any) -> Iterator[str]:
        """The texts inside this value."""
        return iter(())

    def height(self, above: frozenset[int] = frozenset()) -> int:
        """How deep the flattest value is; recursive types must stop somewhere."""
        return 0


UNREACHABLE = 1_000
"""The height of a shape that contains itself."""
