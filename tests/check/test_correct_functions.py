"""Correct functions over all types: none is reported, and finite trees are proved."""

import re
from pathlib import Path

import pytest

CORRECT = Path(__file__).parent / "correct"
FILES = sorted(CORRECT.glob("*.py"))


def marked_as_proved(source):
    """The names of the functions whose `def` says so, methods with their class."""
    owner = ""
    for line in source.splitlines():
        if line and not line[0].isspace():
            owner = ""
        if found := re.match(r"class (\w+)", line):
            owner = f"{found[1]}."
        if found := re.match(r"\s*(?:async )?def (\w+).*# proved$", line):
            yield f"{owner}{found[1]}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_correct_functions_are_not_reported_and_finite_ones_are_proved(project, file):
    source = file.read_text(encoding="utf-8")
    (project.folder / file.name).write_text(source)
    checked = project.check(file.name, "--timeout", "4")
    assert checked.report["findings"] == []
    verdicts = {
        each["name"].partition(":")[2]: each["verdict"] for each in checked.report["functions"]
    }
    expected = set(marked_as_proved(source))
    unproved = {name: checked.reasons(name) for name in expected if verdicts[name] != "proved"}
    assert unproved == {}
    assert "not-analysed" not in verdicts.values()


def test_there_are_many_of_them():
    functions = [re.findall(r"^\s*(?:async )?def ", f.read_text(), re.MULTILINE) for f in FILES]
    assert sum(map(len, functions)) >= 40
