"""How many looks a suspicion takes, and what they say together."""

import pytest

from pef.checking.weighing import Look, settled
from pef.replay.client import Outcome


def look(name=None, line=3, **facts):
    """A replay that shows a finding of that name, or none."""
    outcome = Outcome("returned", "7", "int", None, "", "", None, 0.1, **facts)
    if name is None:
        return Look(outcome, None)
    found = {
        **{"code": "PEF002", "name": name, "severity": "error", "message": f"{name} at {line}"},
        **{"function": "shop:total", "file": "shop.py", "line": line, "call": "total(0)"},
        **{"exception": {"type": "KeyError", "message": ""}, "contract": None, "trace": []},
        "fingerprint": "",
    }
    return Look(outcome, found)


def test_a_failure_must_show_twice():
    assert settled([look("missing-key")])[0] is False
    is_enough, found = settled([look("missing-key"), look("missing-key")])
    assert is_enough
    assert found["name"] == "missing-key"


def test_a_failure_that_depends_on_nothing_outside_shows_once():
    is_enough, found = settled([look("missing-key", contained=True)])
    assert is_enough
    assert found["name"] == "missing-key"


def test_a_call_that_goes_well_needs_no_second_look():
    assert settled([look()]) == (True, None)


def test_a_timeout_is_believed_at_once():
    is_enough, found = settled([look("timeout")])
    assert is_enough
    assert found["name"] == "timeout"


@pytest.mark.parametrize(
    "looks",
    [
        [look("missing-key"), look()],
        [look("missing-key"), look("missing-key", line=5)],
        [look(varies=True), look("missing-key", varies=True)],
        [*[look("missing-key", varies=True)] * 5, look(varies=True)],
    ],
)
def test_what_differs_is_flaky(looks):
    is_enough, found = settled(looks)
    assert is_enough
    assert found["name"] == "flaky"


def test_a_call_that_may_differ_each_time_is_made_eight_times():
    for name in (None, "missing-key"):
        counts = [settled([look(name, varies=True)] * count)[0] for count in range(1, 9)]
        assert counts == [False] * 7 + [True]
    assert settled([look("missing-key", varies=True)] * 8)[1]["name"] == "missing-key"
