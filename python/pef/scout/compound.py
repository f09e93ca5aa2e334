"""Shapes that are made of other shapes: containers, choices, objects, functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, zip_longest
from typing import Any

from pef.contracts.contract import Contract
from pef.inputs.recipes import Construction, Items, Leaf, Names, Pairs, Recipe
from pef.scout.samples import DEEPEST, UNREACHABLE, Sample, Shape, Source


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
        return self.with_parts(_replaced(content, place, content[place].mutated(source)))

    def smaller(self, content: Any) -> Iterator[Sample]:
        for place, part in enumerate(content):
            for plainer in part.smaller():
                yield self.with_parts(_replaced(content, place, plainer))

    def extend(self, content: Any, words: Sequence[str]) -> Iterator[Sample]:
        ways = [
            (self.with_parts(_replaced(content, place, longer)) for longer in part.extended(words))
            for place, part in enumerate(content)
        ]
        return _by_turns(ways)

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


def _replaced(parts: tuple[Sample, ...], place: int, part: Sample) -> tuple[Sample, ...]:
    return (*parts[:place], part, *parts[place + 1 :])


class Product(Compound):
    """A tuple of given parts; the arguments of a call are one."""

    def __init__(self, parts: Sequence[Shape]) -> None:
        self.parts = parts

    def simple(self) -> Sequence[Sample]:
        columns = [part.simple() for part in self.parts]
        return [self.with_parts(row) for row in _around(columns)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        return self.with_parts([part.draw(source, level + 1) for part in self.parts])

    def mutate(self, content: Any, source: Source) -> Sample:
        if not content:
            return Sample(self, content)
        places = source.random.sample(range(len(content)), source.random.randint(1, len(content)))
        for place in places[: source.random.choice((1, 1, 2))]:
            fresh = source.random.random() < 0.1
            part = self.parts[place].draw(source) if fresh else content[place].mutated(source)
            content = _replaced(content, place, part)
        return self.with_parts(content)

    def recipe(self, content: Any) -> Recipe:
        return Items(tuple, [part.recipe() for part in content])

    def height(self, above: frozenset[int] = frozenset()) -> int:
        return max((part.height(above) for part in self.parts), default=0)


def _around(columns: Sequence[Sequence[Sample]]) -> Iterator[tuple[Sample, ...]]:
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
        rows = [dict(zip(self._all, row, strict=True)) for row in _around(columns)]
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


class Instance(Compound):
    """What a class makes of arguments; their shapes are given later, for it may hold itself."""

    def __init__(self, maker: Callable[..., Any], contract: Contract | None = None) -> None:
        self._maker = maker
        self._contract = contract
        self.positional: list[tuple[str, Shape]] = []
        self.named: list[tuple[str, Shape]] = []
        self._listing = False

    def _parts(self) -> list[Shape]:
        return [shape for _, shape in (*self.positional, *self.named)]

    def simple(self) -> Sequence[Sample]:
        if self._listing:
            return []
        self._listing = True
        try:
            columns = [part.simple()[:60] for part in self._parts()]
        finally:
            self._listing = False
        return [self.with_parts(row) for row in islice(_around(columns), 200)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        if level > 3 * DEEPEST:
            raise Excluded
        return self.with_parts([part.draw(source, level + 1) for part in self._parts()])

    def mutate(self, content: Any, source: Source) -> Sample:
        if not content:
            return Sample(self, content)
        place = source.random.randrange(len(content))
        fresh = source.random.random() < 0.2
        part = self._parts()[place].draw(source, 1) if fresh else content[place].mutated(source)
        return self.with_parts(_replaced(content, place, part))

    def recipe(self, content: Any) -> Recipe:
        parts = [part.recipe() for part in content]
        count = len(self.positional)
        names = [name for name, _ in self.named]
        args, kwargs = parts[:count], dict(zip(names, parts[count:], strict=True))
        if self._contract is None:
            return Construction(self._maker, args, kwargs)
        taken = [name for name, _ in self.positional]
        return _Contracted(self._maker, args, kwargs, self._contract, taken)

    def height(self, above: frozenset[int] = frozenset()) -> int:
        if id(self) in above:
            return UNREACHABLE
        below = above | {id(self)}
        return 1 + max((part.height(below) for part in self._parts()), default=0)


@dataclass
class _Contracted(Construction):
    """An object whose constructor assumes something of its arguments."""

    contract: Contract
    taken: list[str]

    def value(self) -> Any:
        args = [part.value() for part in self.args]
        kwargs = {name: part.value() for name, part in self.kwargs.items()}
        given = {**dict(zip(self.taken, args, strict=True)), **kwargs}
        if self.contract.violated_assume(given) is not None:
            raise Excluded
        return self.maker(*args, **kwargs)


class Limited(Shape):
    """The values of another shape for which conditions hold; others are excluded when built."""

    def __init__(self, inner: Shape, conditions: Sequence[Callable[[Any], Any]]) -> None:
        self._inner = inner
        self._conditions = conditions

    def simple(self) -> Sequence[Sample]:
        return [Sample(self, inner) for inner in self._inner.simple() if self._holds(inner)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        for _ in range(20):
            inner = self._inner.draw(source, level)
            if self._holds(inner):
                break
        return Sample(self, inner)

    def mutate(self, content: Any, source: Source) -> Sample:
        return Sample(self, content.mutated(source))

    def smaller(self, content: Any) -> Iterator[Sample]:
        return (Sample(self, inner) for inner in content.smaller())

    def extend(self, content: Sample, words: Sequence[str]) -> Iterator[Sample]:
        return (Sample(self, inner) for inner in content.extended(words))

    def recipe(self, content: Any) -> Recipe:
        return _Conditional(content.recipe(), self._conditions)

    def weigh(self, content: Sample) -> int:
        return content.weight()

    def texts(self, content: Sample) -> Iterator[str]:
        return content.texts()

    def height(self, above: frozenset[int] = frozenset()) -> int:
        return self._inner.height(above)

    def _holds(self, inner: Sample) -> bool:
        try:
            value = inner.recipe().value()
            return all(condition(value) for condition in self._conditions)
        except Exception:
            return False


@dataclass
class _Conditional(Recipe):
    """A value that must meet conditions."""

    inner: Recipe
    conditions: Sequence[Callable[[Any], Any]]

    def source(self, names: Names) -> str:
        return self.inner.source(names)

    def value(self) -> Any:
        made = self.inner.value()
        if not all(condition(made) for condition in self.conditions):
            raise Excluded
        return made


class Constant(Compound):
    """A function that answers every call with the same thing."""

    def __init__(self, result: Shape, parameters: int | None) -> None:
        self._result = result
        self._parameters = parameters

    def simple(self) -> Sequence[Sample]:
        return [self.with_parts([result]) for result in self._result.simple()]

    def draw(self, source: Source, level: int = 0) -> Sample:
        return self.with_parts([self._result.draw(source, level + 1)])

    def recipe(self, content: Any) -> Recipe:
        return _Answer(content[0].recipe(), self._parameters)


@dataclass
class _Answer(Recipe):
    """A lambda without a choice."""

    result: Recipe
    parameters: int | None

    def source(self, names: Names) -> str:
        count = self.parameters
        taken = "*_" if count is None else ", ".join("abcdefghijklmnopqrstuvwxyz"[:count])
        return f"lambda {taken}: {self.result.source(names)}".replace("lambda :", "lambda:")

    def value(self) -> Any:
        result, count = self.result.value(), self.parameters

        def answer(*arguments: Any) -> Any:
            if count is not None and len(arguments) != count:
                raise TypeError(f"<lambda>() takes {count} positional arguments")
            return result

        return answer
