"""The JSON report is what its schema says, and the schema is strict enough to notice."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
SNAPSHOTS = ROOT / "crates/report/src/snapshots"
SNAPSHOT = SNAPSHOTS / "pef_report__json__tests__fields_keep_their_documented_order.snap"


@pytest.fixture(scope="module")
def validator():
    schema = json.loads((ROOT / "docs/explore.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def sample():
    """Return the report of the Rust tests, which has every field filled somewhere."""
    return json.loads(SNAPSHOT.read_text(encoding="utf-8").split("---\n", 2)[2])


@pytest.fixture(scope="module")
def first():
    command = [sys.executable, "-m", "pef", "explore", "examples/first.py:suma_con_bug"]
    done = subprocess.run(
        [*command, "--output-format", "json"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_the_sample_of_the_report_crate_is_valid(validator, sample):
    validator.validate(sample)


def test_a_real_report_is_valid(validator, first):
    validator.validate(first)


def test_a_real_report_says_what_is_documented(first):
    assert (first["function"], first["file"], first["line"]) == (
        "first:suma_con_bug",
        "examples/first.py",
        3,
    )
    bug, answer = first["paths"][:2]
    assert (bug["call"], bug["args"], bug["kwargs"]) == ("suma_con_bug(42, 0)", ["42", "0"], {})
    assert (bug["outcome"], bug["result"], bug["reproduced"]) == ("raised", None, True)
    assert bug["exception"] == {
        "type": "Exception",
        "message": "Bug",
        "file": "examples/first.py",
        "line": 12,
    }
    assert (bug["stdout"], bug["stderr"]) == ("La gran respuesta.\n", "")
    assert bug["condition"] == ["a + b == 42", "a - b == 42"]
    decision = bug["decisions"][0]
    if sys.version_info >= (3, 11):
        assert decision.pop("column") == 8
    else:
        decision.pop("column")
    assert decision == {
        "file": "examples/first.py",
        "line": 8,
        "kind": "if",
        "outcome": True,
        "free": True,
    }
    assert (bug["depth"], bug["pins"]) == (2, [])
    assert (answer["call"], answer["result"]) == ("suma_con_bug(41, 1)", "42")
    summary = first["summary"]
    assert [summary[key] for key in ("paths", "returned", "raised", "pruned", "depth")] == [
        4,
        2,
        2,
        0,
        2,
    ]
    assert (summary["exhaustive"], summary["open"]) == (True, [])


def drop(report, *keys):
    for key in keys[:-1]:
        report = report[key]
    del report[keys[-1]]


@pytest.mark.parametrize(
    "keys",
    [
        ("summary",),
        ("paths", 0, "call"),
        ("paths", 0, "exception", "type"),
        ("paths", 0, "decisions", 0, "free"),
        ("paths", 1, "contract", "text"),
        ("paths", 1, "pins", 0, "reason"),
        ("summary", "not_reproduced"),
        ("summary", "coverage", "missing", 0, "outcome"),
    ],
)
def test_a_missing_field_is_noticed(validator, sample, keys):
    damaged = copy.deepcopy(sample)
    drop(damaged, *keys)
    assert not validator.is_valid(damaged)


def test_an_unknown_field_or_outcome_is_noticed(validator, sample):
    renamed = copy.deepcopy(sample)
    renamed["paths"][0]["outcom"] = renamed["paths"][0].pop("outcome")
    assert not validator.is_valid(renamed)
    strange = copy.deepcopy(sample)
    strange["paths"][0]["outcome"] = "vanished"
    assert not validator.is_valid(strange)
