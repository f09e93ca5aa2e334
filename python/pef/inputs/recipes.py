"""How an input came to be: enough to write it down as Python source, and to make it again.

The function under exploration may change its arguments, so what it was called with is remembered
apart. A recipe is made with the input and read when the path is over.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Any

from pef.path import plain, written


class Recipe:
    """One input, as it was at the call."""

    def source(self, names: Names) -> str:
        """An expression that makes it."""
        raise NotImplementedError

    def value(self) -> Any:
        """It, made anew and without symbolic parts."""
        raise NotImplementedError


class Names:
    """What classes and functions are called where the source will be read."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

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
        return f"__import__({thing.__module__!r}, fromlist=['']).{name}"


def _reach(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = getattr(value, part, None)
    return value


@dataclass
class Leaf(Recipe):
    """A value without parts: a number, text, None."""

    made: Any

    def source(self, names: Names) -> str:
        value = plain(self.made)
        return (readable(value) if type(value) is int else None) or written(value)

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


@dataclass
class Blank(Recipe):
    """An object that its constructor has yet to fill."""

    kind: Any

    def source(self, names: Names) -> str:
        name = names.of(self.kind)
        return f"{name}.__new__({name})"

    def value(self) -> Any:
        return self.kind.__new__(self.kind)


@dataclass
class Omitted(Leaf):
    """An argument that is not given, so that the parameter has its default."""


@dataclass
class Name(Recipe):
    """A class or function that has a name."""

    made: Any

    def source(self, names: Names) -> str:
        return names.of(self.made)

    def value(self) -> Any:
        return self.made


@dataclass
class Member(Recipe):
    """A member of an enum."""

    made: Any

    def source(self, names: Names) -> str:
        name = getattr(self.made, "name", None)
        kind = names.of(type(self.made))
        return f"{kind}.{name}" if name and name.isidentifier() else f"{kind}({self.made.value!r})"

    def value(self) -> Any:
        return self.made


@dataclass
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


@dataclass
class Pairs(Recipe):
    """A dict."""

    parts: list[tuple[Recipe, Recipe]] = field(default_factory=list)

    def source(self, names: Names) -> str:
        pairs = (f"{key.source(names)}: {value.source(names)}" for key, value in self.parts)
        return f"{{{', '.join(pairs)}}}"

    def value(self) -> Any:
        return {key.value(): value.value() for key, value in self.parts}


@dataclass
class Construction(Recipe):
    """An object made by calling something with arguments."""

    maker: Any
    args: list[Recipe]
    kwargs: dict[str, Recipe]

    def source(self, names: Names) -> str:
        positional = [part.source(names) for part in self.args]
        named = [f"{name}={part.source(names)}" for name, part in self.kwargs.items()]
        return f"{names.of(self.maker)}({', '.join(positional + named)})"

    def value(self) -> Any:
        kwargs = {name: part.value() for name, part in self.kwargs.items()}
        return self.maker(*(part.value() for part in self.args), **kwargs)
