"""Explores every case of `*.md` beside this file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pef
import pytest
from markdown import Case, read_cases

CASES = [case for file in sorted(Path(__file__).parent.glob("*.md")) for case in read_cases(file)]


@pytest.fixture
def module(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ModuleType]:
    """The case as an importable module."""
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
    ("module", "case"), [(case, case) for case in CASES], ids=[case.name for case in CASES],
    indirect=["module"],
)
def test_case(module: ModuleType, case: Case) -> None:
    exploration = pef.explore(getattr(module, case.function), **case.options)
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


def _raised(path: pef.Path) -> tuple[int, str]:
    facts = path.exception_facts
    assert facts is not None
    return int(facts["line"]), facts["type"]
