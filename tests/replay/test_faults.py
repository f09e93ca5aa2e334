"""Programs that do not end well: the client always gets an answer, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pef.isolation.stint import most
from pef.replay.client import ReplayError

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def commands_with(marker):
    """Return the command lines of running processes that contain the marker."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            command = (folder / "cmdline").read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue
        if marker in command:
            found.append(command)
    return found


def vanishes(pid):
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def test_a_segfault_is_a_crash_with_its_signal_and_last_output(faulty):
    outcome = faulty("segfault").replay([])
    assert (outcome.status, outcome.detail) == ("crash", "SIGSEGV")
    assert outcome.stdout == "last words\n"


def test_an_abort_is_a_crash(faulty):
    assert faulty("abort").replay([]).detail == "SIGABRT"


def test_leaving_through_os_exit_is_not_a_return(faulty):
    for status in (0, 3):
        outcome = faulty("exits").replay([str(status)])
        assert (outcome.status, outcome.detail) == ("exit", f"status {status}")


@pytest.mark.parametrize("name", ["spins", "stubborn"])
def test_a_call_that_does_not_end_is_cut_off_at_the_limit(faulty, name):
    replayer = faulty(name, timeout=2)
    replayer.start()
    started = time.monotonic()
    outcome = replayer.replay([])
    assert (outcome.status, outcome.detail) == ("timeout", "not done after 2 s")
    is_busy = os.getloadavg()[0] > (os.cpu_count() or 1)  # then it gets its time later
    assert outcome.seconds < (most(2) if is_busy else 1.2 * 2)
    assert time.monotonic() - started < 20
    assert outcome.stdout == ("spinning\n" if name == "spins" else "")


def test_one_call_may_have_less_time_than_the_others(faulty):
    replayer = faulty("spins", timeout=60)
    outcome = replayer.replay([], timeout=0.3)
    assert (outcome.status, outcome.detail) == ("timeout", "not done after 0.3 s")


def test_endless_output_is_cut_not_stored(faulty):
    outcome = faulty("prints_forever", timeout=0.5).replay([])
    assert outcome.status == "timeout"
    assert outcome.stdout.endswith("[output cut after 1048576 bytes]\n")
    assert len(outcome.stdout) < 1_100_000


@linux_only
@pytest.mark.parametrize("session", [False, True])
def test_processes_the_call_started_end_with_it(faulty, session):
    marker = f"left-behind-{os.getpid()}-{session}"
    assert faulty("leaves_process").replay([repr(marker), repr(session)]).status == "returned"
    assert commands_with(marker) == []


def test_closing_every_descriptor_is_an_exit_not_a_hang(faulty):
    assert faulty("closes_everything", timeout=2).replay([]).status == "exit"


def test_writing_into_our_pipe_is_not_taken_for_an_answer(faulty):
    replayer = faulty("forges", timeout=2)
    assert replayer.replay([]).status in ("returned", "exit", "timeout")
    assert replayer.replay([]).result != "hello"


@linux_only
def test_a_killed_worker_is_replaced_once_and_then_blamed_on_the_call(faulty, replayer):
    outcome = faulty("kills_worker").replay([])
    assert outcome.status == "crash"
    assert outcome.detail == "the replay process died: Killed"


def test_requests_behind_a_killed_worker_are_not_lost(replayer):
    source = (
        "import os, signal, time\n"
        "def f(n):\n"
        "    if n == 3:\n"
        "        os.kill(os.getppid(), signal.SIGKILL)\n"
        "        time.sleep(600)\n"
        "    return n\n"
    )
    replay = replayer(source, "f")
    tickets = [replay.submit([str(number)]) for number in range(8)]
    statuses = [replay.result(ticket).status for ticket in tickets]
    assert statuses == ["returned"] * 3 + ["crash"] + ["returned"] * 4


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(:\n", "SyntaxError"),
        ("raise ValueError('at import')\n", "ValueError: at import"),
        ("import missing_module_of_this_test\n", "ModuleNotFoundError"),
        ("import sys\nsys.exit(1)\n", "SystemExit: 1"),
        ("import os\nos._exit(4)\n", "exit status 4"),
        ("import ctypes\nctypes.string_at(0)\n", "Segmentation fault"),
    ],
)
def test_a_target_that_cannot_be_imported_is_an_error_with_the_reason(replayer, source, reason):
    replay = replayer(source, "f")
    with pytest.raises(ReplayError, match=reason):
        replay.replay([])
    with pytest.raises(ReplayError, match=reason):
        replay.replay([])


def test_an_import_that_does_not_end_is_given_up(replayer):
    replay = replayer("while True:\n    pass\n", "f", import_timeout=0.5)
    with pytest.raises(ReplayError, match="not done after 0.5 s"):
        replay.replay([])


def test_a_missing_function_is_an_error(faulty):
    with pytest.raises(ReplayError, match="AttributeError"):
        faulty("nothing_here").replay([])


def test_closing_ends_the_worker_in_the_middle_of_a_call(faulty):
    replayer = faulty("spins", timeout=60)
    replayer.submit([])
    time.sleep(0.2)
    pid = replayer._process.pid
    started = time.monotonic()
    replayer.close()
    assert time.monotonic() - started < 2
    assert vanishes(pid)


@linux_only
def test_a_killed_client_leaves_nothing_behind(tmp_path):
    marker = f"orphan_{os.getpid()}"
    (tmp_path / f"{marker}.py").write_text("def f():\n    while True: pass\n")
    client = (
        "import os, signal, sys, time, types\n"
        "from pef.replay.client import Replayer\n"
        f"target = types.SimpleNamespace(path={str(tmp_path / (marker + '.py'))!r}, "
        f"module_name={marker!r}, qualname='f')\n"
        f"replayer = Replayer(target, [{str(tmp_path)!r}], timeout=60)\n"
        "replayer.submit([])\n"
        "while not replayer._process.ready: replayer._exchange(0.05)\n"
        "time.sleep(0.2)\n"
        "print(replayer._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", client], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL
    assert vanishes(int(done.stdout))


def test_an_unknown_number_is_refused(faulty):
    replayer = faulty("quiet")
    ticket = replayer.submit([])
    assert replayer.result(ticket).result == "7"
    with pytest.raises(KeyError):
        replayer.result(ticket)
