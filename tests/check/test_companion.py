"""The scout beside the search: whoever searches knows when to look after it."""

from types import SimpleNamespace

import pytest

from pef.checking import scouting
from pef.checking.scouting import Companion


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(scouting, "monotonic", lambda: now.seconds)
    return now


@pytest.fixture
def ended(monkeypatch):
    """Scouts that are forked are none; whether they are back is said by the test."""
    back = SimpleNamespace(status=(0, 0))
    monkeypatch.setattr(scouting, "_fork", lambda *_: 4321)
    monkeypatch.setattr(scouting, "_told", lambda *_: 2)
    monkeypatch.setattr(scouting.os, "waitpid", lambda *_: back.status)
    return back


def test_it_is_due_when_it_sets_out_and_when_it_should_be_back(clock, ended):
    companion = Companion(SimpleNamespace(seconds=2.0), None, 0.5)
    assert companion.is_due_in() == pytest.approx(0.5)
    clock.seconds += 0.75
    assert companion.is_due_in() == 0.0
    assert companion.poll() == 0
    assert companion.is_due_in() == pytest.approx(1.75)
    clock.seconds += 5
    assert companion.is_due_in() == scouting._LATE_SECONDS
    ended.status = (4321, 0)
    assert companion.poll() == 2
    assert companion.is_due_in() is None


def test_what_its_calls_leave_behind_is_no_suspicion(project):
    project.write(
        full="""
        import zlib

        seen = {}


        def checksum(text: str) -> int:
            seen[text] = zlib.crc32(text.encode("utf-8", "replace"))
            return len(seen) // (len(seen) < 100)
        """
    )
    done = project.check("full.py", "--timeout", "4")
    assert not done.report["findings"]
    assert not any("not reproduced" in reason for reason in done.reasons("checksum"))


def test_whoever_searches_knows_of_a_failure_as_soon_as_it_is_sent(monkeypatch):
    told = []
    errand = SimpleNamespace(send=lambda kind, content: told.append((kind, content)))
    claims = SimpleNamespace(suspect=lambda failures: told.append(failures))
    sightings = type("Sightings", (list,), {})(["one", "two"])
    monkeypatch.setattr(scouting, "_scouting", lambda _: sightings)
    monkeypatch.setattr(scouting, "_suspicion", lambda sighting: sighting)
    assert scouting._go(errand, SimpleNamespace(claims=claims), SimpleNamespace(count=0), None) == 2
    assert told == [("suspicion", "one"), 1, ("suspicion", "two"), 1]
