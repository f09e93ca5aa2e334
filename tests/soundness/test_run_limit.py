"""The time limit of a run: one watching thread for all of them, in every process."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import pef

PACKAGES = str(Path(__import__("pef").__file__).parents[1])
linux = pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")


def _hang(x: int) -> int:
    if x == 0:
        while True:
            pass
    return x


@linux
def test_runs_do_not_start_a_thread_each(tmp_path):
    log = tmp_path / "threads"
    before = set(os.listdir("/proc/self/task"))

    def count(x: int) -> int:
        with log.open("a") as file:
            print(*os.listdir("/proc/self/task"), file=file)
        steps = 0
        while steps < x:
            steps += 1
        return steps

    paths = sum(1 for _ in pef.explore(count, depth=30, timeout=60).unreplayed())
    assert paths == 31
    # Beside those of other tests: the one that watches runs, and the one that watches the solver.
    assert len(set(log.read_text().split()) - before) <= 2


def test_the_watch_goes_on_after_a_run_was_cut_off():
    for _ in range(2):
        endings = [path.outcome for path in pef.explore(_hang, timeout=0.3).unreplayed()]
        assert "timeout" in endings


def test_a_run_in_a_forked_process_is_cut_off_too(tmp_path):
    program = textwrap.dedent("""
        import os
        import pef

        def hang(x: int) -> int:
            if x == 0:
                while True:
                    pass
            return x

        def explore():
            return [path.outcome for path in pef.explore(hang, timeout=0.3).unreplayed()]

        assert "timeout" in explore()
        pid = os.fork()
        if pid == 0:
            os._exit("timeout" in explore())
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1
    """)
    path = tmp_path / "forked.py"
    path.write_text(program, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": PACKAGES}
    done = subprocess.run(
        [sys.executable, str(path)], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
