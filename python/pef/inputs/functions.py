"""Functions as inputs: what a callable parameter answers is part of the input.

Such a function is called with whatever the program passes. Equal arguments get equal answers; each
new argument a new symbolic one. On paper it is a lambda that looks its answers up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pef import _native
from pef.inputs.makers import Made, Maker
from pef.inputs.recipes import Names, Recipe
from pef.path import plain, written
from pef.records import field, record

_MOST_CALLS = 50


@record(frozen=True)
class FunctionOf(Maker):
    """A function whose result another maker makes."""

    result: Maker
    parameters: int | None
    """How many positional arguments it takes; None for any number."""

    def make(self, name: str, level: int = 0) -> Made:
        recipe = Answers(self.parameters)

        def answer(*arguments: Any) -> Any:
            if self.parameters is not None and len(arguments) != self.parameters:
                raise TypeError(
                    f"<lambda>() takes {self.parameters} positional arguments "
                    f"but {len(arguments)} were given"
                )
            for known, value in recipe.known:
                if _same(known, arguments):
                    return value
            if len(recipe.known) >= _MOST_CALLS:
                raise _native.exclude()
            value, part = self.result.make(f"{name}({len(recipe.known)})", level + 1)
            recipe.known.append((arguments, value))
            recipe.parts.append(([plain(each) for each in arguments], part))
            return value

        answer.__name__ = answer.__qualname__ = "<lambda>"
        return answer, recipe


def _same(known: tuple[Any, ...], given: tuple[Any, ...]) -> bool:
    return len(known) == len(given) and all(
        one is other or bool(one == other) for one, other in zip(known, given, strict=True)
    )


@record
class Answers(Recipe):
    """The answers a function gave, in the order they were first asked for."""

    parameters: int | None
    known: list[tuple[tuple[Any, ...], Any]] = field(default_factory=list)
    parts: list[tuple[list[Any], Recipe]] = field(default_factory=list)

    def source(self, names: Names) -> str:
        answers = [(arguments, part.source(names)) for arguments, part in self.parts]
        texts = {text for _, text in answers}
        if len(texts) < 2:
            return f"lambda *_: {texts.pop() if texts else None}"
        pairs = [
            f"{_tuple(arguments)}: {text}" for arguments, text in answers if _is_hashable(arguments)
        ]
        return f"lambda *a: {{{', '.join(pairs)}}}[a]"

    def value(self) -> Any:
        answers = [(tuple(arguments), part.value()) for arguments, part in self.parts]

        def answer(*arguments: Any) -> Any:
            return next((value for known, value in answers if known == arguments), None)

        return answer

    def inside(self) -> Iterable[Recipe]:
        return [part for _, part in self.parts]


def _tuple(arguments: list[Any]) -> str:
    inside = ", ".join(map(written, arguments))
    return f"({inside},)" if len(arguments) == 1 else f"({inside})"


def _is_hashable(arguments: list[Any]) -> bool:
    try:
        hash(tuple(arguments))
    except TypeError:
        return False
    return True
