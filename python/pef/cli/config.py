"""Reads `[tool.pef]`, and knows on which line each key stands.

The TOML readers do not tell lines, and a complaint without one makes the user search. Lines are
looked for in the text and used in messages only; values come from the real parser.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from pef.cli.exits import UsageError
from pef.records import NamedTuple

_HEADER = r"\s*\[\s*tool\s*\.\s*pef\s*\]"
_OVERRIDE_HEADER = r"\s*\[\[\s*tool\s*\.\s*pef\s*\.\s*overrides\s*\]\]"


class Entry(NamedTuple):
    """One key of a table."""

    key: str
    value: object
    place: str


class Table(NamedTuple):
    """`[tool.pef]`, and each `[[tool.pef.overrides]]` by itself."""

    entries: list[Entry]
    overrides: list[list[Entry]]


def read_table(path: str) -> Table:
    """Return what a file says about us, nothing if it has no such table."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # Most say nothing about us, and to load the parser takes longer than to see that.
        document = _parse(text) if "pef" in text else {}
    except (OSError, ValueError) as problem:
        raise UsageError(f"cannot read {shown(path)}: {problem}") from None
    tool = document.get("tool")
    table = tool.get("pef") if isinstance(tool, dict) else None
    if table is None:
        return Table([], [])
    if not isinstance(table, dict):
        raise UsageError(f"{shown(path)}: tool.pef must be a table")
    lines = _Lines(shown(path), text.splitlines())
    overrides = table.pop("overrides", [])
    if not isinstance(overrides, list) or not all(isinstance(each, dict) for each in overrides):
        raise UsageError(f"{lines.place('overrides', _HEADER)}: overrides must be tables")
    return Table(
        [Entry(key, value, lines.place(key, _HEADER)) for key, value in table.items()],
        [
            [Entry(key, value, lines.place_in_override(key, n)) for key, value in each.items()]
            for n, each in enumerate(overrides)
        ],
    )


def nearest_pyproject(folder: str) -> str | None:
    """Return the `pyproject.toml` of a folder, or of the nearest one above that has one."""
    folder = os.path.abspath(folder)
    while True:
        candidate = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(candidate):
            return candidate
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def shown(path: str) -> str:
    """Return a file as the user would name it."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def _parse(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


class _Lines:
    """Where keys stand in a file."""

    def __init__(self, file: str, lines: list[str]) -> None:
        self._file = file
        self._lines = lines

    def place(self, key: str, header: str, occurrence: int = 0) -> str:
        """Return the place of a key after a header, or of the header if it is not found."""
        found = [n for n, line in enumerate(self._lines, 1) if re.match(header, line)]
        start = found[occurrence] if occurrence < len(found) else 1
        for number, line in enumerate(self._lines[start:], start + 1):
            if line.lstrip().startswith("["):
                break
            if re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""", line):
                return f"{self._file}:{number}"
        return f"{self._file}:{start}"

    def place_in_override(self, key: str, occurrence: int) -> str:
        """Return the place of a key in one of the overrides."""
        if any(re.match(_OVERRIDE_HEADER, line) for line in self._lines):
            return self.place(key, _OVERRIDE_HEADER, occurrence)
        return self.place("overrides", _HEADER)
