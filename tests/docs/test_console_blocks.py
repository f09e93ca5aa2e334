"""Every ```console block of the documentation shows what really happens.

A line that starts with `$ ` is a command, run from the root of the project; the lines after it are
its output. A line `...` stands for any number of lines.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")})
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples():
    for document in DOCUMENTS:
        for block in BLOCK.findall(document.read_text(encoding="utf-8")):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                yield pytest.param(command, output, id=f"{document.name}: {command}")


def matches(expected, shown):
    """Compare line by line, where a line of three dots matches any lines."""
    parts = re.split(r"^\.\.\.\n", expected.rstrip() + "\n", flags=re.MULTILINE)
    pattern = r"(?:.*\n)*?".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, shown.rstrip() + "\n") is not None


@pytest.mark.parametrize(("command", "output"), list(examples()))
def test_a_documented_command_shows_what_the_document_says(command, output):
    if "^^^" in output and sys.version_info < (3, 11):
        pytest.skip("3.10 has no columns")
    words = shlex.split(command)
    assert words[0] in ("./pef", "pef"), "only commands of PEF are shown"
    done = subprocess.run(
        [sys.executable, "-m", "pef", *words[1:]],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    assert matches(output, done.stdout), done.stdout


def test_the_readme_shows_the_first_command():
    assert any("./pef check examples/shop.py" == e.values[0] for e in examples())


@pytest.mark.parametrize(
    ("expected", "shown", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n...\nb\n", "a\n1\n2\nb\n", True),
        ("a\n...\nb\n", "a\nb\n", True),
        ("a\n...\nb\n", "a\n1\nc\n", False),
        ("a\n", "a\nb\n", False),
    ],
)
def test_dots_stand_for_lines_and_nothing_else_does(expected, shown, same):
    assert matches(expected, shown) is same


def test_links_between_documents_lead_somewhere():
    for document in DOCUMENTS:
        for link in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / link).exists(), f"{document.name}: {link}"


def test_the_readme_shows_the_example_as_it_is():
    source = (ROOT / "examples/first.py").read_text(encoding="utf-8")
    function = source[source.index("def suma_con_bug") :]
    assert function in (ROOT / "README.md").read_text(encoding="utf-8")
