"""What goes wrong around the analysis: the user's mistakes, and code that does as it likes."""

import os
import signal
import time


def test_a_parameter_without_a_type_is_said_once_and_makes_the_run_incomplete(project):
    project.write(
        m="""
        def f(x):
            return x
    """
    )
    checked = project.check("m.py")
    assert checked.code == 3
    assert checked.reasons("f") == ["parameter 'x' has no type"]
    assert project.check("m.py", "--allow-incomplete").code == 0


def test_a_syntax_error_is_named_and_the_other_files_are_analysed(project):
    project.write(good="def f(x: int) -> int: return 1 // x", bad="def f(:")
    checked = project.check(".")
    assert checked.calls == ["f(0)"]
    assert "bad.py:1:" in checked.stderr


def test_a_contract_that_makes_no_sense_is_an_error_of_the_user(project):
    project.write(
        m="""
        def f(x: int) -> int:
            '''
            :ensure: returnv >
            '''
            return x

        def g(x: int) -> int:
            return x
    """
    )
    checked = project.check("m.py")
    assert checked.code == 2
    assert "m.py:4:" in checked.stderr
    assert checked.verdict("g") == "proved"


def test_an_assumption_that_always_raises_is_an_error_of_the_user(project):
    project.write(
        m="""
        def f(x: int) -> int:
            '''
            :assume: len(x) > 0
            '''
            return x
    """
    )
    checked = project.check("m.py")
    assert checked.code == 2
    assert "m.py:4:" in checked.stderr
    assert "raised TypeError" in checked.stderr


def test_a_promise_that_raises_is_broken_and_says_so(project):
    project.write(
        m="""
        def f(x: int) -> list[int]:
            '''
            :ensure: returnv[0] == x
            '''
            return [x] if x != 77 else []
    """
    )
    checked = project.check("m.py")
    (found,) = checked.report["findings"]
    assert (found["code"], found["call"]) == ("PEF021", "f(77)")
    assert found["message"].endswith("and the condition raised IndexError: list index out of range")


def test_a_module_that_cannot_be_imported_is_not_analysed(project):
    project.write(
        m="""
        import no_such_module_anywhere

        def f(x: int) -> int:
            return 1 // x
    """
    )
    checked = project.check("m.py")
    assert (checked.code, checked.verdict("f")) == (3, "not-analysed")
    assert "no_such_module_anywhere" in checked.reasons("f")[0]


def test_a_function_that_kills_its_process_costs_only_its_own_verdict(project):
    project.write(
        m="""
        import os

        def leaves(x: int) -> int:
            if x > 10:
                os._exit(0)
            return x

        def fails(x: int) -> int:
            return 1 // x
    """
    )
    checked = project.check("m.py")
    assert checked.names == ["process-exit", "division-by-zero"]
    assert checked.calls == ["leaves(11)", "fails(0)"]


def test_an_endless_loop_is_a_finding_within_the_time_limit(project):
    project.write(
        m="""
        def waits(x: int) -> int:
            while x > 5:
                pass
            return x
    """
    )
    started = time.monotonic()
    checked = project.check("m.py", "--timeout", "3")
    assert checked.names == ["timeout"]
    assert time.monotonic() - started < 30


def test_a_loop_in_c_is_ended_from_outside(project):
    project.write(
        m="""
        import re

        def slow(x: int) -> bool:
            return bool(re.match(r"(a+)+$", "a" * 60 + "b"))

        def fails(x: int) -> int:
            return 1 // x
    """
    )
    checked = project.check("m.py", "--timeout", "2")
    assert checked.verdict("slow") in ("error", "not-analysed")
    assert "fails(0)" in checked.calls


def test_a_missing_file_is_one_clear_line(project):
    done = project.run("nowhere.py")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "nowhere.py" in done.stderr


def test_ctrl_c_prints_what_is_known_and_leaves_nobody_behind(project):
    project.write(
        a="def f(x: int) -> int: return 1 // x",
        b="""
        def slow(n: int) -> int:
            i = 0
            while i < n:
                i += 1
            return i
        """,
    )
    words = ["a.py", "b.py", "--no-cache", "--timeout", "60", "-j", "1"]
    running = project.start(*words)
    first = running.stdout.readline()
    os.killpg(running.pid, signal.SIGINT)
    rest = running.stdout.read()
    assert running.wait(timeout=30) == 130
    assert "f(0)" in first + rest
    assert "interrupted" in rest
    assert not _alive(running.pid)


def _alive(session):
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                return True
    return False


def test_a_module_that_can_be_imported_only_once_is_neither_proved_nor_waited_for(project):
    project.write(
        m="""
        import os

        if os.path.exists("imported"):
            raise RuntimeError("again")
        open("imported", "w").close()

        def divide(x: int) -> int:
            return 1 // (x - 3)

        def double(x: int) -> int:
            return 2 * x
    """
    )
    checked = project.check("m.py", "--allow", "all")
    for name in ("divide", "double"):
        assert checked.verdict(name) == "no-error-found"
        assert "cannot replay" in checked.reasons(name)[0]


def test_modules_that_end_make_room_for_others(project):
    source = """
        def f(x: int, y: int, z: int) -> list[int]:
            return sorted([x, y, z, 3])

        def g(x: int, y: int) -> list[int]:
            return sorted([x, y])
    """
    project.write(**{f"m{n}": source for n in range(24)})
    checked = project.check(".", "-j", "2")
    assert checked.report["summary"]["proved"] == 48
