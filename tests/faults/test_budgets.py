"""Time limits are enforced from outside, also when the machine has no time to spare."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from pef.isolation.leash import Leash

BUDGET = 5.0


@contextmanager
def busy_machine(processes=2):
    """As many processes that never rest."""
    words = [sys.executable, "-c", "while True: pass"]
    beside = [subprocess.Popen(words) for _ in range(processes)]
    try:
        yield
    finally:
        for each in beside:
            each.kill()
            each.wait()


ENDLESS = {
    "loop in Python": "while True: pass",
    "loop in C": "re.match('(a+)+$', 'a' * 60 + 'b')",
    "loop that swallows everything": "deaf()",
    "sleep": "time.sleep(1000)",
}


@pytest.mark.row(5, 6, 15)
@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_a_time_limit_holds_on_a_busy_machine(bench, body):
    with busy_machine():
        nothing = bench.check("", *("--timeout", str(BUDGET)))
        checked = bench.check(
            f"""
            import re, time

            def f(x: int) -> int:
                def deaf():
                    while True:
                        try:
                            while True:
                                pass
                        except BaseException:
                            pass

                if x == 5:
                    {body}
                return x
            """,
            *("--timeout", str(BUDGET), "-j", "2"),
        )
    checked.fails(("timeout", "f(5)"))
    assert checked.function("f")["seconds"] <= 1.2 * BUDGET
    assert checked.seconds - nothing.seconds <= 1.2 * BUDGET


@pytest.mark.row(5, 15)
def test_a_hang_that_swallows_everything_is_found_within_two_seconds(bench):
    checked = bench.check(
        """
        def f(x: int) -> int:
            while x == 5:
                try:
                    while True:
                        pass
                except BaseException:
                    pass
            return x
        """,
        *("--timeout", "2"),
    )
    checked.fails(("timeout", "f(5)"))


def test_a_process_on_a_leash_is_seen_to_end_and_ends_with_its_group():
    script = "import os, time; os.setpgid(0, 0); os.fork(); print(1, flush=True); time.sleep(60)"
    running = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    leash = Leash(running.pid)
    assert running.stdout.read(4) == b"1\n1\n"
    leash.kill()
    assert running.stdout.read() == b""  # nobody is left to write
    assert running.wait() == -signal.SIGKILL
    leash.kill()  # and that it is gone does no harm
    leash.let_go()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Linux only")
def test_the_end_of_a_worker_is_noticed_while_others_hold_its_pipe(bench):
    started = time.monotonic()
    checked = bench.check(
        """
        import os, subprocess

        def f(x: int) -> int:
            if x > 3:
                if os.fork() == 0:
                    os.setsid()
                    subprocess.run(["sleep", "600"])
                os._exit(0)
            return x
        """,
        *("--timeout", "20", "--allow", "subprocess"),
    )
    checked.fails(("process-exit", "f(4)"))
    assert time.monotonic() - started < 15
