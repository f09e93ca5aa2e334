"""`./bench versus`: who judges, who reads the tools' words, who counts; no figures."""

import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "benches"))

from versus import measure, results  # noqa: E402
from versus.catalogue import own_cases  # noqa: E402
from versus.contracts import Verdict, subjects  # noqa: E402
from versus.judge import Counterexample, judge  # noqa: E402
from versus.measure import Cost, Run  # noqa: E402
from versus.tools.crosshair import CrossHair, called  # noqa: E402
from versus.tools.hypothesis import Hypothesis  # noqa: E402
from versus.tools.pef import Pef  # noqa: E402

PROGRAM = '''
from typing import Callable, List

def half(n: int) -> int:
    """
    pre: n >= 0
    post: _ * 2 == n
    raises: OverflowError
    """
    if n == 1000:
        raise OverflowError
    if n == 2000:
        while True:
            pass
    return n // 2

def grow(row: List[int]) -> None:
    """
    post: len(row) == len(__old__.row) + 1
    """
    if 7 not in row:
        row.append(0)

def lowest(row: List[int]) -> int:
    assert row, "nothing to look at"
    least = min(row)
    assert least >= 0
    return least

def total(price: Callable[[str], int]) -> int:
    """
    post: _ >= 0
    """
    return price("tea")

def plain(n: int) -> int:
    return 1 // n

class Box:
    """
    inv: self.size >= 0
    """

    def __init__(self, size: int) -> None:
        self.size = size

    def shrink(self, by: int) -> None:
        """
        pre: by > 0
        """
        self.size -= by
'''


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return file


def ruled(program, call, **more):
    return judge(program, Counterexample(call, **more)).verdict


@pytest.mark.parametrize(
    "call",
    [
        "half(3)",
        "half(n=3)",
        "grow([7])",
        "lowest([-1])",
        "total(lambda name: -len(name))",
        "Box.shrink(Box(1), 2)",
        "shrink(Box(1), 2)",
        "Box(1).shrink(2)",
        "program.Box.shrink(self=program.Box(1), by=2)",
    ],
)
def test_a_call_that_violates_its_contract_is_a_counterexample(program, call):
    assert ruled(program, call) is Verdict.VIOLATED


@pytest.mark.parametrize("call", ["half(4)", "half(1000)", "grow([])", "Box(3).shrink(2)"])
def test_a_call_that_keeps_its_contract_is_refused(program, call):
    assert ruled(program, call) is Verdict.HOLDS


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("half(-3)", "pre: n >= 0"),
        ("half('3')", "n is not of its type"),
        ("grow([7, 'x'])", "row is not of its type"),
        ("total(lambda name: None)", "a callback returns what is not of its type"),
        ("half()", "missing a required argument"),
        ("lowest([])", "a leading assert fails"),
        ("Box(-1).shrink(2)", "before the call"),
        ("half(unheard_of)", "could not be replayed: NameError"),
        ("3 + 4", "not a call"),
        ("half(<object>)", "could not be replayed: SyntaxError"),
    ],
)
def test_a_call_outside_the_contract_is_refused(program, call, why):
    outcome = judge(program, Counterexample(call))
    assert outcome.verdict is Verdict.EXCLUDED
    assert why in outcome.why


@pytest.mark.parametrize("call", ["plain(0)", "unheard_of(0)"])
def test_a_call_of_something_without_a_contract_is_neither_true_nor_false(program, call):
    assert ruled(program, call) is Verdict.ELSEWHERE


def test_a_call_that_does_not_end_is_refused(program, monkeypatch):
    monkeypatch.setattr("versus.judge._LIMIT", 1.0)
    outcome = judge(program, Counterexample("half(2000)"))
    assert outcome.verdict is Verdict.EXCLUDED
    assert "did not end" in outcome.why


def test_statements_before_a_call_are_run(program):
    assert ruled(program, "half(x)", setup=("x = 3",)) is Verdict.VIOLATED


def test_values_of_the_standard_library_need_no_import(program):
    assert ruled(program, "half(len([math, nan, datetime.date(2000, 1, 1)]))") is Verdict.VIOLATED


def test_only_functions_with_contracts_are_subjects():
    assert [s.name for s in subjects(PROGRAM)] == ["half", "grow", "lowest", "total", "Box.shrink"]


def a_run(stdout, exit_code=1):
    return Run(Cost(1.0, 2.0, 3), exit_code, False, stdout, "")


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("false when calling f(150, 112)", "f(150, 112)"),
        ("false when calling f([0], ')') (which returns False)", "f([0], ')')"),
        ("ValueError: when calling me when calling f((1,))", "f((1,))"),
        ('"""" inv: self.a """" yields false when calling m(C(-1, -1), 0)', "m(C(-1, -1), 0)"),
        ("false when calling f(\n'a b') (which returns '')", "f(\n'a b')"),
        ("NameError: name 'x' is not defined", None),
        ("false when calling f(<lambda at 0x1>)", None),
    ],
)
def test_the_call_is_read_out_of_a_message_of_crosshair(text, call):
    assert called(text) == call


def test_messages_of_crosshair_may_span_lines():
    output = (
        "a.py:5: error: false when calling f('x\ny: 1') (which\na.py:9: error: E: when calling g(2)"
    )
    tool = CrossHair(["crosshair"], "0")
    assert tool.counterexamples(a_run(output)) == [Counterexample("g(2)", 9)]
    assert not tool.proved(a_run(output))


def test_crosshair_proves_only_if_every_condition_is_confirmed():
    tool = CrossHair(["crosshair"], "0")
    good, bad = "a.py:5: info: Confirmed over all paths.\n", "a.py:6: info: Not confirmed.\n"
    assert tool.proved(a_run(good * 2))
    assert not tool.proved(a_run(good + bad))
    assert not tool.proved(a_run(""))


def test_findings_of_pef_are_its_errors_with_a_call():
    found = {"severity": "error", "call": "f(1)", "line": 4, "setup": ["import a"]}
    document = {
        "findings": [found, {**found, "severity": "warning"}, {**found, "call": None}],
        "functions": [{"verdict": "proved"}, {"verdict": "error"}],
    }
    tool = Pef(["pef"], "0")
    run = a_run(json.dumps(document))
    assert tool.counterexamples(run) == [Counterexample("f(1)", 4, ("import a",))]
    assert not tool.proved(run)
    assert not tool.proved(a_run("no JSON"))


def test_pef_is_run_with_its_default_search_on_what_has_a_contract():
    command = Pef(["pef"], "0").command("a.py", ["f", "C.m"], 60.0)
    assert " ".join(command) == "pef check --fail-fast --output-format json a.py:f a.py:C.m"


def test_examples_of_hypothesis_are_read():
    run = a_run('noise\n{"falsified": "f(n=3)"}\n{"other": 1}\n')
    assert Hypothesis(["python"], "0").counterexamples(run) == [Counterexample("f(n=3)")]


def test_hypothesis_falsifies_what_it_can(program, tmp_path):
    pytest.importorskip("hypothesis")
    sampling = CHECKOUT / "benches" / "versus" / "sampling.py"
    small = tmp_path / "small.py"
    small.write_text(PROGRAM.partition("def lowest")[0].replace("n == 2000", "False"))
    ended = subprocess.run(
        [sys.executable, sampling, small, "5"], capture_output=True, text=True, timeout=100
    )
    told = [json.loads(line)["falsified"] for line in ended.stdout.splitlines()]
    assert ended.returncode == 1
    assert any(call.startswith("half(n=") for call in told)
    assert all(ruled(small, call) is Verdict.VIOLATED for call in told)


BUSY = "import time\nwhile time.process_time() < 0.3: pass"


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="orphans are adopted on Linux only"
)
def test_the_work_of_orphans_is_accounted_for(tmp_path):
    parent = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {BUSY!r}])"
    run = measure.run([sys.executable, "-c", parent], folder=tmp_path, limit=60)
    assert run.cost.cpu > 0.3


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="orphans are adopted on Linux only"
)
def test_what_takes_too_long_is_killed_with_all_it_started(tmp_path):
    sleep = "import time; time.sleep(300)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {sleep!r}])"
    run = measure.run([sys.executable, "-c", parent], folder=tmp_path, limit=1)
    assert run.timed_out
    assert run.cost.wall < 30


def test_output_and_exit_code_are_kept(tmp_path):
    command = [sys.executable, "-c", "import sys; print('out'); sys.exit('err')"]
    run = measure.run(command, folder=tmp_path, limit=60)
    assert (run.stdout, run.stderr, run.exit) == ("out\n", "err\n", 1)
    assert run.cost.peak > 1_000_000


CASES = {case.name: case for case in own_cases()}
FAILS = re.compile(r"^# fails: (.*)$", re.MULTILINE)


@pytest.mark.parametrize("name", sorted(name for name in CASES if not CASES[name].correct))
def test_every_planted_bug_is_one(name):
    case = CASES[name]
    match = FAILS.search(case.file.read_text())
    outcome = judge(case.file, Counterexample(match[1]))
    assert outcome.verdict is Verdict.VIOLATED, outcome.why


def test_the_cases_are_many_and_a_third_is_hard():
    planted = [case for case in CASES.values() if not case.correct]
    assert len(planted) >= 30
    assert 3 * sum(case.hard for case in planted) >= len(planted)
    about = {word for case in planted for word in case.about}
    types = (
        "int bool float str bytes list dict set tuple Optional dataclass class invariant enum date"
    )
    others = "regex nested recursion generator callback exception"
    assert set(f"{types} {others}".split()) <= about


def test_a_quick_run_measures_and_writes_the_report(tmp_path):
    files = ["--results", tmp_path / "results.json", "--page", tmp_path / "page.md"]
    ended = subprocess.run(
        [sys.executable, CHECKOUT / "benches/versus", "--quick", "--tools", "pef", *files],
        capture_output=True, text=True, timeout=300, cwd=tmp_path,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert "own/account/pef: found" in ended.stderr
    page = (tmp_path / "page.md").read_text()
    assert re.search(r"\| `account` \| class invariant \| [0-9.]+ \| - \| - \| - \|", page)
    assert str(tmp_path) not in page
    ElementTree.parse(tmp_path / "page.svg")


def test_a_benchmark_that_is_none_is_refused():
    ended = subprocess.run([CHECKOUT / "bench", "versos"], capture_output=True, text=True)
    assert ended.returncode == 2
    assert "there are versus, micro and guard" in ended.stderr


def test_an_unknown_tool_is_refused():
    command = [sys.executable, CHECKOUT / "benches/versus", "--tools", "pef,klee"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "unknown tool 'klee'" in ended.stderr


def test_an_interrupted_run_keeps_what_was_measured(tmp_path):
    kept = tmp_path / "results.json"
    command = [sys.executable, CHECKOUT / "benches/versus", "--tools", "pef", "--runs", "1"]
    files = ["--results", kept, "--page", tmp_path / "p.md"]
    started = subprocess.Popen(
        [*command, "--only", "start/", "--only", "own/", *files],
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    first = started.stderr.readline()
    os.killpg(started.pid, signal.SIGINT)
    rest = started.communicate(timeout=60)[1]
    assert started.returncode == 130, rest
    assert "interrupted; --resume goes on from here" in rest
    assert "Traceback" not in rest
    assert "start/help/pef" in first
    assert results.read(kept).entry("start", "help", "pef") is not None
    assert (tmp_path / "p.md").exists()
