"""Rows 1 to 16 of the faults in the specification: code that ends or exhausts its process.

Each shows the input that did it; the sibling in the same module is analysed all the same, and
nothing is left behind (`bench.check` sees to both).
"""

import pytest

LIMIT = 4


@pytest.mark.row(1)
def test_a_crash_is_reported_with_the_input_that_leads_there(bench):
    checked = bench.check("""
        import ctypes

        def f(x: int, y: int) -> int:
            if x == 1234:
                if y > 3:
                    ctypes.string_at(0)
            return x
    """)
    checked.fails(("crash", "f(1234, 4)"))
    assert checked.of("f")[0][2] == "SIGSEGV"


@pytest.mark.row(1)
def test_a_crash_before_any_decision_is_reported_with_the_first_input(bench):
    checked = bench.check("""
        import ctypes

        def f(items: list[int]) -> int:
            return ctypes.string_at(0)
    """)
    checked.fails(("crash", "f([])"))


@pytest.mark.row(2)
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


@pytest.mark.row(3)
def test_leaving_the_process_is_no_clean_result(bench):
    checked = bench.check("""
        import os

        def f(x: int) -> int:
            if x > 10:
                os._exit(0)
            return x
    """)
    checked.fails(("process-exit", "f(11)"))
    assert checked.of("f")[0][2] == "status 0"


@pytest.mark.row(3)
def test_what_comes_after_a_deadly_first_run_is_explored(bench):
    checked = bench.check("""
        import os

        def f(x: int) -> int:
            if x < 10:
                os._exit(3)
            return 1 // (x - 77)
    """)
    checked.fails(("process-exit", "f(0)"), ("division-by-zero", "f(77)"))


@pytest.mark.row(4)
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


@pytest.mark.row(5, 6, 7)
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
    checked.fails(("timeout", "f(5)"))
    assert checked.function("f")["seconds"] <= 1.2 * LIMIT


@pytest.mark.row(8)
def test_memory_ends_at_the_limit(bench):
    checked = bench.check("""
        def f(n: int) -> int:
            if n > 5:
                return len([0] * (5 * 2**30 // 8))
            return n
    """)
    checked.fails(("resource", "f(6)"))


@pytest.mark.row(9)
def test_a_process_that_something_kills_has_run_out_of_resources(bench):
    checked = bench.check("""
        import os, signal

        def f(n: int) -> int:
            if n > 5:
                os.kill(os.getpid(), signal.SIGKILL)
            return n
    """)
    checked.fails(("resource", "f(6)"))


@pytest.mark.row(10)
def test_a_deep_recursion_is_a_recursion_error(bench):
    checked = bench.check("""
        def f(n: int) -> int:
            return f(n + 1)
    """)
    checked.fails(("endless-recursion", "f(0)"))


@pytest.mark.row(11)
def test_an_overflow_of_the_c_stack_is_a_crash(bench):
    checked = bench.check("""
        import itertools

        def f(n: int) -> int:
            if n > 3:
                chain = iter([])
                for _ in range(500_000):
                    chain = itertools.chain(chain)
                list(chain)
            return n
    """)
    checked.fails(("crash", "f(4)"))


@pytest.mark.row(13)
def test_a_thread_that_is_left_running_is_reported_and_ended(bench):
    checked = bench.check("""
        import threading, time

        def f(x: int) -> int:
            if x > 3:
                threading.Thread(target=time.sleep, args=(1000,), name="sleeper").start()
            return x
    """)
    checked.fails(("leaked-thread", "f(4)"))
    assert checked.of("f")[0][2] == "still running after the call: sleeper"


@pytest.mark.row(14)
def test_code_that_breaks_the_builtins_spoils_nothing_but_itself(bench):
    checked = bench.check("""
        import builtins

        def f(x: int) -> int:
            builtins.len = None
            if x > 3:
                return 1 // (x - 4)
            return 0
    """)
    checked.fails(("division-by-zero", "f(4)"))


@pytest.mark.row(15)
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
        *("--timeout", "2"),
    )
    checked.fails(("timeout", "f(5)"))


@pytest.mark.row(14)
def test_modules_that_a_run_patches_are_whole_in_the_next_run_and_in_siblings(bench):
    checked = bench.check("""
        import json, math

        def f(x: int) -> float:
            if x > 3:
                math.sqrt = json.loads = None
            return math.sqrt(4) if x < 3 else 0.0

        def g(x: int) -> int:
            return json.loads("1")
    """)
    assert checked.of("f") == checked.of("g") == []
    assert checked.function("g")["verdict"] == "proved"


@pytest.mark.row(16)
def test_a_fork_bomb_does_not_go_off(bench):
    checked = bench.check("""
        import os

        def f(x: int) -> int:
            while x > 3:
                os.fork()
            return x
    """)
    checked.fails(("side-effect", "f(4)"))
    assert "--allow subprocess" in checked.of("f")[0][2]


@pytest.mark.row(12)
def test_standard_input_is_empty(bench):
    checked = bench.check("""
        def f(x: int) -> str:
            return input()
    """)
    checked.fails(("uncaught-exception", "f(0)"))
    assert checked.of("f")[0][2] == "EOFError: EOF when reading a line"


@pytest.mark.row(12)
def test_code_that_reads_standard_input_is_not_proved(bench):
    checked = bench.check("""
        import sys

        def f(x: int) -> int:
            return len(sys.stdin.read())
    """)
    assert checked.of("f") == []
    assert checked.function("f")["verdict"] == "no-error-found"
    assert checked.function("f")["reasons"] == ["standard input is empty"]
