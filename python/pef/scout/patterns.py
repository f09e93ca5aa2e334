"""Texts that a regular expression matches, drawn from the parse tree of the standard library.

Look-around, back-references and conditions are only approximated: a text that does not match after
all is a near miss, which is worth trying too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from random import Random
from typing import Any

if sys.version_info >= (3, 11):
    from re import _parser as sre_parse
else:
    import sre_parse

_MOST_REPEATS = 3
_LONGEST_REPEAT = 60
_LONGEST_TEXT = 200
_DEEPEST = 12
_WITH_A_WORD = 0.25
"""How often a repeated class of characters is filled with a word instead of characters."""
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_CATEGORIES = {
    "CATEGORY_DIGIT": "0123459",
    "CATEGORY_NOT_DIGIT": "a-. ",
    "CATEGORY_SPACE": " \t\n",
    "CATEGORY_NOT_SPACE": "a0-.",
    "CATEGORY_WORD": "abz_019",
    "CATEGORY_NOT_WORD": " -./:",
}
_PRINTABLE = [chr(code) for code in range(32, 127)]


class Pattern:
    """A regular expression as a source of texts."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree

    def text(self, random: Random, word: Callable[[], str]) -> str:
        """A text the expression matches, as far as this can tell."""
        return _Drawing(random, word).sequence(self._tree, 0)[:_LONGEST_TEXT]

    def literals(self) -> list[str]:
        """The literal texts of the expression, longest runs together, in order."""
        found: list[str] = []
        _literals(self._tree, found)
        return list(dict.fromkeys(found))


def parsed(pattern: str, flags: int = 0) -> Pattern | None:
    """The expression, or None if it is none."""
    try:
        return Pattern(sre_parse.parse(pattern, flags & ~re.DEBUG))
    except (re.error, RecursionError, OverflowError, ValueError):
        return None


class _Drawing:
    """One text in the making: what its groups matched so far."""

    def __init__(self, random: Random, word: Callable[[], str]) -> None:
        self._random = random
        self._word = word
        self._groups: dict[int, str] = {}

    def sequence(self, tree: Any, level: int) -> str:
        """The parts of a tree, one after the other."""
        return "".join([self._one(str(code), argument, level) for code, argument in tree])

    def _one(self, code: str, argument: Any, level: int) -> str:
        if level > _DEEPEST:
            return ""
        if code in _CHARACTERS:
            return _CHARACTERS[code](argument, self._random)
        if code == "GROUPREF":
            return self._groups.get(argument, "")
        if code in _REPEATS and self._random.random() < _WITH_A_WORD:
            word = self._word()
            if _fits(word, *argument):
                return word
        inner, times = self._inside(code, argument)
        text = "".join([self.sequence(inner, level + 1) for _ in range(times)])
        if code == "SUBPATTERN" and argument[0] is not None:
            self._groups[argument[0]] = text
        return text

    def _inside(self, code: str, argument: Any) -> tuple[Any, int]:
        """The tree below an operation and how often to take it; anchors take no text."""
        random = self._random
        if code == "BRANCH":
            return random.choice(argument[1]), 1
        if code == "SUBPATTERN":
            return argument[3], 1
        if code == "ATOMIC_GROUP":
            return argument, 1
        if code == "GROUPREF_EXISTS":
            return (argument[1] if argument[0] in self._groups else argument[2] or ()), 1
        if code in _REPEATS:
            low, high, inner = argument
            most = min(int(high), low + _MOST_REPEATS)
            times = random.choice((low, most, random.randint(low, most)))
            return inner, min(times, _LONGEST_REPEAT)
        return (), 0


def _fits(word: str, low: int, high: int, tree: Any) -> bool:
    """Whether a repeated character class matches the word."""
    if len(tree) != 1 or not low <= len(word) <= int(high):
        return False
    code, argument = str(tree[0][0]), tree[0][1]
    if code == "ANY":
        return "\n" not in word
    if code == "NOT_LITERAL":
        return chr(argument) not in word
    if code != "IN":
        return False
    negated = str(argument[0][0]) == "NEGATE"
    items = argument[1:] if negated else argument
    return all(_contains(items, character) is not negated for character in word)


def _other(point: int, random: Random) -> str:
    return random.choice([each for each in "a0 -" if ord(each) != point])


def _member(items: Any, random: Random) -> str:
    negated = bool(items) and str(items[0][0]) == "NEGATE"
    if negated:
        allowed = [each for each in _PRINTABLE if not _contains(items[1:], each)]
        plain = [each for each in "a0 -" if each in allowed]
        return random.choice(plain if plain and random.random() < 0.7 else allowed or ["\x80"])
    code, argument = random.choice(items)
    if str(code) == "LITERAL":
        return chr(argument)
    if str(code) == "RANGE":
        low, high = argument
        return chr(random.choice((low, high, random.randint(low, high))))
    return random.choice(_CATEGORIES.get(str(argument), "a"))


_CHARACTERS: dict[str, Callable[[Any, Random], str]] = {
    "LITERAL": lambda point, random: chr(point),
    "NOT_LITERAL": _other,
    "ANY": lambda _, random: random.choice("a0 -."),
    "IN": _member,
}


def _contains(items: Any, character: str) -> bool:
    point = ord(character)
    for code, argument in items:
        name = str(code)
        if name == "LITERAL" and point == argument:
            return True
        if name == "RANGE" and argument[0] <= point <= argument[1]:
            return True
        if name == "CATEGORY" and _is_of_category(str(argument), character):
            return True
    return False


def _is_of_category(name: str, character: str) -> bool:
    kind = name.removeprefix("CATEGORY_")
    positive = kind.removeprefix("NOT_")
    found = {
        "DIGIT": character.isdigit(),
        "SPACE": character.isspace(),
        "WORD": character.isalnum() or character == "_",
    }.get(positive, False)
    return found is (kind == positive)


def _literals(tree: Any, found: list[str]) -> None:
    run = ""
    for code, argument in tree:
        if str(code) == "LITERAL":
            run += chr(argument)
            continue
        if run:
            found.append(run)
            run = ""
        _literals_inside(str(code), argument, found)
    if run:
        found.append(run)


def _literals_inside(code: str, argument: Any, found: list[str]) -> None:
    if code == "IN":
        found += [chr(each) for kind, each in argument if str(kind) == "LITERAL"]
    elif code == "BRANCH":
        for branch in argument[1]:
            _literals(branch, found)
    elif code == "SUBPATTERN":
        _literals(argument[3], found)
    elif code in _REPEATS:
        _literals(argument[2], found)
    elif code == "ATOMIC_GROUP":
        _literals(argument, found)
    elif code in ("ASSERT", "ASSERT_NOT"):
        _literals(argument[1], found)
