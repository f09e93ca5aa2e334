"""What a finding says: its call, ready to be pasted, and what two replays say together."""

import json

from pef.checking.findings import Subject, finding, steady
from pef.replay.client import Outcome, Raised

SUBJECT = Subject("shop", "total", "shop.py", 1)
SUSPICION = {
    "args": ["0"],
    "kwargs": {},
    "variables": {},
    "outcome": "raised",
    "exception": "KeyError",
    "contract": None,
    "notes": [],
}


def raised(kind, line):
    frame = {"file": "shop.py", "function": "total", "line": line, "end_line": None}
    frame.update(column=None, end_column=None, project=True)
    kinds = [kind, "Exception", "BaseException"]
    facts = {"kinds": kinds, "explicit": False, "frames": [frame]}
    evidence = json.dumps(facts)
    return Outcome(
        "raised", None, None, Raised(kind, "7", "shop.py", line, evidence), "", "", None, 0.1
    )


def found(outcome):
    return finding(SUBJECT, SUSPICION, outcome, False)


RETURNED = Outcome("returned", "7", "int", None, "", "", None, 0.1)


def test_a_call_that_fails_the_same_way_twice_is_the_finding_it_was():
    first, second = found(raised("KeyError", 3)), found(raised("KeyError", 3))
    assert steady(first, second, raised("KeyError", 3)) is first
    assert (first["name"], first["severity"]) == ("missing-key", "error")


def test_a_call_that_does_not_fail_again_is_flaky_and_only_a_warning():
    flaky = steady(found(raised("KeyError", 3)), found(RETURNED), RETURNED)
    assert (flaky["code"], flaky["name"], flaky["severity"]) == ("PEF036", "flaky", "warning")
    assert flaky["message"] == "KeyError: 7; the same call again: returned 7"
    assert flaky["call"] == "total(0)"


def test_a_call_that_fails_elsewhere_the_second_time_is_flaky():
    first, other = found(raised("KeyError", 3)), raised("KeyError", 5)
    assert steady(first, found(other), other)["name"] == "flaky"


def test_names_that_arguments_bind_themselves_are_not_imported():
    suspicion = {**SUSPICION, "args": ["(x := Item([]))", "x", "lambda a: a", "a"]}
    (line,) = finding(SUBJECT, suspicion, raised("KeyError", 3), False)["setup"]
    assert line == "from shop import Item, a, total"


def setup_of(module):
    suspicion = {**SUSPICION, "args": ["Item([])"]}
    subject = SUBJECT._replace(module=module)
    return finding(subject, suspicion, raised("KeyError", 3), False)["setup"]


def test_names_of_a_module_that_no_statement_can_name_are_imported_by_a_call(tmp_path, monkeypatch):
    (tmp_path / "01_x.py").write_text("Item = list\ntotal = len\n")
    monkeypatch.syspath_prepend(tmp_path)
    lines = setup_of("01_x")
    assert lines == ["Item = __import__('01_x').Item", "total = __import__('01_x').total"]
    namespace = {}
    exec("\n".join(lines), namespace)
    assert namespace["total"] is len


def test_a_keyword_is_no_name_of_a_module():
    assert setup_of("class")[0] == "Item = __import__('class').Item"


def test_a_module_of_a_package_that_no_statement_can_name_is_imported_by_a_call():
    assert setup_of("shop.2nd") == [
        "import importlib",
        "Item = importlib.import_module('shop.2nd').Item",
        "total = importlib.import_module('shop.2nd').total",
    ]
