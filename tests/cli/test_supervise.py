"""However a command ends, the supervisor has an answer, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pef.cli.exits import INCOMPLETE, UsageError
from pef.cli.supervise import supervised


def crash():
    os.kill(os.getpid(), signal.SIGUSR1)


def spin():
    while True:
        pass


def leave_a_child_with_the_pipe():
    if os.fork() == 0:
        time.sleep(20)
    os._exit(5)


def complain():
    raise UsageError("wrong word")


def test_the_exit_code_of_the_command_is_handed_on():
    assert [supervised(lambda code=code: code, "f", 10) for code in (0, 1, 3)] == [0, 1, 3]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (lambda: os._exit(0), "f left the process (exit status 0) while it was explored"),
        (crash, "f crashed (SIGUSR1) while it was explored"),
        (leave_a_child_with_the_pipe, "f left the process (exit status 5)"),
    ],
)
def test_an_end_without_a_record_is_never_clean(command, said, capfd):
    started = time.monotonic()
    assert supervised(command, "f", 15) == INCOMPLETE
    assert said in capfd.readouterr().err
    assert time.monotonic() - started < 10


def test_a_command_that_does_not_end_is_killed(capfd):
    started = time.monotonic()
    assert supervised(spin, "f", 0.5) == INCOMPLETE
    assert time.monotonic() - started < 3
    assert "f did not end within 0.5 s" in capfd.readouterr().err


def test_output_and_complaints_of_the_command_are_shown(capfd):
    assert supervised(lambda: print("shown") or 0, "f", 10) == 0
    assert supervised(complain, "f", 10) == 2
    assert capfd.readouterr() == ("shown\n", "pef: error: wrong word\n")


def test_standard_input_is_empty(capfd):
    assert supervised(lambda: print(os.read(0, 9)) or 0, "f", 10) == 0
    assert capfd.readouterr().out == "b''\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs PDEATHSIG")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_supervisor_takes_the_command_with_it(number):
    script = (
        "import os, sys, time\n"
        "from pef.cli.supervise import supervised\n"
        "def command():\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(60)\n"
        "supervised(command, 'f', None)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    child = int(process.stdout.readline())
    process.send_signal(number)
    assert process.wait(5) == -number
    assert process.stdout.read() == "", "the pipe closes when the child is gone"
    with pytest.raises(ProcessLookupError):
        for _ in range(200):
            os.kill(child, 0)
            time.sleep(0.01)


_FORKS_SLOWLY = (
    "import os\n"
    "fork = os.fork\n"
    "def slow():\n"
    "    child = fork()\n"
    "    if child:\n"
    "        time.sleep(0.5)\n"
    "    return child\n"
    "os.fork = slow\n"
)


@pytest.mark.parametrize("fork", ["", _FORKS_SLOWLY], ids=["at_once", "slowly"])
def test_an_interrupt_is_answered_by_the_command(fork):
    script = (
        "import sys, time\n"
        "from pef.cli.supervise import supervised\n"
        f"{fork}"
        "def command():\n"
        "    try:\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(60)\n"
        "    except KeyboardInterrupt:\n"
        "        print('partial report')\n"
        "        return 130\n"
        "sys.exit(supervised(command, 'f', None))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    assert (process.wait(5), process.stdout.read()) == (130, "partial report\n")
