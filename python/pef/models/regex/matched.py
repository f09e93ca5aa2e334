"""The match object of symbolic text: passes for `re.Match`.

A match is known to exist before its spans are: they are looked for when first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index as plain_index
from re import Match, Pattern
from typing import TYPE_CHECKING, Any, NoReturn

from pef._native import apply, is_symbolic, model_repr, pinned
from pef.models.regex import templates
from pef.models.regex.finding import GaveUpError
from pef.models.regex.guided import Located

_LONGEST_SHOWN = 50
"""Of the matched text, `repr` shows no more."""


class SymMatch:
    """A match whose text is symbolic."""

    __slots__ = ("_locate", "_located", "_real", "endpos", "pos", "re", "string")

    def __init__(
        self,
        pattern: Pattern[Any],
        string: Any,
        range_: tuple[int, Any],
        locate: Callable[[], Located],
        real: Callable[[Any], Match[Any] | None],
    ) -> None:
        """`locate` finds the spans; `real` makes CPython's own match from the plain string."""
        set_ = object.__setattr__
        set_(self, "re", pattern)
        set_(self, "string", string)
        set_(self, "pos", range_[0])
        set_(self, "endpos", range_[1])
        set_(self, "_locate", locate)
        set_(self, "_real", real)
        set_(self, "_located", None)

    if TYPE_CHECKING:
        re: Pattern[Any]
        string: Any
        _locate: Callable[[], Located]
        _real: Callable[[Any], Match[Any] | None]
        _located: Located | None

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        return Match

    def __setattr__(self, name: str, value: object) -> None:
        setattr(_EXAMPLE, name, None)

    def __delattr__(self, name: str) -> None:
        delattr(_EXAMPLE, name)

    def _found(self) -> Located:
        found = self._located
        if found is None:
            try:
                found = self._locate()
            except GaveUpError:
                real = self._real(pinned(self.string, "re.Match.span"))
                if real is None:
                    raise RuntimeError("a match was promised that does not exist") from None
                found = list(real.regs), real.lastindex
            object.__setattr__(self, "_located", found)
        return found

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

    def _span(self, method: str, keys: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any]:
        if len(keys) > 1 or named:
            _refuse(method, keys, named)
        return self._found()[0][self._number(keys[0] if keys else 0)]

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

    def groups(self, *default: Any, **named: Any) -> tuple[Any, ...]:
        """As `re.Match.groups`."""
        filler = _default("groups", default, named)
        return tuple(self._text(number, filler) for number in range(1, self.re.groups + 1))

    def groupdict(self, *default: Any, **named: Any) -> dict[str, Any]:
        """As `re.Match.groupdict`."""
        filler = _default("groupdict", default, named)
        groups = self.re.groupindex.items()
        return {name: self._text(number, filler) for name, number in groups}

    def span(self, *keys: Any, **named: Any) -> tuple[Any, Any]:
        """As `re.Match.span`."""
        return self._span("span", keys, named)

    def start(self, *keys: Any, **named: Any) -> Any:
        """As `re.Match.start`."""
        return self._span("start", keys, named)[0]

    def end(self, *keys: Any, **named: Any) -> Any:
        """As `re.Match.end`."""
        return self._span("end", keys, named)[1]

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

    def expand(self, *template: Any, **named: Any) -> Any:
        """As `re.Match.expand`."""
        values = (*template, *named.values())
        kind = bytes if isinstance(self.string, bytes) else str
        wrong = len(values) != 1 or not named.keys() <= {"template"}
        if wrong or not isinstance(values[0], kind):
            _refuse("expand", template, named)
        return templates.filled(templates.read(values[0], self.re), self)

    def __copy__(self) -> SymMatch:
        return self

    def __deepcopy__(self, memo: object) -> SymMatch:
        return self

    def __repr__(self) -> str:
        start, end = (apply("from_int", edge, table=10) for edge in self.span())
        text = apply("slice", model_repr(self.group()), 0, _LONGEST_SHOWN)
        parts = ("<re.Match object; span=(", start, ", ", end, "), match=", text, ">")
        shown: str = apply("concat", *parts)
        return shown


SymMatch.__name__ = SymMatch.__qualname__ = "Match"
SymMatch.__module__ = "re"

_EXAMPLE: Any = re.match("", "")
"""A match that knows CPython's own words for what it does not take."""


def _refuse(method: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
    """CPython's own error for arguments it does not take."""
    getattr(_EXAMPLE, method)(*arguments, **named)
    raise TypeError(f"{method}() does not take these arguments")


def _default(method: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    values = (*given, *named.values())
    if len(values) > 1 or not named.keys() <= {"default"}:
        _refuse(method, given, named)
    return values[0] if values else None
