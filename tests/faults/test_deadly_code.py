"""Rows 1 to 16 of the faults in the specification: code that ends or exhausts its process.

Each shows the input that did it; the sibling in the same module is analysed all the same, and
nothing is left behind (`bench.check` sees to both).
"""

import pytest

LIMIT = 4


def test_a_crash_is_reported_with_the_input_that_leads_there(bench):
    checked = bench.check("""
        import ctypes

        def f(x: int, y: int) -> int:
            if x == 1234:
                if y > 3:
                    ctypes.string_at(0)
            return x
    """)
    assert checked.of("f") == [("crash", "f(1234, 4)", "SIGSEGV")]
    assert checked.code == 1


def test_a_crash_before_any_decision_is_reported_with_the_first_input(bench):
    checked = bench.check("""
        import ctypes

        def f(items: list[int]) -> int:
            return ctypes.string_at(0)
    """)
    assert checked.of("f") == [("crash", "f([])", "SIGSEGV")]


def test_a_module_that_crashes_at_import_is_an_error_and_others_are_analysed(bench):
    bench.write("import ctypes\nctypes.string_at(0)", name="bad")
    checked = bench.check("", targets=("m.py", "bad.py"))
    [bad] = [each for each in checked.report["functions"] if each["name"] == "bad:sibling"]
    assert bad["verdict"] == "not-analysed"
    assert "the process died" in bad["reasons"][0]
    assert "bad.py: cannot import it: the process died" in checked.stderr
    alone = bench.start("bad.py", "--no-cache")
    alone.communicate(timeout=60)
    assert alone.returncode == 2


def test_leaving_the_process_is_no_clean_result(bench):
    checked = bench.check("""
        import os

        def f(x: int) -> int:
            if x > 10:
                os._exit(0)
            return x
    """)
    assert checked.of("f") == [("process-exit", "f(11)", "status 0")]


def test_what_comes_after_a_deadly_first_run_is_explored(bench):
    checked = bench.check("""
        import os

        def f(x: int) -> int:
            if x < 10:
                os._exit(3)
            return 1 // (x - 77)
    """)
    names = [(name, call) for name, call, _ in checked.of("f")]
    assert names == [("process-exit", "f(0)"), ("division-by-zero", "f(77)")]


def test_system_exit_is_behaviour_like_any_raise(bench):
    checked = bench.check("""
        import sys

        def f(x: int) -> int:
            if x > 10:
                sys.exit(0)
            return x
    """)
    assert checked.of("f") == []
    assert checked.function("f")["verdict"] == "proved"


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "re.match('(a+)+$', 'a' * 60 + 'b')",
        "10 ** 10 ** 9",
    ],
    ids=["loop in Python", "loop in C", "endless arithmetic"],
)
def test_what_does_not_end_is_a_timeout_with_its_input(bench, body):
    checked = bench.check(
        f"""
        import re

        def f(x: int) -> int:
            if x == 5:
                {body}
            return x
        """,
        *("--timeout", str(LIMIT)),
    )
    assert [(name, call) for name, call, _ in checked.of("f")] == [("timeout", "f(5)")]
    assert checked.function("f")["seconds"] <= 1.2 * LIMIT


def test_memory_ends_at_the_limit(bench):
    checked = bench.check("""
        def f(n: int) -> int:
            if n > 5:
                return len([0] * 10**10)
            return n
    """)
    assert [(name, call) for name, call, _ in checked.of("f")] == [("resource", "f(6)")]


def test_a_process_that_something_kills_has_run_out_of_resources(bench):
    checked = bench.check("""
        import os, signal

        def f(n: int) -> int:
            if n > 5:
                os.kill(os.getpid(), signal.SIGKILL)
            return n
    """)
    assert [(name, call) for name, call, _ in checked.of("f")] == [("resource", "f(6)")]


def test_a_deep_recursion_is_a_recursion_error(bench):
    checked = bench.check("""
        def f(n: int) -> int:
            return f(n + 1)
    """)
    assert [name for name, _, _ in checked.of("f")] == ["endless-recursion"]


def test_a_thread_that_is_left_running_is_reported_and_ended(bench):
    checked = bench.check("""
        import threading, time

        def f(x: int) -> int:
            if x > 3:
                threading.Thread(target=time.sleep, args=(1000,), name="sleeper").start()
            return x
    """)
    assert checked.of("f") == [("leaked-thread", "f(4)", "still running after the call: sleeper")]


def test_code_that_breaks_the_builtins_spoils_nothing_but_itself(bench):
    checked = bench.check("""
        import builtins

        def f(x: int) -> int:
            builtins.len = None
            if x > 3:
                return 1 // (x - 4)
            return 0
    """)
    assert [(name, call) for name, call, _ in checked.of("f")] == [("division-by-zero", "f(4)")]


def test_signals_that_are_ignored_do_not_keep_a_process_alive(bench):
    checked = bench.check(
        """
        import signal

        def f(x: int) -> int:
            for each in (signal.SIGTERM, signal.SIGALRM, signal.SIGINT, signal.SIGUSR1):
                signal.signal(each, signal.SIG_IGN)
            while x == 5:
                try:
                    while True:
                        pass
                except BaseException:
                    pass
            return x
        """,
        *("--timeout", str(2 * LIMIT)),
    )
    assert [(name, call) for name, call, _ in checked.of("f")] == [("timeout", "f(5)")]


def test_a_fork_bomb_does_not_go_off(bench):
    checked = bench.check("""
        import os

        def f(x: int) -> int:
            while x > 3:
                os.fork()
            return x
    """)
    assert [(name, call) for name, call, _ in checked.of("f")] == [("side-effect", "f(4)")]
    assert "--allow subprocess" in checked.of("f")[0][2]


def test_standard_input_is_empty(bench):
    checked = bench.check("""
        def f(x: int) -> str:
            return input()
    """)
    assert checked.of("f") == [("uncaught-exception", "f(0)", "EOFError: EOF when reading a line")]
