"""Long runs: nothing grows that should not."""

import json
import mmap
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

PACKAGES = str(Path(__import__("pef").__file__).parents[1])
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
MEGABYTE = 1 << 20


@linux
def test_a_million_operations_on_symbolic_values_leak_nothing(tmp_path):
    program = textwrap.dedent("""
        import gc
        import pef

        def work(x: int, s: str) -> int:
            total = 0
            for i in range(1000):
                total += (x + i) * 3 - (x ^ i) // 7
                total -= len(s) + (x > i and -1)
            return total

        def resident():
            with open("/proc/self/statm") as statm:
                return int(statm.read().split()[1]) * 4096

        def explore():
            for _ in pef.explore(work, max_paths=20, depth=20, timeout=20).unreplayed():
                pass
            gc.collect()

        for _ in range(4):
            explore()
        before = resident()
        for _ in range(6):
            explore()
        print(resident() - before)
    """)
    path = tmp_path / "endurance.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 8 * MEGABYTE


@linux
def test_a_check_does_not_grow_with_the_functions_it_has_seen(bench):
    for number in range(40):
        source = "\n".join(
            f"def f{each}(x: int) -> int:\n    return {each} // (x - {number})\n"
            for each in range(5)
        )
        bench.write(source, name=f"m{number}")
    running = bench.start(".", "--no-cache", "--timeout", "2", "--output-format", "json")
    seen = []

    def watch():
        while running.poll() is None:
            size = _memory_of(running.pid)
            if size:
                seen.append(size)
            time.sleep(0.05)

    watcher = threading.Thread(target=watch)
    watcher.start()
    out, err = running.communicate(timeout=200)
    watcher.join()
    report = json.loads(out)
    assert len(report["functions"]) == 240, err
    assert {each["verdict"] for each in report["functions"]} <= {"error", "proved"}
    settled = seen[len(seen) // 3]
    assert max(seen) - settled < 8 * MEGABYTE


def _memory_of(process):
    try:
        with open(f"/proc/{process}/statm") as statm:
            return int(statm.read().split()[1]) * 4096
    except (OSError, IndexError, ValueError):
        return 0


@linux
def test_the_caller_does_not_grow_with_the_checks_it_has_made(tmp_path):
    for number in range(5):
        source = "".join(
            f"def f{each}(x: int) -> int:\n    return {each} // (x - {number})\n\n"
            for each in range(8)
        )
        (tmp_path / f"m{number}.py").write_text(source, encoding="utf-8")
    program = textwrap.dedent("""
        import gc, os, sys
        import pef

        def resident():
            gc.collect()
            with open("/proc/self/statm") as statm:
                return int(statm.read().split()[1]) * 4096

        def descriptors():
            return len(os.listdir("/proc/self/fd"))

        def check():
            report = pef.check(sys.argv[1], no_cache=True, timeout=2)
            assert len(report.functions) == 40 and len(report.findings) == 40

        check(), check()
        before, opened = resident(), descriptors()
        for _ in range(4):
            check()
        print(resident() - before, descriptors() - opened)
        with open(f"/proc/self/task/{os.getpid()}/children") as children:
            print(len(children.read().split()))
    """)
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    grown, opened, children = map(int, done.stdout.split())
    assert grown < 4 * MEGABYTE
    assert (opened, children) == (0, 0)


# Loaded by every interpreter at its start: a page that all forks share counts them.
COUNTER = """
import mmap, os
with open(os.environ["PEF_FORKS"], "r+b") as _file:
    _page = mmap.mmap(_file.fileno(), mmap.PAGESIZE)
def _count():
    _page[:8] = (int.from_bytes(_page[:8], "little") + 1).to_bytes(8, "little")
os.register_at_fork(before=_count)
"""


@linux
def test_forks_do_not_grow_with_the_paths(bench, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(COUNTER, encoding="utf-8")
    page = tmp_path / "forks"
    source = """
        def f(n: int) -> int:
            i = 0
            while i < n:
                i += 1
            return i
    """

    def forks(paths):
        page.write_bytes(bytes(mmap.PAGESIZE))
        path = os.pathsep.join([str(site), PACKAGES])
        words = ("--max-paths", str(paths), "--timeout", "60", "--patience", "60", "-j", "1")
        checked = bench.check(source, *words, env={"PYTHONPATH": path, "PEF_FORKS": str(page)})
        assert checked.function("f")["paths"] == paths
        return int.from_bytes(page.read_bytes()[:8], "little")

    few, many = forks(10), forks(400)
    assert few > 0
    assert many - few < 10
