"""Rows 21 to 25: chance, solvers, lying objects, interruptions and damaged caches."""

import json
import os
import signal
import time


def test_chance_and_clock_are_the_same_in_every_run_and_replay(bench):
    checked = bench.check("""
        import random, time, uuid

        def f(x: int) -> int:
            chance = random.randint(0, 1000) + int(time.time()) + uuid.uuid4().int % 1000
            if x == chance % 1000:
                return [1][1]
            return 0
    """)
    assert [name for name, _, _ in checked.of("f")] == ["index-out-of-range"]
    reasons = checked.function("f")["reasons"]
    assert "random numbers are always the same" in reasons
    assert "the clock is set" in reasons


def test_what_varies_all_the_same_is_flaky(bench):
    checked = bench.check("""
        import os

        def f(x: int) -> int:
            return [7, 8][os.getpid() % 3]
    """)
    kinds = {name for name, _, _ in checked.of("f")}
    assert kinds <= {"flaky", "index-out-of-range"}


def test_what_the_solver_cannot_decide_stays_open_and_the_budget_holds(bench):
    checked = bench.check(
        """
        def f(a: int, b: int, c: int) -> int:
            if a > 1 and b > 1 and c > 1 and a * a * a + b * b * b == c * c * c:
                return 1 // 0
            return 0
        """,
        *("--timeout", "4"),
    )
    assert checked.of("f") == []
    assert checked.function("f")["verdict"] == "no-error-found"
    assert checked.function("f")["seconds"] <= 1.2 * 4


def test_objects_that_lie_about_themselves_are_judged_by_the_replay(bench):
    checked = bench.check("""
        class Liar:
            def __init__(self, x: int) -> None:
                self.x = x

            def __repr__(self) -> str:
                raise RuntimeError("no")

            def __eq__(self, other: object) -> bool:
                raise RuntimeError("no")

            __hash__ = None

        def f(liar: Liar) -> int:
            return 1 // liar.x
    """)
    assert [(name, call) for name, call, _ in checked.of("f")] == [
        ("division-by-zero", "f(Liar(0))")
    ]


def test_a_worker_that_somebody_kills_costs_its_function_at_most(bench):
    bench.write("""
        def f(n: int) -> int:
            i = 0
            while i < n:
                i += 1
            return i
    """)
    words = ["m.py", "--no-cache", "--timeout", "3", "--output-format", "json", "-j", "1"]
    running = bench.start(*words)
    time.sleep(1.0)
    for pid in bench_workers(running.pid):
        os.kill(pid, signal.SIGKILL)
    out, err = running.communicate(timeout=60)
    report = json.loads(out)
    assert running.returncode in (0, 1, 3), err
    assert len(report["functions"]) == 2
    assert bench.processes() == []


def test_a_check_that_is_asked_to_end_leaves_nothing(bench):
    bench.write("""
        def f(n: int) -> int:
            i = 0
            while i < n:
                i += 1
            return i
    """)
    running = bench.start("m.py", "--no-cache", "--timeout", "20")
    time.sleep(2)
    running.terminate()
    running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGTERM
    assert bench.processes() == []
    assert list(bench.temporary.iterdir()) == []


def bench_workers(front):
    """The processes that run target code: children of servers, which lead sessions of their own."""
    parents = {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as stat:
                parents[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    children = [pid for pid, parent in parents.items() if parent == front]
    grandchildren = [pid for pid, parent in parents.items() if parent in children]
    return [pid for pid in grandchildren if parents[pid] in children]


def test_a_damaged_cache_is_made_anew(bench):
    bench.write("")
    for _ in range(2):
        running = bench.start("m.py", "--output-format", "json")
        out, err = running.communicate(timeout=60)
        assert json.loads(out)["findings"][0]["call"] == "sibling(0)", err
        for path in (bench.folder / ".pef_cache").rglob("*"):
            if path.is_file() and path.name not in (".gitignore", "CACHEDIR.TAG"):
                path.write_bytes(b"rubbish")


def test_two_checks_at_once_do_not_disturb_each_other(bench):
    bench.write("")
    both = [bench.start("m.py", "--output-format", "json") for _ in range(2)]
    for running in both:
        out, err = running.communicate(timeout=60)
        assert json.loads(out)["findings"][0]["call"] == "sibling(0)", err
    assert bench.processes() == []
