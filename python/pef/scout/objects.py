"""Shapes of objects, of values under conditions, and of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from pef.contracts.contract import Contract
from pef.inputs.recipes import Construction, Names, Recipe
from pef.records import record
from pef.scout.compound import Compound, Excluded, around, replaced
from pef.scout.samples import DEEPEST, UNREACHABLE, Sample, Shape, Source


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
        return [self.with_parts(row) for row in islice(around(columns), 200)]

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
        return self.with_parts(replaced(content, place, part))

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


@record
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
        return self.maker(*args, **{name: kwargs[name] for name in self.given()})


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


@record
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


@record
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
