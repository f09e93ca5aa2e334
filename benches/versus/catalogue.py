"""The files that are measured, and what is known about each.

A case is a module with contracts. A comment `# bench: ...` near its top says what it is about:
the types it exercises, `hard` if it was written to be hard for every tool, `correct` if there
is nothing to find. Files without one (the shared yardstick) hold one reachable bug each.
"""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

OWN = Path(__file__).with_name("cases")
_MARK = re.compile(r"^# bench: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One file."""

    section: str
    name: str
    file: Path
    about: tuple[str, ...]
    hard: bool
    correct: bool

    @property
    def digest(self) -> str:
        """Measurements of another program do not count for this one; comments do not matter."""
        tree = ast.dump(ast.parse(self.file.read_bytes()))
        return hashlib.sha256(tree.encode()).hexdigest()[:16]


def read_case(section: str, file: Path) -> Case:
    """What the file says about itself."""
    match = _MARK.search(file.read_text("utf-8"))
    words = match[1].replace(",", " ").split() if match else []
    about = tuple(word for word in words if word not in ("hard", "correct"))
    return Case(section, file.stem, file, about, "hard" in words, "correct" in words)


def own_cases() -> list[Case]:
    """The project's cases."""
    return [read_case("own", file) for file in sorted(OWN.glob("*.py"))]


def shared_cases(checkout: Path) -> list[Case]:
    """The yardstick beside the checkout, where there is one."""
    files = sorted(checkout.glob("../shared/bench/cases/*.py"))
    return [read_case("shared", file) for file in files]
