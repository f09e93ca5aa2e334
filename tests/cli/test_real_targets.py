"""`pef explore` from end to end: what is said about a target, and the exit code."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = '''\
import os, re, signal, sys

def absolute(n: int) -> int:
    """
    :ensure: returnv >= n + 1
    """
    return n if n >= 0 else -n

def sound(n: int, *, flag: bool = False):
    if flag and n > 100:
        raise KeyError(n)
    print("out")
    print("err", file=sys.stderr)
    return [n, flag]

def leaves(n: int):
    if n == 3:
        os._exit(0)
    return n

def crashes(n: int):
    if n == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    return n

def stuck(n: int):
    if n == 3:
        return re.match("(a*)*b", "a" * 40)
    return n

def reads(n: int):
    return sys.stdin.read()

def unsteady(n: int):
    return os.getpid()

def endless(n: int):
    i = 0
    while i < n:
        i += 1
    return i

def untyped(n):
    return n
'''


@pytest.fixture
def pef(tmp_path):
    """Run `pef` in a folder with a program."""
    (tmp_path / "program.py").write_text(PROGRAM)

    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", "pef", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "NO_COLOR": "1"},
        )

    return run


def summary(done):
    return json.loads(done.stdout)["summary"]


def test_both_streams_and_keywords_are_shown(pef):
    done = pef("explore", "program.py:sound")
    assert (done.returncode, done.stderr) == (0, "")
    assert "sound(101, flag=True)\n  ! KeyError: 101 " in done.stdout
    assert "sound(0, flag=False) -> [0, False]\n  | out\n  2> err\n" in done.stdout
    assert done.stdout.endswith("3 paths: 2 returned, 1 raised; depth 2; 0 pruned; exhaustive\n")


def test_a_violated_contract_is_found(pef):
    done = pef("explore", "program.py:absolute")
    assert done.returncode == 1
    assert "  ! violates :ensure: returnv >= n + 1" in done.stdout
    assert "program.py:5\n" in done.stdout


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("leaves", "program.py:leaves left the process (exit status 0)"),
        ("crashes", "program.py:crashes crashed (SIGSEGV)"),
    ],
)
def test_a_program_that_ends_our_process_is_never_clean(pef, function, said):
    done = pef("explore", f"program.py:{function}")
    assert done.returncode == 3
    assert said in done.stderr


def test_a_program_stuck_in_c_code_ends_with_the_budget(pef):
    started = time.monotonic()
    done = pef("explore", "program.py:stuck", "--timeout", "2")
    assert time.monotonic() - started < 6
    assert done.returncode in (1, 3)
    assert "exhaustive" not in done.stdout


def test_standard_input_is_empty(pef):
    assert "reads(0) -> ''\n" in pef("explore", "program.py:reads").stdout


def test_what_does_not_reproduce_is_said_and_not_clean(pef):
    done = pef("explore", "program.py:unsteady")
    assert done.returncode == 3
    assert "  ? not reproduced: the replay returned " in done.stdout
    assert "1 path: 0 returned, 0 raised; 1 not reproduced" in done.stdout


def test_limits_are_respected_and_named(pef):
    done = pef("explore", "program.py:endless", "--depth", "3", "--output-format", "json")
    assert summary(done)["depth"] == 3
    assert summary(done)["open"] and not summary(done)["exhaustive"]
    done = pef("explore", "program.py:endless", "--max-paths", "2", "--output-format", "json")
    assert summary(done)["paths"] == 2


def test_options_come_from_the_project_of_the_target(pef, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.pef]\nmax-paths = 1\n")
    assert pef("explore", "program.py:sound").stdout.endswith("not exhausted: path limit\n")


def test_an_interrupted_run_shows_what_it_has(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "pef", "explore", "program.py:endless"]
    process = subprocess.Popen(
        [*command, "--depth", "100000", "--strategy", "breadth-first"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout.readline().startswith("endless(")
    os.killpg(process.pid, signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait(10) == 130
    assert rest.splitlines()[-1].endswith("interrupted")


def test_output_nobody_reads_is_no_error(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    script = f"{sys.executable} -m pef explore program.py:endless | head -n 1"
    done = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.startswith("endless(")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("nowhere.py:f", "no such file: nowhere.py"),
        ("program.py:sond", "no function 'sond' in program.py; did you mean 'sound'?"),
        ("program.py", "no function named in 'program.py'"),
        ("program.py:untyped", "program.py:43:13: error: parameter 'n' has no type"),
        ("bad_syntax.py:f", "bad_syntax.py:1:"),
        (
            "bad_import.py:f",
            "bad_import.py:1: ModuleNotFoundError: No module named 'nowhere_at_all'",
        ),
        ("bad_exit.py:f", "bad_exit.py:2: SystemExit: 0"),
        ("bad_value.py:f", "bad_value.py:2: ValueError: first"),
    ],
)
def test_a_mistake_about_the_target_names_it_and_writes_nothing(pef, tmp_path, target, said):
    (tmp_path / "bad_syntax.py").write_text("def f(:\n")
    (tmp_path / "bad_import.py").write_text("import nowhere_at_all\ndef f(n: int): pass\n")
    (tmp_path / "bad_exit.py").write_text("import sys\nsys.exit(0)\ndef f(n: int): pass\n")
    (tmp_path / "bad_value.py").write_text("import sys\nraise ValueError('first\\nsecond')\n")
    with open(tmp_path / "bad_value.py", "a") as file:
        file.write("def f(n: int): pass\n")
    done = pef("explore", target)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_what_a_module_prints_at_import_is_not_part_of_the_report(pef, tmp_path):
    (tmp_path / "loud.py").write_text("print('hello')\ndef f(n: int): return 1\n")
    done = pef("explore", "loud.py:f", "--output-format", "json")
    assert json.loads(done.stdout)["summary"]["paths"] == 1
    assert done.stderr == "hello\n"
