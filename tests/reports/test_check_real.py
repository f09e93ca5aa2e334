"""What `pef check` really prints is what the formats promise."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import xmlschema

SCHEMAS = Path(__file__).parent / "schemas"
SOURCE = """\
def first(items: list[int]) -> int:
    return items[0]


def sign(number: int) -> int:
    return 1 if number > 0 else 0


def untyped(thing):
    return thing.size


def second(items: list[int]) -> int:
    return first(items[1:])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("real")
    (path / "shop.py").write_text(SOURCE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def check(folder):
    @cache
    def run(*options):
        command = [sys.executable, "-m", "pef", "check", "shop.py", *options]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=100)
        assert done.returncode == 1, done.stderr
        return done.stdout

    return run


def test_full_quotes_the_source_and_gives_the_call(check):
    text = check()
    assert text.startswith("error[PEF001]: index out of range: ")
    assert "2 |     return items[0]\n" in text
    assert "= fails with: first([])\n" in text
    assert "= after: from shop import first\n" in text
    assert re.search(r"^not analysed: shop\.py:9 shop:untyped: .*'thing'", text, re.MULTILINE)
    assert re.search(r"^1 error in \d functions?; 1 proved, ", text, re.MULTILINE)


def test_the_reported_call_fails_in_plain_python(check, folder):
    (finding,) = json.loads(check("--output-format", "json"))["findings"]
    script = "\n".join([*finding["setup"], finding["call"]])
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=folder
    )
    assert done.stderr.splitlines()[-1] == "IndexError: list index out of range"


def test_json_says_what_is_known_of_every_function(check):
    functions = json.loads(check("--output-format", "json"))["functions"]
    verdicts = {each["name"].partition(":")[2]: each["verdict"] for each in functions}
    assert verdicts["first"] == "error"
    assert verdicts["sign"] == "proved"
    assert verdicts["untyped"] == "not-analysed"


def test_sarif_is_valid(check):
    log = json.loads(check("--output-format", "sarif"))
    schema = json.loads((SCHEMAS / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(log)
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["PEF001"]


def test_junit_is_valid(check):
    text = check("--output-format", "junit")
    xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(text)
    assert '<testcase classname="shop" name="sign"' in text


@pytest.mark.parametrize(
    "format_name, expected",
    [
        ("concise", r"shop\.py:2(:12)?: PEF001 .*; fails with first\(\[\]\)"),
        ("github", r"::error file=shop\.py,line=2.*,title=PEF001 index-out-of-range::.*"),
        ("json-lines", r'\{"kind":"finding","code":"PEF001".*'),
    ],
)
def test_a_finding_is_a_line(check, format_name, expected):
    assert re.search(f"^{expected}$", check("--output-format", format_name), re.MULTILINE)


def test_quiet_prints_findings_only(check):
    assert re.fullmatch(r"shop\.py:2(:12)?: PEF001 .*; fails with first\(\[\]\)\n", check("-q"))
