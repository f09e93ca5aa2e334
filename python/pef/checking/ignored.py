"""Which paths git would ignore, decided as git does.

Git matches a path on its own, level by level, and never looks below a folder it ignores. Libraries
for these patterns match "a path, or anything under it" in one go, which differs as soon as a
pattern is negated or the user names an ignored folder; git itself is the oracle of the tests.

Patterns work on bytes, as git's do: a `?` is one byte of a name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from pef.records import record

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
_NEVER = "(?!)"


@record(frozen=True)
class Pattern:
    """One line of a `.gitignore`."""

    regex: re.Pattern[str]
    negated: bool
    only_folders: bool
    by_name: bool
    """Whether only the last part of a path is looked at."""

    @classmethod
    def of(cls, line: str) -> Pattern | None:
        """Return the pattern a line means; None for comments and blank lines."""
        text = _octets(_without_trailing_spaces(line.removesuffix("\n").removesuffix("\r")))
        if not text or text.startswith("#"):
            return None
        negated = text.startswith("!")
        text = text[negated:]
        only_folders = text.endswith("/")
        text = text.removesuffix("/")
        by_name = "/" not in text
        regex = re.compile(_translated(text.removeprefix("/"), by_name), re.DOTALL)
        return cls(regex, negated, only_folders, by_name)

    def matches(self, octets: str, is_folder: bool) -> bool:
        """Whether the pattern speaks about this very path."""
        if self.only_folders and not is_folder:
            return False
        subject = octets.rpartition("/")[2] if self.by_name else octets
        return self.regex.fullmatch(subject) is not None


@record(frozen=True)
class Rules:
    """The patterns of one file, which speak about what is under `base`, and those above it."""

    base: str
    patterns: tuple[Pattern, ...]
    above: Rules | None = None

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Whether an absolute path under `base` is ignored; its folder is known not to be."""
        rules: Rules | None = self
        while rules is not None:
            octets = _octets(os.path.relpath(path, rules.base).replace(os.sep, "/"))
            for pattern in reversed(rules.patterns):
                if pattern.matches(octets, is_folder):
                    return not pattern.negated
            rules = rules.above
        return False

    def within(self, folder: str) -> Rules:
        """Return the rules that hold in a folder, with those of its own `.gitignore`."""
        patterns = _read(os.path.join(folder, ".gitignore"))
        return Rules(folder, patterns, self) if patterns else self


def rules_for(folder: str) -> Rules:
    """Return the rules that hold in a folder: its own and those of the repository around it."""
    folder = os.path.abspath(folder)
    top = _repository(folder) or folder
    rules = Rules(top, _read(os.path.join(top, ".git", "info", "exclude"))).within(top)
    inner = "" if folder == top else os.path.relpath(folder, top)
    for part in inner.split(os.sep) if inner else []:
        top = os.path.join(top, part)
        rules = rules.within(top)
    return rules


def patterns_of(lines: Iterable[str]) -> tuple[Pattern, ...]:
    """Return the patterns of some lines."""
    return tuple(pattern for pattern in map(Pattern.of, lines) if pattern is not None)


def _read(path: str) -> tuple[Pattern, ...]:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return ()
    return patterns_of(os.fsdecode(content.removeprefix(b"\xef\xbb\xbf")).split("\n"))


def _repository(folder: str) -> str | None:
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _octets(text: str) -> str:
    """One character per byte of a path, so that patterns see what git sees."""
    return os.fsencode(text).decode("latin-1")


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if backslashes % 2 and len(kept) < len(line) else kept


def _translated(text: str, by_name: bool) -> str:
    """Return the regular expression of a pattern without its marks."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "*":
            end = at
            while end < len(text) and text[end] == "*":
                end += 1
            part, at = _stars(text, at, end, by_name)
        elif char == "?":
            part, at = "[^/]", at + 1
        elif char == "[":
            part, at = _bracket(text, at)
        elif char == "\\":
            part, at = (re.escape(text[at + 1]), at + 2) if at + 1 < len(text) else (_NEVER, at + 1)
        else:
            part, at = re.escape(char), at + 1
        parts.append(part)
    return "".join(parts)


def _stars(text: str, start: int, end: int, by_name: bool) -> tuple[str, int]:
    """Translate a run of stars; only `**` as a whole part of the path crosses folders."""
    whole = (start == 0 or text[start - 1] == "/") and (end == len(text) or text[end] == "/")
    if end - start == 1 or not whole or by_name:
        return "[^/]*", end
    if end == len(text):
        return ".*", end
    return "(?:.*/)?", end + 1


def _bracket(text: str, start: int) -> tuple[str, int]:
    """Translate `[...]`; one that is never closed makes the pattern match nothing."""
    at = start + 1
    negated = at < len(text) and text[at] in "!^"
    at += negated
    members: list[str] = []
    first = True
    while at < len(text) and (first or text[at] != "]"):
        first = False
        named = re.compile(r"\[:(.*?):\]").match(text, at)
        if named:
            if named[1] not in _CLASSES:
                return _NEVER, len(text)
            members.append(_CLASSES[named[1]])
            at = named.end()
            continue
        low, at = _member(text, at)
        if at + 1 < len(text) and text[at] == "-" and text[at + 1] != "]":
            high, at = _member(text, at + 1)
            # The lower end stands for itself, even in a range that is upside down.
            members.append(re.escape(low))
            if low <= high:
                members.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            members.append(re.escape(low))
    if at >= len(text):
        return _NEVER, len(text)
    inside = "".join(members)
    if negated:
        return f"[^/{inside}]", at + 1
    return f"(?:(?!/)[{inside}])" if inside else _NEVER, at + 1


def _member(text: str, at: int) -> tuple[str, int]:
    """Return one character of a bracket and where the next begins."""
    if text[at] == "\\" and at + 1 < len(text):
        return text[at + 1], at + 2
    return text[at], at + 1
