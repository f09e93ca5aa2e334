"""The codes are stable, each has a page, and the page tells the truth."""

import builtins
import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from pef.checking.codes import CODES, code_of, named
from pef.checking.explain import document, listing, page, text

ROOT = Path(__file__).parents[2]

STABLE = """
    001 index-out-of-range  002 missing-key  003 division-by-zero  004 wrong-type
    005 missing-attribute  006 wrong-value  007 failed-assertion  008 numeric-overflow
    009 unicode-error  010 endless-recursion  011 unbound-name  012 exhausted-iterator
    019 uncaught-exception  020 undeclared-exception  021 broken-postcondition
    022 broken-invariant  023 broken-precondition  024 raised-exception  030 timeout  031 crash
    032 process-exit  033 resource  034 side-effect  035 leaked-thread  036 flaky
    090 unused-suppression
""".split()


def test_codes_and_names_never_change():
    known = [(code.code, code.name) for code in CODES]
    pairs = zip(STABLE[::2], STABLE[1::2], strict=True)
    assert known == [(f"PEF{number}", name) for number, name in pairs]


@pytest.mark.parametrize(
    "exception, name",
    [
        (IndexError, "index-out-of-range"),
        (UnicodeDecodeError, "unicode-error"),
        (json.JSONDecodeError, "wrong-value"),
        (UnboundLocalError, "unbound-name"),
        (ModuleNotFoundError, "uncaught-exception"),
        (RecursionError, "endless-recursion"),
        (LookupError, "uncaught-exception"),
        (FileNotFoundError, "uncaught-exception"),
        (type("Mine", (KeyError,), {}), "missing-key"),
    ],
)
def test_an_exception_has_the_code_of_its_nearest_known_class(exception, name):
    assert code_of([kind.__name__ for kind in exception.__mro__]).name == name


def test_the_exceptions_of_the_table_exist():
    for code in CODES:
        for name in code.exceptions:
            assert issubclass(getattr(builtins, name), Exception)
            assert code_of([name]) is code


def test_every_code_has_a_page_and_every_page_a_code():
    folder = ROOT / "python/pef/checking/explain"
    assert {path.stem for path in folder.glob("*.md")} == {code.code for code in CODES}
    for code in CODES:
        assert page(code).startswith(f"# {code.code} {code.name}\n\n")
        headings = re.findall(r"^## (\w+)$", page(code), re.MULTILINE)
        assert headings[:2] == ["Example", "Fix"]


def test_the_document_is_made_from_the_pages():
    written = (ROOT / "docs/codes.md").read_text(encoding="utf-8")
    assert written == document(), "python -m pef.checking.explain > docs/codes.md"


def explain(*words):
    command = [sys.executable, "-m", "pef", "explain", *words]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("word", ["PEF003", "pef003", "division-by-zero"])
def test_explain_shows_the_page_by_code_or_name(word):
    done = explain(word)
    assert (done.stdout, done.returncode) == (page(named("PEF003")), 0)


def test_explain_without_a_code_lists_them():
    done = explain()
    assert (done.stdout, done.returncode) == (listing(), 0)
    assert all(len(line) <= 100 for line in listing().splitlines())


def test_explain_of_an_unknown_code_names_the_nearest():
    done = explain("devision-by-zero")
    assert done.returncode == 2
    assert "did you mean 'division-by-zero'?" in done.stderr


def example(code):
    """Return the example of a page and the options it is to be checked with."""
    source = re.search(r"^```python\n(.*?)^```$", text(code), re.MULTILINE | re.DOTALL)[1]
    options = re.search(r"^pef check example.py (.*)$", text(code), re.MULTILINE)
    return source, options[1].split() if options else []


@pytest.mark.parametrize("code", CODES, ids=[code.code for code in CODES])
def test_the_example_of_a_page_is_reported_so(code, tmp_path):
    source, options = example(code)
    (tmp_path / "example.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pef", "check", "example.py", *options]
    command += ["--output-format", "json", "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=100)
    report = json.loads(done.stdout)
    schema = json.loads((ROOT / "docs/check.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(report)
    found = report["findings"]
    assert {each["code"] for each in found} == {code.code}, done.stderr
