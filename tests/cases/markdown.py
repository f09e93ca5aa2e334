"""Reads the cases of a Markdown file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_COMMENT = re.compile(r"#\s*(finds|paths|exhaustive|open|violates|option)\b:?\s*(.*?)\s*$")


@dataclass
class Case:
    """One block of Python and what its comments expect."""

    name: str
    source: str
    finds: set[tuple[int, str]] = field(default_factory=set)
    violates: set[str] = field(default_factory=set)
    paths: str | None = None
    exhaustive: bool = False
    open: list[str] = field(default_factory=list)
    options: dict[str, object] = field(default_factory=dict)

    @property
    def function(self) -> str:
        """The name of the last function of the block."""
        return re.findall(r"^def (\w+)", self.source, re.MULTILINE)[-1]


def read_cases(path: Path) -> list[Case]:
    """Every Python block of the file, named by the heading above it."""
    cases = []
    heading = path.stem
    lines = path.read_text().splitlines()
    while lines:
        line = lines.pop(0)
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.strip() == "```python":
            end = lines.index("```")
            cases.append(_case(f"{path.stem}: {heading}", lines[:end]))
            del lines[: end + 1]
    return cases


def _case(name: str, lines: list[str]) -> Case:
    case = Case(name, "\n".join(lines) + "\n")
    for number, line in enumerate(lines, start=1):
        comment = _COMMENT.search(line)
        if comment is None:
            continue
        keyword, text = comment.groups()
        if keyword == "finds":
            case.finds.update((number, kind.strip()) for kind in text.split(","))
        elif keyword == "violates":
            case.violates.add(text)
        elif keyword == "paths":
            case.paths = text
        elif keyword == "exhaustive":
            case.exhaustive = True
        elif keyword == "open":
            case.open.append(text)
        else:
            key, _, value = text.partition("=")
            case.options[key] = int(value) if value.isdigit() else value
    return case
