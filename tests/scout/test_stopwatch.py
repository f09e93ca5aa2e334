"""The time of the scout: what it had, not what passed."""

from types import SimpleNamespace

import pytest

from pef.scout import stopwatch


@pytest.fixture
def machine(monkeypatch):
    now = SimpleNamespace(passed=500.0, worked=7.0)
    monkeypatch.setattr(stopwatch.time, "monotonic", lambda: now.passed)
    monkeypatch.setattr(stopwatch.time, "process_time", lambda: now.worked)
    return now


def test_on_a_busy_machine_only_time_on_a_processor_counts(machine):
    clock = stopwatch.time_had()
    assert clock() == 0
    machine.passed += 2
    machine.worked += 1
    assert clock() == pytest.approx(1)


def test_who_only_waits_is_done_some_day(machine):
    clock = stopwatch.time_had()
    machine.passed += 30
    assert 1 < clock() < 30
