"""Explores every case of `*.md` beside this file."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

import pef
from pef.targets import find

_KEYWORDS = "explores|needs|finds|paths|exhaustive|open|violates|option|until found"
_COMMENT = re.compile(rf"#\s*({_KEYWORDS})\b:?\s*(.*?)\s*$")


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
    until_found: bool = False
    explores: str | None = None
    needs: list[str] = field(default_factory=list)

    @property
    def function(self) -> str:
        """What is explored: if nothing is said the last function of the block."""
        return self.explores or re.findall(r"^(?:async )?def (\w+)", self.source, re.MULTILINE)[-1]


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
        elif keyword == "needs":
            case.needs.append(text)
        elif keyword == "explores":
            case.explores = text
        elif keyword == "until found":
            case.until_found = True
        elif keyword == "exhaustive":
            case.exhaustive = True
        elif keyword == "open":
            case.open.append(text)
        else:
            key, _, value = text.partition("=")
            case.options[key] = int(value) if value.isdigit() else value
    return case


CASES = [case for file in sorted(Path(__file__).parent.glob("*.md")) for case in read_cases(file)]


@pytest.fixture
def module(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ModuleType]:
    """The case as an importable module."""
    for need in request.param.needs:
        name, _, package = need.partition(" in ")
        if not hasattr(pytest.importorskip(package or name), name if package else "__name__"):
            pytest.skip(f"no {need}")
    name = f"pef_case_{abs(hash(request.param.name))}"
    file = tmp_path / f"{name}.py"
    file.write_text(request.param.source)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


@pytest.mark.parametrize(
    ("module", "case"),
    [(case, case) for case in CASES],
    ids=[case.name for case in CASES],
    indirect=["module"],
)
def test_case(module: ModuleType, case: Case) -> None:
    exploration = pef.explore(find(module, case.function), **case.options)
    if case.until_found:
        _explore_until_found(exploration, case.finds)
        return
    paths = list(exploration)
    wrong = [path.replay for path in paths if path.reproduced is False]
    assert wrong == [], "paths that plain CPython did not reproduce"
    assert {_raised(path) for path in paths if path.exception} == case.finds
    assert {path.violation.kind for path in paths if path.violation} == case.violates
    summary = exploration.summary
    counts = f"{summary['paths']}/{summary['depth']}/{summary['pruned']}"
    assert case.paths in (None, counts)
    if case.exhaustive:
        assert summary["exhaustive"], summary["open"]
    for reason in case.open:
        assert any(reason in text for text in summary["open"]), summary["open"]


def _explore_until_found(exploration: pef.Exploration, wanted: set[tuple[int, str]]) -> None:
    missing = set(wanted)
    with exploration:
        for number, path in enumerate(exploration):
            assert path.reproduced is not False, path.replay
            if path.exception:
                missing.discard(_raised(path))
            if not missing:
                return
            assert number < _MOST_PATHS, f"not found: {missing}"
    assert not missing, exploration.summary["open"]


_MOST_PATHS = 300


def _raised(path: pef.Path) -> tuple[int, str]:
    facts = path.exception_facts
    assert facts is not None
    return int(facts["line"]), facts["type"]
