"""The match object of symbolic text: passes for `re.Match`.

A match is known to exist before its spans are: they are looked for when first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index as plain_index
from typing import Any

from pef import _native
from pef._native import apply, is_symbolic, pinned
from pef.models.regex import templates
from pef.models.regex.finding import GaveUp
from pef.models.regex.guided import Located


class SymMatch:
    """A match whose text is symbolic."""

    __slots__ = ("_locate", "_located", "_real", "endpos", "pos", "re", "string")

    def __init__(
        self,
        pattern: re.Pattern[Any],
        string: Any,
        range_: tuple[int, Any],
        locate: Callable[[], Located],
        real: Callable[[Any], re.Match[Any] | None],
    ) -> None:
        """`locate` finds the spans; `real` makes CPython's own match from the plain string."""
        self.re = pattern
        self.string = string
        self.pos, self.endpos = range_
        self._locate = locate
        self._real = real
        self._located: Located | None = None

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return re.Match

    def _found(self) -> Located:
        if self._located is None:
            try:
                self._located = self._locate()
            except GaveUp:
                real = self._real(pinned(self.string, "re.Match.span"))
                if real is None:
                    raise RuntimeError("a match was promised that does not exist") from None
                self._located = list(real.regs), real.lastindex
        return self._located

    def _number(self, key: Any) -> int:
        """The number of a group that exists."""
        if is_symbolic(key):
            key = pinned(key, "re.Match.group")
        if hasattr(type(key), "__index__"):
            number = plain_index(key)
        else:
            try:
                number = self.re.groupindex.get(key, -1)
            except TypeError:
                number = -1
        if 0 <= number <= self.re.groups:
            return number
        raise IndexError("no such group")

    def _text(self, number: int, default: Any = None) -> Any:
        start, end = self._found()[0][number]
        if not is_symbolic(start) and start < 0:
            return default
        return apply("slice", self.string, start, end)

    def group(self, *keys: Any) -> Any:
        """As `re.Match.group`."""
        if not keys:
            return self._text(0)
        if len(keys) == 1:
            return self._text(self._number(keys[0]))
        return tuple(self._text(self._number(key)) for key in keys)

    def __getitem__(self, key: Any) -> Any:
        return self._text(self._number(key))

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        """As `re.Match.groups`."""
        return tuple(self._text(number, default) for number in range(1, self.re.groups + 1))

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        """As `re.Match.groupdict`."""
        named = self.re.groupindex.items()
        return {name: self._text(number, default) for name, number in named}

    def span(self, group: Any = 0, /) -> tuple[Any, Any]:
        """As `re.Match.span`."""
        return self._found()[0][self._number(group)]

    def start(self, group: Any = 0, /) -> Any:
        """As `re.Match.start`."""
        return self.span(group)[0]

    def end(self, group: Any = 0, /) -> Any:
        """As `re.Match.end`."""
        return self.span(group)[1]

    @property
    def regs(self) -> tuple[tuple[Any, Any], ...]:
        """As `re.Match.regs`."""
        return tuple(self._found()[0])

    @property
    def lastindex(self) -> int | None:
        """As `re.Match.lastindex`."""
        return self._found()[1]

    @property
    def lastgroup(self) -> str | None:
        """As `re.Match.lastgroup`."""
        number = self.lastindex
        names = (name for name, index in self.re.groupindex.items() if index == number)
        return next(names, None)

    def expand(self, template: Any) -> Any:
        """As `re.Match.expand`."""
        return templates.filled(templates.read(template, self.re), self)

    def __copy__(self) -> SymMatch:
        return self

    def __deepcopy__(self, memo: object) -> SymMatch:
        return self

    def __repr__(self) -> str:
        start, end = (_native.concrete(edge) for edge in self.span())
        text = _native.concrete(self.group())
        return f"<re.Match object; span=({start}, {end}), match={text!r}>"


SymMatch.__name__ = SymMatch.__qualname__ = "Match"
SymMatch.__module__ = "re"
