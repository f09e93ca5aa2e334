"""Making inputs, one maker per kind of type.

A maker is asked for a value at the start of every run. Scalars are symbolic variables; the shape of
everything else is a decision: which alternative, how many items. Containers are filled when someone
first looks into them, objects are made by running their constructor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pef import _native
from pef.contracts.contract import Contract
from pef.inputs.recipes import (
    Blank,
    Construction,
    Expression,
    Generator,
    Items,
    Leaf,
    Omitted,
    Pairs,
    Recipe,
    Values,
)
from pef.records import field, record

Made = tuple[Any, Recipe]

_MOST_ITEMS = 2000
"""A longer container is filled with plain copies of one item."""

_LONGEST = 200_000
"""A function is not called with more items: who would write them down?"""

_DEEPEST = 24
"""Objects inside objects; the depth limit usually comes first."""


class Maker:
    """Makes the inputs of one type."""

    def make(self, name: str, level: int = 0) -> Made:
        """A value for this run and its recipe; its variables are called after `name`."""
        raise NotImplementedError

    def other(self, number: int) -> Made | None:
        """A plain value, different for each number but for a few, if the type has so many."""
        return None

    def is_underway(self) -> bool:
        """Whether one that it makes is not finished: another would be part of it."""
        return False


class Around(Maker):
    """Makes what another maker makes, and sees to something more."""

    inner: Maker

    def is_underway(self) -> bool:
        """As of the other maker."""
        return self.inner.is_underway()


_OTHERS: dict[type, Callable[[int], Any]] = {
    bool: bool,
    int: int,
    float: float,
    str: str,
    bytes: lambda number: str(number).encode(),
}
"""A value of a type for each number."""


@record(frozen=True)
class Scalar(Maker):
    """One variable, or the only value of its type."""

    spec: _native.Input
    is_none: bool = False

    def make(self, name: str, level: int = 0) -> Made:
        value = _native.build_input(self.spec, name)
        return value, Leaf(value)

    def other(self, number: int) -> Made | None:
        """The number, as a value of this type."""
        kind = type(_native.concrete(_native.build_input(self.spec, "")))
        convert = _OTHERS.get(kind)
        if convert is None:
            return None
        value = convert(number)
        return value, Leaf(value)


@record(frozen=True)
class Fixed(Maker):
    """A given object."""

    value: Any
    recipe: Recipe

    def make(self, name: str, level: int = 0) -> Made:
        return self.value, self.recipe


@record(frozen=True)
class Unfinished(Maker):
    """What `__init__` gets: an object without attributes."""

    kind: Any

    def make(self, name: str, level: int = 0) -> Made:
        recipe = Blank(self.kind)
        return recipe.value(), recipe


@record(frozen=True)
class Example(Maker):
    """What an expression makes, anew each time."""

    text: str

    def make(self, name: str, level: int = 0) -> Made:
        recipe = Expression(self.text)
        return recipe.value(), recipe


@record(frozen=True)
class Choice(Maker):
    """One of several, in the order they were written."""

    makers: Sequence[Maker]
    cost: int = 1
    small_first: bool = False
    """Whether what would nest deeper comes last: then a run that is not told otherwise ends."""

    def make(self, name: str, level: int = 0) -> Made:
        taken = _native.choose_shape(name, len(self.makers), self.cost)
        makers = self.makers
        if self.small_first and level:
            makers = sorted(makers, key=lambda each: each.is_underway())
        return makers[taken].make(name, level)

    def other(self, number: int) -> Made | None:
        """One of the given objects, or another of the first kind that has others."""
        if number < len(self.makers) and isinstance(self.makers[number], Fixed):
            return self.makers[number].make("")
        return next(filter(None, (maker.other(number) for maker in self.makers)), None)


@record(frozen=True)
class Guessed(Around):
    """Inputs of a type that nobody declared: once one is made, others were left out."""

    inner: Maker
    doubt: str
    doubts: list[str]

    def make(self, name: str, level: int = 0) -> Made:
        if self.doubt not in self.doubts and _native.is_running():
            self.doubts.append(self.doubt)  # of what is made after a run, nobody knows
        return self.inner.make(name, level)

    def other(self, number: int) -> Made | None:
        """As of the other maker."""
        return self.inner.other(number)


@record(frozen=True)
class ListOf(Maker):
    """A list of any length."""

    item: Maker
    doubts: list[str]

    def make(self, name: str, level: int = 0) -> Made:
        length = _length(name, self.doubts)
        if isinstance(self.item, Scalar):
            values = Values()
            spec = self.item.spec
            made = _native.untouched_values(length, spec, name, _MOST_ITEMS, values.made)
            return made, values
        recipe = Items(list)

        def fill(container: list[Any]) -> None:
            for position in _positions(length):
                value, part = self.item.make(f"{name}[{position}]", level + 1)
                container.append(value)
                recipe.parts.append(part)

        return _native.untouched("list", length, fill), recipe


def _length(name: str, doubts: list[str]) -> int:
    """How many items there are; a run that is to have more than can be made is given up."""
    length = _native.build_size(f"len({name})")
    if _native.concrete(length) > _LONGEST:
        doubts.append(f"containers of more than {_LONGEST} items")
        raise _native.exclude()
    return length


def _positions(length: int) -> Any:
    """0, 1, ... up to a length that is decided on the way."""
    position = 0
    while not _native.decide(length == position, "domain"):
        if position == _MOST_ITEMS:
            _native.pinned(length, "a very long container")
            yield from range(position, _native.concrete(length))
            return
        yield position
        position += 1


def _unlike(container: Any, maker: Maker, position: int) -> Made:
    """A key that is not in the container, where any will do: the run is over and never saw one."""
    if not _native.is_running() and position < _MOST_ITEMS:
        for number in (position, *range(2 * position + 2)):
            made = maker.other(number)
            if made is not None and _native.find_key(container, made[0]) is None:
                return made
    raise _native.exclude()


@record(frozen=True)
class DictOf(Maker):
    """A dict of any size; its keys differ."""

    key: Maker
    item: Maker
    doubts: list[str]

    def make(self, name: str, level: int = 0) -> Made:
        recipe = Pairs()
        length = _length(name, self.doubts)

        def fill(container: dict[Any, Any]) -> None:
            for position in _positions(length):
                key, key_part = self.key.make(f"list({name})[{position}]", level + 1)
                if _native.find_key(container, key) is not None:
                    key, key_part = _unlike(container, self.key, position)
                value, part = self.item.make(f"list({name}.values())[{position}]", level + 1)
                _native.dict_set(container, key, value)
                recipe.parts.append((key_part, part))

        return _native.untouched("dict", length, fill), recipe


@record(frozen=True)
class SetOf(Maker):
    """A set of any size."""

    item: Maker
    doubts: list[str]

    def make(self, name: str, level: int = 0) -> Made:
        recipe = Items(set)
        length = _length(name, self.doubts)

        def fill(container: set[Any]) -> None:
            for position in _positions(length):
                value, part = self.item.make(f"sorted({name})[{position}]", level + 1)
                if _native.find_key(container, value) is not None:
                    value, part = _unlike(container, self.item, position)
                _native.set_add(container, value)
                recipe.parts.append(part)

        return _native.untouched("set", length, fill), recipe


@record(frozen=True)
class FrozenSetOf(Maker):
    """A frozenset of any size, decided when it is made: it cannot be filled later."""

    item: Maker

    def make(self, name: str, level: int = 0) -> Made:
        from pef.models.containers.sets import gathered

        recipe = Items(frozenset)
        present: set[Any] = set()
        values: list[Any] = []
        while _native.choose_shape(f"len({name})", 2, 1):
            value, part = self.item.make(f"sorted({name})[{len(values)}]", level + 1)
            if _native.find_key(present, value) is not None:
                raise _native.exclude()
            _native.set_add(present, value)
            values.append(value)
            recipe.parts.append(part)
        return gathered(frozenset, values), recipe


@record(frozen=True)
class Sequenced(Maker):
    """A tuple of any length, decided when it is made: it cannot be filled later."""

    item: Maker

    def make(self, name: str, level: int = 0) -> Made:
        values: list[Any] = []
        recipe = Items(tuple)
        while _native.choose_shape(f"len({name})", 2, 1):
            value, part = self.item.make(f"{name}[{len(values)}]", level + 1)
            values.append(value)
            recipe.parts.append(part)
        return tuple(values), recipe


@record(frozen=True)
class Converted(Maker):
    """What something makes of another input: an iterator of a list, a deque, a date."""

    inner: Maker
    convert: Callable[[Any], Any]

    def make(self, name: str, level: int = 0) -> Made:
        value, recipe = self.inner.make(name, level)
        call = _native.__pef_sel__(self.convert)
        return call(value), Construction(self.convert, [recipe], {})


@record(frozen=True)
class Generated(Maker):
    """A generator of the items of a list."""

    item: Maker
    doubts: list[str]

    def make(self, name: str, level: int = 0) -> Made:
        items, recipe = ListOf(self.item, self.doubts).make(name, level)
        return (each for each in items), Generator(recipe)


@record(frozen=True)
class TupleOf(Maker):
    """A tuple of given parts."""

    parts: Sequence[Maker]

    def make(self, name: str, level: int = 0) -> Made:
        made = [part.make(f"{name}[{i}]", level + 1) for i, part in enumerate(self.parts)]
        return _tuple_of(made)

    def other(self, number: int) -> Made | None:
        """Another first part that has others, and the rest as it comes."""
        made = [part.make("") for part in self.parts]
        for position, part in enumerate(self.parts):
            changed = part.other(number)
            if changed is not None:
                made[position] = changed
                return _tuple_of(made)
        return None


def _tuple_of(made: list[Made]) -> Made:
    return tuple(value for value, _ in made), Items(tuple, [part for _, part in made])


@record(frozen=True)
class Record(Maker):
    """A dict with known keys, of which some may be missing."""

    required: dict[str, Maker]
    optional: dict[str, Maker]

    def make(self, name: str, level: int = 0) -> Made:
        value: dict[str, Any] = {}
        recipe = Pairs()
        for key, maker in {**self.required, **self.optional}.items():
            place = f"{name}[{key!r}]"
            if key in self.optional and _native.choose_shape(f"{key!r} in {name}", 2, 1):
                continue
            value[key], part = maker.make(place, level + 1)
            recipe.parts.append((Leaf(key), part))
        return value, recipe


@record
class Object(Maker):
    """An object, made by its constructor: what that raises is no input."""

    maker: Any
    positional: list[tuple[str, Maker]]
    named: list[tuple[str, Maker]]
    contract: Contract | None = None
    """The constructor's, if it assumes something."""
    unchecked: Any = None
    """Does what `maker` does, without the checks of a contract library: those are ours."""
    doubts: list[str] = field(default_factory=list)
    """Where to say what is left out."""
    underway: int = 0
    """How many are being made, one inside the other."""

    def is_underway(self) -> bool:
        """Whether the constructor of one still waits for its arguments."""
        return self.underway > 0

    def make(self, name: str, level: int = 0) -> Made:
        if level > _DEEPEST:
            self.doubts.append(f"objects more than {_DEEPEST} deep in one another")
            raise _native.exclude()
        self.underway += 1
        try:
            args = [maker.make(f"{name}.{part}", level + 1) for part, maker in self.positional]
            kwargs = {part: maker.make(f"{name}.{part}", level + 1) for part, maker in self.named}
        finally:
            self.underway -= 1
        self._check(name, args, kwargs)
        call = self.unchecked or _native.__pef_sel__(self.maker)
        try:
            named = {
                part: value
                for part, (value, recipe) in kwargs.items()
                if not isinstance(recipe, Omitted)
            }
            value = call(*(value for value, _ in args), **named)
        except Exception:
            raise _native.exclude() from None
        recipes = {part: recipe for part, (_, recipe) in kwargs.items()}
        return value, Construction(self.maker, [recipe for _, recipe in args], recipes)

    def _check(self, name: str, args: list[Made], kwargs: dict[str, Made]) -> None:
        if self.contract is None:
            return
        names = [part for part, _ in self.positional]
        given = {part: value for part, (value, _) in zip(names, args, strict=True)}
        given |= {part: value for part, (value, _) in kwargs.items()}
        if self.contract.violated_assume(given) is not None:
            raise _native.exclude()


@record(frozen=True)
class Constrained(Around):
    """Inputs of another maker for which conditions hold."""

    inner: Maker
    conditions: Sequence[Callable[[Any], Any]]

    def make(self, name: str, level: int = 0) -> Made:
        value, recipe = self.inner.make(name, level)
        for condition in self.conditions:
            if not condition(value):
                raise _native.exclude()
        return value, recipe
