"""Whatever a program puts into its names, messages and values, every report is well-formed."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest
import xmlschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pef._z3  # noqa: F401  (the native module needs its library loaded)
from pef import _native
from pef.checking.codes import CODES
from pef.checking.explain import rules

ROOT = Path(__file__).parents[2]
SCHEMAS = Path(__file__).parent / "schemas"
SNAPSHOTS = ROOT / "crates/report/src/check/snapshots"

# Lone surrogates included: a Python text may have them.
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    ["", "a\nb\r\n", "]]><&>\"'", "100%::error::,", "\x00\x1b[31m\x7f\x85", "f({0: {}})", "ñ/ü.py"]
)
FILES = st.sampled_from(["src/demo.py", "/usr/lib/x.py", "./a b:%ñ.py", "../up.py"])
LINES = st.integers(1, 9)
COLUMNS = st.none() | st.integers(1, 99)

PLACE = {
    "file": FILES,
    "line": LINES,
    "column": COLUMNS,
    "end_line": st.none() | LINES,
    "end_column": COLUMNS,
}
FRAMES = st.fixed_dictionaries({**PLACE, "function": ANY_TEXT, "source": ANY_TEXT})
EXCEPTIONS = st.fixed_dictionaries({"type": ANY_TEXT, "message": ANY_TEXT})
CLAUSES = st.fixed_dictionaries(
    {"kind": ANY_TEXT, "text": ANY_TEXT, "file": st.none() | FILES, "line": st.none() | LINES}
)


def _finding(code, fields):
    return {**fields, "code": code.code, "name": code.name, "severity": code.severity}


FINDINGS = st.builds(
    _finding,
    st.sampled_from(CODES),
    st.fixed_dictionaries(
        {
            **PLACE,
            "message": ANY_TEXT,
            "function": ANY_TEXT,
            "call": st.none() | ANY_TEXT,
            "setup": st.lists(ANY_TEXT, max_size=2),
            "exception": st.none() | EXCEPTIONS,
            "contract": st.none() | CLAUSES,
            "trace": st.lists(FRAMES, max_size=3),
            "notes": st.lists(ANY_TEXT, max_size=2),
            "hint": st.none() | ANY_TEXT,
            "fingerprint": st.sampled_from(["0a", "0b", "0c"]),
        }
    ),
)
FUNCTIONS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["demo:f", "demo:C.g", "pkg.mod:h"]),
        "file": FILES,
        "line": LINES,
        "verdict": st.sampled_from(["error", "proved", "no-error-found", "not-analysed"]),
        "reasons": st.lists(ANY_TEXT, max_size=2),
        "paths": st.integers(0, 2000),
        "depth": st.integers(0, 20),
        "seconds": st.floats(0, 1e4),
        "cached": st.booleans(),
    }
)
REPORTS = st.tuples(st.lists(FINDINGS, max_size=2), st.lists(FUNCTIONS, max_size=2))


def written(report, format_name, *, interrupted=False, **look):
    """Return the whole report in a format."""
    findings, functions = report
    stream = _native.CheckStream(format_name, version="1.2.3", rules=rules(), **look)
    pieces = [stream.finding(json.dumps(each)) for each in findings]
    pieces += [stream.function(json.dumps(each)) for each in functions]
    return "".join([*pieces, stream.closing(seconds=0.5, interrupted=interrupted)])


def sample(name):
    """Return the report of the Rust tests in a format, which has every field filled somewhere."""
    return (SNAPSHOTS / f"{name}.snap").read_text(encoding="utf-8").split("---\n", 2)[2]


some = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def is_lone(text):
    return any("\ud800" <= character <= "\udfff" for character in text)


@pytest.fixture(scope="module")
def own_schema():
    schema = read(ROOT / "docs/check.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def sarif_schema():
    return jsonschema.Draft7Validator(read(SCHEMAS / "sarif-schema-2.1.0.json"))


@pytest.fixture(scope="module")
def junit_schema():
    return xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))


# JSON


def test_the_sample_is_what_the_schema_says(own_schema):
    own_schema.validate(json.loads(sample("json")))


@some
@given(REPORTS)
def test_json_is_what_the_schema_says(own_schema, report):
    own_schema.validate(json.loads(written(report, "json")))


@some
@given(REPORTS)
def test_json_lines_are_the_parts_of_the_object(report):
    kinds = {"finding": [], "function": [], "summary": []}
    for line in written(report, "json-lines").splitlines():
        part = json.loads(line)
        kinds[part.pop("kind")].append(part)
    whole = json.loads(written(report, "json"))
    assert [whole["summary"]] == kinds["summary"]
    for name in ("finding", "function"):
        assert len(whole[f"{name}s"]) == len(kinds[name])
        assert all(part in whole[f"{name}s"] for part in kinds[name])


@pytest.mark.parametrize(
    "keys",
    [
        ("summary",),
        ("summary", "warnings"),
        ("findings", 0, "fingerprint"),
        ("findings", 0, "trace", 0, "function"),
        ("findings", 1, "contract", "text"),
        ("functions", 0, "cached"),
    ],
)
def test_the_schema_notices_a_missing_field(own_schema, keys):
    damaged = part = json.loads(sample("json"))
    for key in keys[:-1]:
        part = part[key]
    del part[keys[-1]]
    assert not own_schema.is_valid(damaged)


def test_the_schema_notices_an_unknown_verdict_and_field(own_schema):
    strange = json.loads(sample("json"))
    strange["functions"][0]["verdict"] = "fine"
    assert not own_schema.is_valid(strange)
    longer = json.loads(sample("json"))
    longer["findings"][0]["colour"] = "red"
    assert not own_schema.is_valid(longer)


# SARIF


def test_the_sample_is_sarif(sarif_schema):
    sarif_schema.validate(json.loads(sample("sarif")))


@some
@given(REPORTS)
def test_sarif_is_valid(sarif_schema, report):
    log = json.loads(written(report, "sarif"))
    sarif_schema.validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(report[0])
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} {rule['name']}\n")
        for flow in result.get("codeFlows", []):
            assert flow["threadFlows"][0]["locations"]


@some
@given(FINDINGS)
def test_a_place_in_sarif_is_the_place_of_the_finding(finding):
    (result,) = json.loads(written(([finding], []), "sarif"))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    path = unquote(urlsplit(place["artifactLocation"]["uri"]).path)
    assert path == finding["file"].removeprefix("./")
    region = place["region"]
    assert region["startLine"] == finding["line"]
    assert region.get("startColumn") == finding["column"]
    start = (region["startLine"], region.get("startColumn", 1))
    end = (region.get("endLine", start[0]), region.get("endColumn", start[1]))
    assert start <= end


@some
@given(FINDINGS)
def test_a_message_of_sarif_has_no_placeholders(finding):
    (result,) = json.loads(written(([finding], []), "sarif"))["runs"][0]["results"]
    text = result["message"]["text"]
    assert not re.search(r"[{}]", text.replace("{{", "").replace("}}", ""))
    if not is_lone(finding["call"] or ""):
        assert result["properties"]["call"] == (finding["call"] or None)


def test_an_interrupted_run_was_not_successful():
    for interrupted in (False, True):
        log = json.loads(written(([], []), "sarif", interrupted=interrupted))
        (invocation,) = log["runs"][0]["invocations"]
        assert invocation["executionSuccessful"] is not interrupted


def test_what_was_not_analysed_is_a_notification_of_sarif():
    log = json.loads(sample("sarif"))
    (invocation,) = log["runs"][0]["invocations"]
    texts = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]
    assert [text.partition(" ")[0] for text in texts] == ["demo:early", "demo:late"]


# JUnit


def test_the_sample_is_junit(junit_schema):
    junit_schema.validate(sample("junit"))


@some
@given(REPORTS)
def test_junit_is_valid_and_counts_right(junit_schema, report):
    text = written(report, "junit")
    junit_schema.validate(text)
    root = ElementTree.fromstring(text.encode())
    for suite in root.iter("testsuite"):
        cases = list(suite.iter("testcase"))
        assert len(cases) == int(suite.get("tests"))
        failed = [case for case in cases if case.find("failure") is not None]
        assert len(failed) == int(suite.get("failures"))
        assert len(list(suite.iter("skipped"))) == int(suite.get("skipped"))
    errors = [finding for finding in report[0] if finding["severity"] == "error"]
    assert len(list(root.iter("failure"))) == len(errors)
    assert int(root.get("tests")) == len(list(root.iter("testcase")))


# GitLab


@some
@given(REPORTS)
def test_gitlab_gets_what_its_documentation_asks_for(report):
    issues = json.loads(written(report, "gitlab"))
    assert len(issues) == len(report[0])
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert isinstance(issue["description"], str)
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert not issue["location"]["path"].startswith("./")
        assert issue["location"]["lines"]["begin"] >= 1
    prints = [issue["fingerprint"] for issue in issues]
    assert len(set(prints)) == len(prints)


# GitHub


def commands(text):
    """Read workflow commands as the runner does."""
    for line in text.splitlines():
        found = re.fullmatch(r"::(error|warning|notice) ([^:]*(?::[^:]+)*?)::(.*)", line)
        assert found, line
        pairs = [pair.split("=", 1) for pair in found[2].split(",")]
        yield found[1], {name: plain(value) for name, value in pairs}, plain(found[3])


def plain(text):
    for escaped, character in (
        ("%0D", "\r"),
        ("%0A", "\n"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%25", "%"),
    ):
        text = text.replace(escaped, character)
    return text


@some
@given(FINDINGS)
def test_a_command_of_github_carries_the_finding(finding):
    text = written(([finding], []), "github")
    assert text.count("\n") == 1 and "\r" not in text
    ((command, properties, message),) = commands(text)
    assert command == finding["severity"]
    assert properties["file"] == finding["file"]
    assert properties["line"] == str(finding["line"])
    assert properties["title"] == f"{finding['code']} {finding['name']}"
    assert "fails with" in message or not finding["call"]


# Text


@some
@given(REPORTS)
def test_text_for_people_has_no_control_characters_of_the_program(report):
    for format_name in ("full", "concise"):
        text = written(report, format_name)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
        assert text.endswith(" in 0.5 s\n")


@some
@given(REPORTS)
def test_quiet_is_a_line_for_each_finding(report):
    text = written(report, "full", quiet=True)
    assert text.count("\n") == len(report[0])


def test_the_call_is_one_line_that_can_be_pasted():
    call = "f({0: 'a\\n'}, [" + "1, " * 200 + "])"
    finding = {
        **json.loads(sample("json"))["findings"][0],
        "call": call,
    }
    assert f"= fails with: {call}\n" in written(([finding], []), "full", width=80)


# Mistakes


def test_a_wrong_element_is_refused_with_a_reason():
    finding = json.loads(sample("json"))["findings"][0]
    for damaged, reason in (
        ({**finding, "colour": "red"}, "unknown field `colour`"),
        ({**finding, "line": "one"}, "invalid type: string"),
        ({"code": "PEF001"}, "missing field `name`"),
    ):
        with pytest.raises(ValueError, match=reason):
            written(([damaged], []), "json")
    with pytest.raises(ValueError, match="unknown output format 'xml'"):
        written(([], []), "xml")
