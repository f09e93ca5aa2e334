"""How an input came to be: enough to write it down as Python source, and to make it again.

The function under exploration may change its arguments, so what it was called with is remembered
apart. A recipe is made with the input and read when the path is over.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable
from typing import Any

from pef.inputs.standard import ZERO_AT_LAST, full_name
from pef.path import plain, written
from pef.records import field, record


class Recipe:
    """One input, as it was at the call."""

    def source(self, names: Names) -> str:
        """An expression that makes it."""
        raise NotImplementedError

    def value(self) -> Any:
        """It, made anew and without symbolic parts."""
        raise NotImplementedError

    def inside(self) -> Iterable[Recipe]:
        """The recipes it is made of."""
        return ()

    def has(self, other: Recipe) -> bool:
        """Whether the other recipe is this one or somewhere inside."""
        seen: list[Recipe] = [self]
        for each in seen:  # which grows on the way
            seen += [part for part in each.inside() if not any(part is one for one in seen)]
        return any(each is other for each in seen)


class Names:
    """What classes and functions are called where the source will be read."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self._mentioned: list[Recipe] = []

    def begin(self) -> None:
        """Start on another call."""
        self._mentioned.clear()

    def has_mentioned(self, recipe: Recipe) -> bool:
        """Whether the recipe was written down before in this call; from now on it was."""
        known = any(each is recipe for each in self._mentioned)
        self._mentioned.append(recipe)
        return known

    def of(self, thing: Any) -> str:
        """A name of the module, or the way to import it."""
        name: str = thing.__qualname__
        if self._namespace.get(name) is thing or getattr(builtins, name, None) is thing:
            return name
        for known, value in self._namespace.items():
            if value is thing and known.isidentifier():
                return known
            outer, _, inner = name.partition(".")
            if known == outer and inner and _reach(value, inner) is thing:
                return name
        return f"__import__({_public_module(thing)!r}, fromlist=['']).{name}"

    def of_module(self, name: str) -> str:
        """A module of the standard library, however it is called here."""
        module = __import__(name)
        for known, value in self._namespace.items():
            if value is module and known.isidentifier():
                return known
        return f"__import__({name!r})"


def _public_module(thing: Any) -> str:
    """Where a person would import it from: `io`, not `_io`."""
    module: str = thing.__module__
    public = module.lstrip("_")
    return public if getattr(sys.modules.get(public), thing.__name__, None) is thing else module


def _reach(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = getattr(value, part, None)
    return value


@record
class Leaf(Recipe):
    """A value without parts: a number, text, None."""

    made: Any

    def source(self, names: Names) -> str:
        value = plain(self.made)
        if type(value) is int:
            if -_LONG < value < _LONG:
                return repr(value)  # most inputs are small, and every path has some
            return readable(value) or written(value)
        if type(value) is str or type(value) is bytes:
            return repeated(value) or written(value)
        return written(value)

    def value(self) -> Any:
        return plain(self.made)


_LONG = 10**24
"""Numbers from here on are hard to read."""
_SMALL = 10**9


def readable(number: int) -> str | None:
    """A long number near a power of two or ten as people write it; None for any other.

    >>> readable(2**1024 - 2**970), readable(-(10**30) - 7), readable(3**80)
    ('2**1024 - 2**970', '-10**30 - 7', None)
    """
    size = abs(number)
    if size < _LONG:
        return None
    sign, plus, minus = ("-", "-", "+") if number < 0 else ("", "+", "-")
    decimals = int(size.bit_length() * 0.30103)
    powers = [
        (10, decimals),
        (10, decimals + 1),
        (2, size.bit_length() - 1),
        (2, size.bit_length()),
    ]
    for base, exponent in powers:
        rest = size - base**exponent
        if abs(rest) < _SMALL:
            tail = f" {plus if rest > 0 else minus} {abs(rest)}" if rest else ""
            return f"{sign}{base}**{exponent}{tail}"
    low = (size & -size).bit_length() - 1
    if (size >> low) + 1 == 1 << ((size >> low).bit_length()):
        return f"{sign}2**{size.bit_length()} {minus} 2**{low}"
    return None


_LONG_TEXT = 100
"""Text from here on is hard to read."""
_LONG_RUN = 40
_MOST_PIECES = 7


def repeated(text: str | bytes) -> str | None:
    """Long text with long runs of one character as people write it; None for any other.

    >>> repeated("-" + "0" * 4301), repeated("ab" * 100)
    ("'-' + '0' * 4301", None)
    """
    if len(text) < _LONG_TEXT:
        return None
    pieces: list[str] = []
    start = position = 0
    while position < len(text) and len(pieces) < _MOST_PIECES:
        unit = text[position : position + 1]
        run = len(text) - position - len(text[position:].lstrip(unit))  # type: ignore[arg-type]
        if run >= _LONG_RUN:
            if start < position:
                pieces.append(written(text[start:position]))
            pieces.append(f"{written(unit)} * {run}")
            start = position + run
        position += run
    if not pieces or position < len(text):
        return None
    return " + ".join([*pieces, written(text[start:])] if start < len(text) else pieces)


@record
class Blank(Recipe):
    """An object that its constructor has yet to fill."""

    kind: Any

    def source(self, names: Names) -> str:
        name = names.of(self.kind)
        return f"{name}.__new__({name})"

    def value(self) -> Any:
        return self.kind.__new__(self.kind)


@record
class Omitted(Leaf):
    """An argument that is not given, so that the parameter has its default."""


@record
class Name(Recipe):
    """A class or function that has a name."""

    made: Any

    def source(self, names: Names) -> str:
        return names.of(self.made)

    def value(self) -> Any:
        return self.made


@record
class Expression(Recipe):
    """What an expression over modules of the standard library makes."""

    text: str

    def source(self, names: Names) -> str:
        module = self.text.partition(".")[0]
        return self.text.replace(module, names.of_module(module), 1)

    def value(self) -> Any:
        module = self.text.partition(".")[0]
        return eval(self.text, {module: __import__(module)})


@record
class Generator(Recipe):
    """A generator of the items of a list."""

    inner: Recipe

    def source(self, names: Names) -> str:
        return f"(each for each in {self.inner.source(names)})"

    def value(self) -> Any:
        return (each for each in self.inner.value())

    def inside(self) -> Iterable[Recipe]:
        return (self.inner,)


@record
class Member(Recipe):
    """A member of an enum."""

    made: Any

    def source(self, names: Names) -> str:
        name = getattr(self.made, "name", None)
        kind = names.of(type(self.made))
        return f"{kind}.{name}" if name and name.isidentifier() else f"{kind}({self.made.value!r})"

    def value(self) -> Any:
        return self.made


@record
class Items(Recipe):
    """A list, tuple, set or frozenset."""

    kind: type
    parts: list[Recipe] = field(default_factory=list)

    def source(self, names: Names) -> str:
        inside = ", ".join(part.source(names) for part in self.parts)
        if self.kind is tuple:
            return f"({inside},)" if len(self.parts) == 1 else f"({inside})"
        if not self.parts and self.kind in (set, frozenset):
            return f"{self.kind.__name__}()"
        if self.kind is list:
            return f"[{inside}]"
        return f"frozenset({{{inside}}})" if self.kind is frozenset else f"{{{inside}}}"

    def value(self) -> Any:
        return self.kind(part.value() for part in self.parts)

    def inside(self) -> Iterable[Recipe]:
        return self.parts


@record
class Values(Recipe):
    """A list of values without parts."""

    made: list[Any] = field(default_factory=list)

    def source(self, names: Names) -> str:
        return f"[{', '.join(part.source(names) for part in self.inside())}]"

    def value(self) -> Any:
        return plain(self.made)

    def inside(self) -> Iterable[Recipe]:
        return map(Leaf, self.made)


@record
class Pairs(Recipe):
    """A dict."""

    parts: list[tuple[Recipe, Recipe]] = field(default_factory=list)

    def source(self, names: Names) -> str:
        pairs = (f"{key.source(names)}: {value.source(names)}" for key, value in self.parts)
        return f"{{{', '.join(pairs)}}}"

    def value(self) -> Any:
        return {key.value(): value.value() for key, value in self.parts}

    def inside(self) -> Iterable[Recipe]:
        return [each for pair in self.parts for each in pair]


@record
class Bound(Recipe):
    """An object that may be given twice; on paper it is named where it is first mentioned."""

    name: str
    inner: Recipe
    shared: bool = False
    _value: list[Any] = field(default_factory=list)

    def source(self, names: Names) -> str:
        if not self.shared:
            return self.inner.source(names)
        if names.has_mentioned(self):
            return self.name
        return f"({self.name} := {self.inner.source(names)})"

    def value(self) -> Any:
        if not self._value:
            self._value.append(self.inner.value())
        return self._value[0]

    def inside(self) -> Iterable[Recipe]:
        return (self.inner,)


@record
class Again(Recipe):
    """An object that was given before."""

    first: Bound

    def source(self, names: Names) -> str:
        return self.first.source(names)

    def value(self) -> Any:
        return self.first.value()

    def inside(self) -> Iterable[Recipe]:
        return (self.first,)


@record
class Construction(Recipe):
    """An object made by calling something with arguments."""

    maker: Any
    args: list[Recipe]
    kwargs: dict[str, Recipe]

    def given(self) -> dict[str, Recipe]:
        """The arguments that are passed by name."""
        return {name: part for name, part in self.kwargs.items() if not isinstance(part, Omitted)}

    def source(self, names: Names) -> str:
        positional = [part.source(names) for part in self.args]
        if positional[-1:] == ["0"] and full_name(self.maker) in ZERO_AT_LAST:
            positional.pop()
        named = [f"{name}={part.source(names)}" for name, part in self.given().items()]
        return f"{names.of(self.maker)}({', '.join(positional + named)})"

    def value(self) -> Any:
        kwargs = {name: part.value() for name, part in self.given().items()}
        return self.maker(*(part.value() for part in self.args), **kwargs)

    def inside(self) -> Iterable[Recipe]:
        return [*self.args, *self.kwargs.values()]
