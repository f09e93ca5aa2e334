"""Two processes on one function: they find what one finds, once, and none is missed if it dies."""

import json
import os
import signal
import struct
import sys
import time

import pytest

from pef.checking.sharing import Claims, Lock, Tokens
from pef.isolation.pulse import CALLING, CHOOSING, IDLE, Pulse, shared_file

QUICKSORT = """
    def quicksort(numbers: list[int]) -> list[int]:
        if len(numbers) <= 1:
            return numbers
        pivot = numbers[0]
        smaller = [number for number in numbers[1:] if number < pivot]
        others = [number for number in numbers[1:] if number >= pivot]
        return quicksort(smaller) + [pivot] + quicksort(others)

    def sort(numbers: list[int]) -> list[int]:
        '''
        pre: len(numbers) == 7
        post: sorted(__return__)[0] == __return__[0]
        '''
        return quicksort(numbers)
"""


def facts(checked, name):
    [found] = [each for each in checked.report["functions"] if each["name"].endswith(f":{name}")]
    return found


@pytest.mark.parametrize("jobs", ["1", "2", "5"])
def test_every_path_is_explored_once_however_many_processes_share_them(project, jobs):
    project.write(m=QUICKSORT)
    checked = project.check("m.py:sort", "--timeout", "60", "-j", jobs)
    found = facts(checked, "sort")
    assert (found["verdict"], found["paths"]) == ("proved", 5040), found["reasons"]


TRACED = """
    def divide(numbers: list[int], trace: list[str]) -> None:
        if len(numbers) < 2:
            return
        pivot, smaller, others = numbers[0], [], []
        for number in numbers[1:]:
            if number < pivot:
                smaller.append(number)
                trace.append("<")
            else:
                others.append(number)
                trace.append(">")
        divide(smaller, trace)
        divide(others, trace)

    def sort(numbers: list[int]) -> int:
        '''
        pre: len(numbers) == 7
        '''
        trace: list[str] = []
        divide(numbers, trace)
        return 1 // ("".join(trace) != "><<<>><><<<")
"""


def test_a_failure_of_one_path_in_thousands_is_found_whoever_explores_it(project):
    project.write(m=TRACED)
    for jobs in ("1", "2", "4"):
        checked = project.check("m.py:sort", "--timeout", "60", "-j", jobs)
        [found] = checked.report["findings"]
        assert (found["name"], found["line"]) == ("undeclared-exception", 22), jobs
        assert project.fails(found)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_part_that_is_killed_leaves_no_proof(project):
    project.write(m=QUICKSORT.replace("== 7", "== 8"))
    words = "m.py:sort", "-j", "2", "--timeout", "4", "--no-cache", "--output-format", "json"
    running = project.start(*words)
    for each in _helpers(running):
        os.kill(each, signal.SIGKILL)
    out, err = running.communicate(timeout=60)
    [found] = json.loads(out)["functions"]
    assert found["verdict"] == "no-error-found", (found, err)


def _helpers(running):
    """What the worker has forked after a while: a process to share with, and the scout."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and running.poll() is None:
        for worker in _children(running.pid):  # its server, before
            if _children(worker):
                time.sleep(0.5)
                return _children(worker)
        time.sleep(0.005)
    raise AssertionError("nobody shared")


def _children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return [int(each) for each in children.read().split()]
    except FileNotFoundError:
        return []


@pytest.fixture
def page():
    descriptor = shared_file()
    yield descriptor
    os.close(descriptor)


def test_each_token_is_taken_once(page):
    pulse = Pulse(page)
    tokens = Tokens(pulse)
    for _ in range(3):
        tokens.issue()
    children = []
    for _ in range(8):
        pid = os.fork()
        if pid == 0:
            os._exit(Claims(Pulse(page), Lock(page)).take() is not None)
        children.append(pid)
    taken = sum(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children)
    assert taken == 3
    assert not tokens.is_left


def test_only_one_process_scouts_in_the_end(page):
    claims = Claims(Pulse(page), Lock(page))
    assert [claims.scout() for _ in range(3)] == [True, False, False]


def test_a_failure_that_was_refuted_is_none(page):
    pulse = Pulse(page)
    claims = Claims(pulse, Lock(page))
    assert not claims.has_failed
    claims.suspect(2)
    Tokens(pulse).refute()
    assert claims.has_failed
    Tokens(pulse).refute()
    assert not claims.has_failed


def test_what_the_engine_shows_does_not_disturb_the_tokens(page):
    pulse = Pulse(page)
    Tokens(pulse).issue()
    pulse.count = 7
    pulse.clear()
    claims = Claims(pulse, Lock(page))
    assert claims.is_asked
    assert claims.take() is not None
    assert not claims.is_asked


def test_a_process_that_has_left_does_not_speak_for_the_others(page):
    pulse = Pulse(page)
    for line, beats, phase in ((memoryview(pulse.page), 5, 1), (pulse.line(3), 7, 3)):
        line[:16] = struct.pack("=QQ", beats, phase)
    assert (pulse.beats, pulse.phase) == (12, CHOOSING)
    pulse.leave(memoryview(pulse.page))
    assert (pulse.beats, pulse.phase) == (7, CALLING)
    pulse.leave(pulse.line(3))
    assert (pulse.beats, pulse.phase) == (0, IDLE)


IMPORTED = """
    import os

    def note(word):
        with open("log", "a") as log:
            log.write(f"{word} {os.getpid()}\\n")

    note("begin")
    sum(range(2_000_000))
    note("end")

    def double(x: int) -> int:
        return 2 * x
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_so_many_modules_are_loaded_at_a_time_as_there_are_jobs(project, jobs):
    """With several, a replay may import one beside the others."""
    project.write(**{f"m{number}": IMPORTED for number in range(6)})
    checked = project.check(".", "--allow", "all", "-j", str(jobs))
    assert [each["verdict"] for each in checked.report["functions"]].count("proved") == 6
    loading, most = set(), 0
    for line in (project.folder / "log").read_text().splitlines():
        word, pid = line.split()
        (loading.add if word == "begin" else loading.remove)(pid)
        most = max(most, len(loading))
    assert jobs <= most <= (1 if jobs == 1 else jobs + 1)
