"""Shapes that are made of other shapes: containers, records, choices; `objects` has the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, zip_longest
from typing import Any

from pef.inputs.recipes import Items, Leaf, Pairs, Recipe
from pef.scout.samples import DEEPEST, Sample, Shape, Source


class Excluded(Exception):  # noqa: N818 - not an error: this value is no input
    """A value that cannot be built, or that its type's constraints forbid."""


class Compound(Shape):
    """A shape whose content is a tuple of samples."""

    def with_parts(self, parts: Sequence[Sample]) -> Sample:
        """A sample of this shape made of these."""
        return Sample(self, tuple(parts))

    def mutate(self, content: Any, source: Source) -> Sample:
        if not content:
            return self.draw(source)
        place = source.random.randrange(len(content))
        return self.with_parts(replaced(content, place, content[place].mutated(source)))

    def smaller(self, content: Any) -> Iterator[Sample]:
        for place, part in enumerate(content):
            for plainer in part.smaller():
                yield self.with_parts(replaced(content, place, plainer))

    def extend(self, content: Any, words: Sequence[str]) -> Iterator[Sample]:
        return _by_turns([self._extend_part(content, each, words) for each in range(len(content))])

    def _extend_part(self, content: Any, place: int, words: Sequence[str]) -> Iterator[Sample]:
        for longer in content[place].extended(words):
            yield self.with_parts(replaced(content, place, longer))

    def weigh(self, content: Any) -> int:
        return 1 + sum(_weights(content))

    def texts(self, content: Any) -> Iterator[str]:
        for part in content:
            yield from part.texts()


def _by_turns(ways: Sequence[Iterator[Sample]]) -> Iterator[Sample]:
    for row in zip_longest(*ways):
        yield from (sample for sample in row if sample is not None)


def _weights(samples: Iterable[Sample]) -> Iterator[int]:
    return (sample.weight() for sample in samples)


def replaced(parts: tuple[Sample, ...], place: int, part: Sample) -> tuple[Sample, ...]:
    """The parts with another one in some place."""
    return (*parts[:place], part, *parts[place + 1 :])


class Product(Compound):
    """A tuple of given parts; the arguments of a call are one."""

    def __init__(self, parts: Sequence[Shape]) -> None:
        self.parts = parts

    def simple(self) -> Sequence[Sample]:
        columns = [part.simple() for part in self.parts]
        return [self.with_parts(row) for row in around(columns)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        return self.with_parts([part.draw(source, level + 1) for part in self.parts])

    def mutate(self, content: Any, source: Source) -> Sample:
        if not content:
            return Sample(self, content)
        places = source.random.sample(range(len(content)), source.random.randint(1, len(content)))
        for place in places[: source.random.choice((1, 1, 2))]:
            fresh = source.random.random() < 0.1
            part = self.parts[place].draw(source) if fresh else content[place].mutated(source)
            content = replaced(content, place, part)
        return self.with_parts(content)

    def recipe(self, content: Any) -> Recipe:
        return Items(tuple, [part.recipe() for part in content])

    def height(self, above: frozenset[int] = frozenset()) -> int:
        return max((part.height(above) for part in self.parts), default=0)


def around(columns: Sequence[Sequence[Sample]]) -> Iterator[tuple[Sample, ...]]:
    """Rows of one value per column: all firsts, all seconds, ..., then one column at a time."""
    if not columns or not all(columns):
        if not columns:
            yield ()
        return
    longest = max(len(column) for column in columns)
    for row in range(longest):
        yield tuple(column[row % len(column)] for column in columns)
    if len(columns) == 1:
        return
    for base in range(2):
        for place, column in enumerate(columns):
            fixed = [other[min(base, len(other) - 1)] for other in columns]
            for value in column:
                yield (*fixed[:place], value, *fixed[place + 1 :])


class Several(Compound):
    """A list, tuple, set or frozenset of any length."""

    def __init__(self, kind: type, item: Shape) -> None:
        self._kind = kind
        self._item = item

    def simple(self) -> Sequence[Sample]:
        items = list(islice(self._item.simple(), 24))
        ones = [self.with_parts([item]) for item in items]
        pairs = [self.with_parts(pair) for pair in pairwise(items)]
        twins = [self.with_parts([item, item]) for item in items[:4]]
        return [self.with_parts([]), *ones, *twins, *pairs]

    def draw(self, source: Source, level: int = 0) -> Sample:
        length = 0 if level >= DEEPEST else source.words.length(source.random)
        return self.with_parts([self._item.draw(source, level + 1) for _ in range(length)])

    def mutate(self, content: Any, source: Source) -> Sample:
        random = source.random
        change = random.randrange(7)
        parts = list(content)
        if change == 0 or not parts:
            parts.insert(random.randint(0, len(parts)), self._item.draw(source, 1))
        elif change == 1:
            del parts[random.randrange(len(parts))]
        elif change == 2:
            parts.insert(random.randint(0, len(parts)), random.choice(parts))
        elif change == 3:
            random.shuffle(parts)
        elif change == 4:
            parts[random.randrange(len(parts))] = self._item.draw(source, 1)
        else:
            return super().mutate(content, source)
        return self.with_parts(parts)

    def smaller(self, content: Any) -> Iterator[Sample]:
        step = len(content)
        while step:
            for start in range(0, len(content), step):
                yield self.with_parts(content[:start] + content[start + step :])
            step //= 2
        yield from super().smaller(content)

    def recipe(self, content: Any) -> Recipe:
        return Items(self._kind, [part.recipe() for part in content])


class Entries(Several):
    """A dict of any size, as a list of pairs."""

    def __init__(self, key: Shape, value: Shape) -> None:
        super().__init__(dict, Product([key, value]))

    def recipe(self, content: Any) -> Recipe:
        pairs = (pair.content for pair in content)
        return Pairs([(key.recipe(), value.recipe()) for key, value in pairs])


class Record(Shape):
    """A dict with known keys, of which some may be missing; content is pairs of key and sample."""

    def __init__(self, required: Mapping[str, Shape], optional: Mapping[str, Shape]) -> None:
        self._required = required
        self._optional = optional
        self._all = {**required, **optional}

    def _sample(self, parts: Mapping[str, Sample]) -> Sample:
        return Sample(self, tuple(parts.items()))

    def simple(self) -> Sequence[Sample]:
        columns = [shape.simple() for shape in self._all.values()]
        rows = [dict(zip(self._all, row, strict=True)) for row in around(columns)]
        bare = [{key: row[key] for key in self._required} for row in rows]
        return [self._sample(row) for row in (*bare[:1], *rows, *bare[1:])]

    def draw(self, source: Source, level: int = 0) -> Sample:
        taken = {
            key: shape.draw(source, level + 1)
            for key, shape in self._all.items()
            if key in self._required or source.random.random() < 0.5
        }
        return self._sample(taken)

    def mutate(self, content: Any, source: Source) -> Sample:
        changed = dict(content)
        key = source.random.choice(list(self._all))
        if key in changed and key in self._optional and source.random.random() < 0.3:
            del changed[key]
        elif key in changed:
            changed[key] = changed[key].mutated(source)
        else:
            changed[key] = self._all[key].draw(source, 1)
        return self._sample(changed)

    def smaller(self, content: Any) -> Iterator[Sample]:
        parts = dict(content)
        for key in parts:
            if key in self._optional:
                yield self._sample({each: parts[each] for each in parts if each != key})
        for key, part in parts.items():
            for plainer in part.smaller():
                yield self._sample({**parts, key: plainer})

    def extend(self, content: Any, words: Sequence[str]) -> Iterator[Sample]:
        parts = dict(content)
        for key, part in parts.items():
            for longer in part.extended(words):
                yield self._sample({**parts, key: longer})

    def recipe(self, content: Any) -> Recipe:
        return Pairs([(Leaf(key), part.recipe()) for key, part in content])

    def weigh(self, content: Any) -> int:
        return 1 + len(content) + sum(_weights(part for _, part in content))

    def texts(self, content: Any) -> Iterator[str]:
        for _, part in content:
            yield from part.texts()

    def height(self, above: frozenset[int] = frozenset()) -> int:
        return max((shape.height(above) for shape in self._required.values()), default=0)


class OneOf(Shape):
    """One of several shapes; its samples are theirs."""

    def __init__(self, alternatives: Sequence[Shape]) -> None:
        self._alternatives = alternatives

    def simple(self) -> Sequence[Sample]:
        columns = [alternative.simple() for alternative in self._alternatives]
        longest = max(len(column) for column in columns)
        return [column[row] for row in range(longest) for column in columns if row < len(column)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        if level >= DEEPEST:
            return min(self._alternatives, key=lambda each: each.height()).draw(source, level)
        return source.random.choice(self._alternatives).draw(source, level)

    def height(self, above: frozenset[int] = frozenset()) -> int:
        return min(each.height(above) for each in self._alternatives)
