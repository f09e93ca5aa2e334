"""Reports for the tests of formats: any text anywhere, written by the native stream."""

import json

import pef._z3  # noqa: F401  (the native module needs its library loaded)
from hypothesis import strategies as st
from pef import _native
from pef.check.codes import CODES
from pef.check.explain import rules

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
    from pathlib import Path

    folder = Path(__file__).parents[2] / "crates/report/src/check/snapshots"
    return (folder / f"{name}.snap").read_text(encoding="utf-8").split("---\n", 2)[2]
