"""Words out of code: constants, tables and regular expressions that a function can see.

Looked at is one function at the moment it is first reached: its constants, the globals, modules and
attributes of its first argument that it names. Nothing is called, so nothing can happen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FrameType, ModuleType
from typing import Any

from pef.scout.patterns import parsed
from pef.scout.words import Group

_LONGEST_WORD = 32
_MOST_MEMBERS = 400
_MOST_PATTERNS = 12
_MATCHING = frozenset(
    {"compile", "match", "search", "fullmatch", "findall", "finditer", "split", "sub", "subn"}
)
_SIGNS_OF_A_PATTERN = re.compile(r"[\[\]\\()*+?|^$.]")
_MESSAGE = re.compile(r"\w+ \w+ \w+")
_SEPARATORS = re.compile(r"[,|;\s]+")


def group_of(frame: FrameType) -> Group:
    """What the function that just started in this frame mentions and names."""
    found = _Finding()
    code = frame.f_code
    names = frozenset(_names(code))
    constants = list(_constants(code))
    matching = bool(names & _MATCHING)
    for constant in constants:
        found.add(constant, may_be_pattern=matching)
    for name in sorted(names):
        if name in frame.f_globals:
            found.named(frame.f_globals[name], names)
    receiver = _first_argument(frame)
    if receiver is not None:
        found.attributes_of(receiver, names)
        found.endings(receiver, constants)
    return found.group


def _constants(code: CodeType) -> Iterator[object]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        else:
            yield constant


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _first_argument(frame: FrameType) -> object:
    code = frame.f_code
    if not code.co_argcount:
        return None
    return frame.f_locals.get(code.co_varnames[0])


class _Finding:
    """Collects words of one function, each once."""

    def __init__(self) -> None:
        self.group = Group()
        self._seen: set[object] = set()

    def add(self, value: object, level: int = 0, may_be_pattern: bool = False) -> None:
        kind = type(value)
        if kind is str:
            self._text(value, may_be_pattern)  # type: ignore[arg-type]
        elif kind is bytes:
            self._text(value.decode("latin-1"), may_be_pattern)  # type: ignore[attr-defined]
        elif kind is int or kind is float:
            self._number(value)  # type: ignore[arg-type]
        elif isinstance(value, re.Pattern):
            self._pattern(value.pattern, value.flags)
        elif level < 3 and isinstance(value, (tuple, list, set, frozenset, dict)):
            for member in _members(value):
                self.add(member, level + 1, may_be_pattern)

    def named(self, value: object, names: frozenset[str]) -> None:
        """A global: itself if it is data, else what the function names in it."""
        if isinstance(value, (ModuleType, type)):
            inside = vars(value)
            for name in sorted(names & inside.keys()):
                self.add(inside[name])
        else:
            self.add(value)

    def attributes_of(self, receiver: object, names: frozenset[str]) -> None:
        """Data the function reaches through its first argument."""
        kinds = receiver.__mro__ if isinstance(receiver, type) else type(receiver).__mro__
        places: list[Mapping[str, object]] = [vars(kind) for kind in kinds if kind is not object]
        own = getattr(receiver, "__dict__", None)
        if isinstance(own, dict):
            places.append(own)
        for place in places:
            for name in sorted(each for each in names if each in place):
                self.add(place[name])

    def endings(self, receiver: object, constants: Iterable[object]) -> None:
        """`getattr(self, "visit_" + name)`: the names that complete a constant."""
        kinds = receiver.__mro__ if isinstance(receiver, type) else type(receiver).__mro__
        if kinds == (object,) or kinds[0].__module__ == "builtins":
            return
        attributes = sorted({name for kind in kinds[:-1] for name in vars(kind)})
        for prefix in constants:
            if isinstance(prefix, str) and len(prefix) > 2 and prefix.isidentifier():
                for name in attributes:
                    if name.startswith(prefix) and name != prefix:
                        self._text(name[len(prefix) :], False)

    def _text(self, text: str, may_be_pattern: bool) -> None:
        if text in self._seen or not text:
            return
        self._seen.add(text)
        if may_be_pattern and _SIGNS_OF_A_PATTERN.search(text):
            self._pattern(text, 0)
        if len(text) <= _LONGEST_WORD and not _MESSAGE.search(text):
            self.group.texts.append(text)
        elif not _MESSAGE.search(text) or _SEPARATORS.search(text.strip()):
            self._list(text)

    def _list(self, text: str) -> None:
        """A long text may be a list of words; a message is not, its words are long and many."""
        words = _SEPARATORS.split(text.strip())
        if len(words) <= 60 and max(map(len, words)) <= 12 and len(set(text) & set(",|;")) == 1:
            self.group.texts += [word for word in words if word and word not in self._seen]
            self._seen.update(words)

    def _number(self, number: int | float) -> None:
        if number not in self._seen and number == number:
            self._seen.add(number)
            self.group.numbers.append(number)

    def _pattern(self, pattern: Any, flags: int) -> None:
        text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
        if ("pattern", text) in self._seen or len(self.group.patterns) >= _MOST_PATTERNS:
            return
        self._seen.add(("pattern", text))
        found = parsed(text, flags & ~re.LOCALE)
        if found is not None:
            self.group.patterns.append(found)
            for literal in found.literals():
                self._text(literal, False)


def _members(value: Any) -> list[object]:
    """What is in a container, in an order that is the same in every process."""
    if isinstance(value, dict):
        pairs = list(value.items())[:_MOST_MEMBERS]
        return [part for pair in pairs for part in pair]
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)[:_MOST_MEMBERS] if _is_plain(value) else []
    return list(value[:_MOST_MEMBERS])


def _is_plain(values: Iterable[object]) -> bool:
    """Whether writing these values runs nobody's code."""
    return all(type(each) in (str, int, float, bytes, bool, type(None)) for each in values)
