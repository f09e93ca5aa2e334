"""Reads `[tool.pef]`, and knows on which line each key stands.

The TOML readers do not tell lines, and a complaint without one makes the user search. Lines are
looked for in the text and used in messages only; values come from the real parser.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any, NamedTuple

from pef.cli.exits import UsageError


class Entry(NamedTuple):
    """One key of the table."""

    key: str
    value: object
    place: str


def read_table(path: str) -> list[Entry]:
    """Return the entries of `[tool.pef]`, none if there is no such table."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        document = _parse(text)
    except (OSError, ValueError) as problem:
        raise UsageError(f"cannot read {_shown(path)}: {problem}") from None
    tool = document.get("tool")
    table = tool.get("pef") if isinstance(tool, dict) else None
    if table is None:
        return []
    if not isinstance(table, dict):
        raise UsageError(f"{_shown(path)}: tool.pef must be a table")
    return [Entry(key, value, f"{_shown(path)}:{_line(text, key)}") for key, value in table.items()]


def _parse(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def _line(text: str, key: str) -> int:
    """Return the line of a key after the table's header, or of the header if it is not found."""
    lines = text.splitlines()
    header = next((n for n, line in enumerate(lines, 1) if re.match(r"\s*\[tool\.pef\]", line)), 1)
    for number, line in enumerate(lines[header:], header + 1):
        if line.lstrip().startswith("["):
            break
        if re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""", line):
            return number
    return header


def _shown(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative
