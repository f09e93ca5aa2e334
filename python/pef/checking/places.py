"""Lines that survive edits elsewhere.

A remembered finding names lines of the function and of what it calls. Its digest says that none of
these changed; it does not say that they stayed where they were. So lines are kept as offsets into
the definition or statement they are in, and turned back into lines of the file as it is now.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from pef.checking.outline import Anchor, Outline
from pef.targets import shown_path

_LINES = ("line", "end_line")
_SENTENCES = ("reasons", "notes")
"""Where places are part of what is said."""
_SPOKEN = r"(?P<file>[^\s:'\"()]+\.py):(?P<line>\d+)"
_KEPT = "\0([^\0]*)\0([^\0]*)\0(\\d+)\0"
_PLACE = "@"
"""The key of a detached place: file and anchor."""


class LostPlaceError(Exception):
    """A place in a definition that is no longer there."""


class Places:
    """The definitions and statements of some files, as they are now."""

    def __init__(self, outlines: Iterable[Outline], folder: str) -> None:
        self._folder = os.path.realpath(folder)
        self._anchors = {each.path: each.anchors for each in outlines}
        self._firsts: dict[str, dict[str, int]] = {}

    def detached(self, value: Any) -> Any:
        """Return a copy of a report, or of a part of one, that does not depend on lines."""
        if isinstance(value, list):
            return [self.detached(each) for each in value]
        if not isinstance(value, dict):
            return value
        copy = {name: self.detached(each) for name, each in value.items()}
        _in_sentences(copy, _SPOKEN, self._kept)
        file, line = copy.get("file"), copy.get("line")
        if isinstance(file, str) and isinstance(line, int):
            anchor = self._around(file, line)
            if anchor is not None:
                del copy["file"]
                copy[_PLACE] = [self._stored(file), anchor.name]
                for name in _LINES:
                    if isinstance(copy.get(name), int):
                        copy[name] -= anchor.first
        return copy

    def attached(self, value: Any) -> Any:
        """Return the report with the lines of today; `LostPlaceError` if there are none."""
        if isinstance(value, list):
            return [self.attached(each) for each in value]
        if not isinstance(value, dict):
            return value
        copy = {name: self.attached(each) for name, each in value.items()}
        _in_sentences(copy, _KEPT, self._spoken)
        if _PLACE in copy:
            file, anchor = copy.pop(_PLACE)
            copy["file"] = self._shown(file)
            for name in _LINES:
                if isinstance(copy.get(name), int):
                    copy[name] += self._first(file, anchor)
        return copy

    def _kept(self, found: re.Match[str]) -> str:
        line = int(found["line"])
        anchor = self._around(found["file"], line)
        if anchor is None:
            return found[0]
        return f"\0{self._stored(found['file'])}\0{anchor.name}\0{line - anchor.first}\0"

    def _spoken(self, found: re.Match[str]) -> str:
        return f"{self._shown(found[1])}:{self._first(found[1], found[2]) + int(found[3])}"

    def _around(self, file: str, line: int) -> Anchor | None:
        """Return the smallest definition or statement around a line; None outside the project."""
        anchors = self._anchors.get(os.path.realpath(file), ())
        around = [each for each in anchors if each.first <= line <= each.last]
        return min(around, key=lambda each: each.last - each.first, default=None)

    def _first(self, file: str, anchor: str) -> int:
        path = os.path.normpath(os.path.join(self._folder, file))
        firsts = self._firsts.get(path)
        if firsts is None:
            anchors = self._anchors.get(path, ())
            firsts = self._firsts[path] = {each.name: each.first for each in anchors}
        if anchor not in firsts:
            raise LostPlaceError(f"{file}: {anchor}")
        return firsts[anchor]

    def _stored(self, file: str) -> str:
        return os.path.relpath(os.path.realpath(file), self._folder)

    def _shown(self, file: str) -> str:
        return shown_path(os.path.normpath(os.path.join(self._folder, file)))


def _in_sentences(
    value: dict[str, Any], places: str, replace: Callable[[re.Match[str]], str]
) -> None:
    for name in _SENTENCES:
        if isinstance(value.get(name), list):
            value[name] = [
                re.sub(places, replace, each) if isinstance(each, str) else each
                for each in value[name]
            ]
