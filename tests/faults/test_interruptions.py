"""Rows 24 and 25: what users, disks and other runs do to a check."""

import json
import os
import resource
import signal
import sqlite3
import time

import pytest

SLOW = """
    def f(n: int) -> int:
        i = 0
        while i < n:
            i += 1
        return i
"""


def reported(running):
    """The report of a check that is to end by itself, and what it says besides."""
    out, err = running.communicate(timeout=100)
    return json.loads(out), err.decode()


def wait_for(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def family():
    """The parent of every process."""
    parents = {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as stat:
                parents[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    return parents


def workers_of(front):
    """The processes that explore: those that a server has started, and that lead a group."""
    parents = family()
    servers = [pid for pid, parent in parents.items() if parent == front and pid == session(pid)]
    found = [pid for pid, parent in parents.items() if parent in servers]
    return [pid for pid in found if group(pid) == pid]


def session(pid):
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return 0


def group(pid):
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


@pytest.mark.row(24)
def test_ctrl_c_prints_what_is_known_and_leaves_a_cache_that_is_whole(bench):
    bench.write("", name="a")
    bench.write(SLOW, name="b")
    running = bench.start("a.py", "b.py", "--timeout", "60", "-j", "1")
    seen = os.read(running.stdout.fileno(), 1 << 16)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert b"sibling(0)" in seen + out
    assert b"interrupted" in out
    assert bench.processes() == bench.locks() == list(bench.temporary.iterdir()) == []
    report, err = reported(bench.start("a.py", "--timeout", "60", "--output-format", "json"))
    assert [each["cached"] for each in report["functions"]] == [True], err


@pytest.mark.row(9, 24)
def test_a_worker_that_somebody_kills_is_started_again(bench):
    bench.write(SLOW)
    words = ("m.py", "--no-cache", "--timeout", "4", "--output-format", "json", "-j", "1")
    running = bench.start(*words)
    for pid in wait_for(lambda: workers_of(running.pid)):
        os.kill(pid, signal.SIGKILL)
    report, err = reported(running)
    verdicts = {each["name"]: each["verdict"] for each in report["functions"]}
    assert verdicts == {"m:f": "no-error-found", "m:sibling": "error"}, err
    assert [each["call"] for each in report["findings"]] == ["sibling(0)"]
    assert running.returncode == 1
    assert bench.processes() == []


@pytest.mark.row(9)
def test_what_was_killed_is_started_again_when_no_other_worker_runs(bench):
    slow = "".join(
        f"""
    def f{number}(n: int) -> int:
        i = 0
        while i < n:
            i += 1
        return i
        """
        for number in range(3)
    )
    bench.write(slow)
    words = ("m.py", "--no-cache", "--timeout", "2", "--output-format", "json", "-j", "2")
    running = bench.start(*words)
    first = wait_for(lambda: (pids := workers_of(running.pid))[1:] and sorted(pids))
    os.kill(first[0], signal.SIGKILL)
    crowds = []
    while running.poll() is None:
        crowds.append(workers_of(running.pid))
        time.sleep(0.02)
    report, err = reported(running)
    assert {each["verdict"] for each in report["functions"]} == {"no-error-found", "error"}, err
    again = next(pid for crowd in crowds for pid in crowd if pid not in first)
    assert [crowd for crowd in crowds if again in crowd and len(crowd) > 1] == []


@pytest.mark.row(24)
def test_a_check_that_is_asked_to_end_leaves_nothing(bench):
    bench.write(SLOW)
    running = bench.start("m.py", "--no-cache", "--timeout", "20")
    wait_for(lambda: workers_of(running.pid))
    running.terminate()
    running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGTERM
    assert bench.processes() == []
    assert list(bench.temporary.iterdir()) == []


@pytest.mark.row(24)
@pytest.mark.parametrize("words", [(), ("--output-format", "json")], ids=["full", "json"])
def test_a_report_that_finds_no_room_is_one_clear_line(bench, words):
    bench.write("")
    with open("/dev/full", "wb") as full:
        running = bench.start("m.py", "--no-cache", *words, stdout=full)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert err.decode() == "pef: error: cannot write: No space left on device\n"
    assert bench.processes() == list(bench.temporary.iterdir()) == []


@pytest.mark.row(24)
def test_a_disk_that_is_full_costs_the_cache_what_is_new_and_nothing_else(bench):
    bench.write("")
    report, _ = reported(bench.start("m.py", "--output-format", "json"))
    [cache] = (bench.folder / ".pef_cache").glob("*.sqlite")
    room = cache.stat().st_size  # no file may grow beyond what this one has
    many = "".join(f"    def f{n}(x: int) -> int:\n        return {n} // x\n" for n in range(60))
    bench.write(many, name="n")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    running = bench.start("m.py", "n.py", "--output-format", "json", preexec_fn=limited)
    report, err = reported(running)
    assert len(report["findings"]) == 62
    assert running.returncode == 1
    assert "cannot be used" in err
    report, err = reported(bench.start("m.py", "--output-format", "json"))
    assert [each["cached"] for each in report["functions"]] == [True]
    assert err == ""
    assert bench.processes() == bench.locks() == []


def spoil(path):
    path.write_bytes(b"rubbish")


def age(path):
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 0")


def cut(path):
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.row(25)
@pytest.mark.parametrize("damage", [spoil, age, cut])
def test_a_cache_that_is_damaged_or_old_is_made_anew(bench, damage):
    bench.write("")
    for expected in (False, True):
        report, err = reported(bench.start("m.py", "--output-format", "json"))
        assert report["findings"][0]["call"] == "sibling(0)", err
        assert [each["cached"] for each in report["functions"]] == [expected]
    [cache] = (bench.folder / ".pef_cache").glob("*.sqlite")
    damage(cache)
    for expected in (False, True):
        report, err = reported(bench.start("m.py", "--output-format", "json"))
        assert report["findings"][0]["call"] == "sibling(0)", err
        assert [each["cached"] for each in report["functions"]] == [expected]
    assert bench.processes() == bench.locks() == []


@pytest.mark.row(25)
def test_two_checks_at_once_do_not_disturb_each_other(bench):
    bench.write("")
    both = [bench.start("m.py", "--output-format", "json") for _ in range(2)]
    for running in both:
        report, err = reported(running)
        assert report["findings"][0]["call"] == "sibling(0)", err
        assert running.returncode == 1
    assert bench.processes() == bench.locks() == []
