"""Words out of code: constants, tables and regular expressions that a function can see.

Looked at is one function at the moment it is first reached: its constants, the globals, modules and
attributes of its first argument that it names. Nothing is called, so nothing can happen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import CodeType, FrameType, ModuleType
from typing import Any

from pef.scout.patterns import parsed
from pef.scout.words import Group

_MADE_BY_CLASS_STATEMENT = 1 << 9
"""`Py_TPFLAGS_HEAPTYPE`."""
_LONGEST_WORD = 32
_MOST_MEMBERS = 400
_SMALL_TABLE = 4
_MOST_PATTERNS = 12
_MATCHING = frozenset(
    {"compile", "match", "search", "fullmatch", "findall", "finditer", "split", "sub", "subn"}
)
_SIGNS_OF_A_PATTERN = re.compile(r"[\[\]\\()*+?|^$.]")
_MESSAGE = re.compile(r"\w+ \w+ \w+")
_LIST = re.compile(
    r"\s*[\w-]{1,20}(\s*[,|;]\s*[\w-]{1,20}){2,}\s*|\s*[A-Z_]{2,20}(\s+[A-Z_]{2,20})+\s*"
)
"""Lists of words written as one text: `"a, b, c"`, `"ONE TWO THREE"`."""
_BETWEEN = re.compile(r"[,|;\s]+")


def group_of(frame: FrameType) -> Group:
    """What the function that just started in this frame mentions and names."""
    found = _Finding()
    code = frame.f_code
    names = frozenset(_names(code))
    constants = list(constants_of(code))
    matching = bool(names & _MATCHING)
    for constant in constants:
        found.add(constant, may_be_pattern=matching)
    for name in sorted(names):
        if name in frame.f_globals:
            found.named(frame.f_globals[name], names)
    arguments = _arguments(frame)
    for argument in arguments:
        found.add(argument)
    for receiver in arguments[:1]:
        found.attributes_of(receiver, names)
        found.endings(receiver, constants)
    return found.group


def group_of_constants(constants: Iterable[object]) -> Group:
    """The words among some constants."""
    found = _Finding()
    for constant in constants:
        found.add(constant)
    return found.group


def constants_of(code: CodeType) -> Iterator[object]:
    """The constants of a function and of those inside it, without documentation."""
    for position, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from constants_of(constant)
        elif position or not _is_prose(constant):
            yield constant


def _is_prose(constant: object) -> bool:
    """The first constant of a function may be its docstring, or a word it uses."""
    return isinstance(constant, str) and ("\n" in constant or _MESSAGE.search(constant) is not None)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _arguments(frame: FrameType) -> list[object]:
    """What the function was called with: defaults are words, too."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    local = frame.f_locals
    return [local[name] for name in code.co_varnames[:count] if name in local]


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
        elif kind is re.Pattern:
            self._pattern(value.pattern, value.flags)  # type: ignore[attr-defined]
        elif level == 0:
            self._table(value, may_be_pattern)
        elif level < 3:
            for member in _members(value):
                self.add(member, level + 1, may_be_pattern)

    def _table(self, value: object, may_be_pattern: bool) -> None:
        """A container: its words stay together, apart from the others."""
        outside = self.group.texts
        self.group.texts = []
        for member in _members(value):
            self.add(member, 1, may_be_pattern)
        table, self.group.texts = self.group.texts, outside
        if len(table) > _SMALL_TABLE:
            self.group.tables.append(table)
        else:
            self.group.texts += table

    def named(self, value: object, names: frozenset[str]) -> None:
        """A global: itself if it is data, else what the function names in it."""
        if issubclass(type(value), (ModuleType, type)):
            inside = _own_attributes(value)
            for name in sorted(names & inside.keys()):
                self.add(inside[name])
        else:
            self.add(value)

    def attributes_of(self, receiver: object, names: frozenset[str]) -> None:
        """Data the function reaches through its first argument."""
        kinds = [kind for kind in _kinds(receiver) if kind is not object]
        for place in (*map(_own_attributes, kinds), _own_attributes(receiver)):
            for name in sorted(each for each in names if each in place):
                self.add(place[name])

    def endings(self, receiver: object, constants: Iterable[object]) -> None:
        """`getattr(self, "visit_" + name)`: the names that complete a constant."""
        kinds = [kind for kind in _kinds(receiver) if kind.__flags__ & _MADE_BY_CLASS_STATEMENT]
        attributes = sorted({name for kind in kinds for name in _own_attributes(kind)})
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
        elif _LIST.fullmatch(text):
            self._table(_BETWEEN.split(text.strip())[:_MOST_MEMBERS], False)

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


def _kinds(receiver: object) -> tuple[type, ...]:
    kind = type(receiver)
    return type.mro(receiver) if issubclass(kind, type) else kind.__mro__  # type: ignore


def _own_attributes(thing: object) -> Mapping[str, object]:
    """The namespace of a module, class or instance, read without running its code."""
    try:
        if issubclass(type(thing), type):
            return type.__getattribute__(thing, "__dict__")  # type: ignore
        return object.__getattribute__(thing, "__dict__")  # type: ignore
    except (AttributeError, TypeError):
        return {}


def _members(value: Any) -> list[object]:
    """What is in a container, read without running its code, in the same order in every process."""
    kind = type(value)
    if issubclass(kind, dict):
        pairs = list(islice(dict.items(value), _MOST_MEMBERS))
        return [part for pair in pairs for part in pair]
    if kind is set or kind is frozenset:
        return sorted(value, key=repr)[:_MOST_MEMBERS] if _is_plain(value) else []
    for sequence in (list, tuple):
        if issubclass(kind, sequence):
            return list(islice(sequence.__iter__(value), _MOST_MEMBERS))
    return []


def _is_plain(values: Iterable[object]) -> bool:
    """Whether writing these values runs nobody's code."""
    return all(type(each) in (str, int, float, bytes, bool, type(None)) for each in values)
