"""What a replay says about an ordinary call."""

import subprocess
import sys

import pytest

from pef.replay.call import same_result
from pef.replay.client import ReplayError


def test_a_returned_value_comes_back_as_source(ordinary):
    outcome = ordinary("add").replay(["[1, 'ñ']", "[2.5]"])
    assert (outcome.status, outcome.result, outcome.result_type) == (
        "returned",
        "[1, 'ñ', 2.5]",
        "list",
    )


def test_keyword_arguments_are_passed_by_name(ordinary):
    assert ordinary("add").replay([], {"b": "1", "a": "41"}).result == "42"


def test_arguments_see_the_names_of_the_module(ordinary):
    assert ordinary("Pair.total").replay(["Pair(40, 2)"]).result == "42"


def test_every_call_starts_from_the_imported_state(ordinary):
    replayer = ordinary("count")
    assert [replayer.replay([]).result for _ in range(3)] == ["1", "1", "1"]


def test_both_output_streams_are_kept_apart(ordinary):
    outcome = ordinary("say").replay(["'ñ\\n\\ud800'.encode('utf-8', 'replace')"])
    assert outcome.stdout == "out b'\\xc3\\xb1\\n?'\n"
    assert outcome.stderr == "err b'\\xc3\\xb1\\n?'\n"


def test_output_below_the_interpreter_is_captured(replayer):
    source = "import os\ndef f():\n    os.write(1, b'raw')\n    os.system('echo shell >&2')\n"
    outcome = replayer(source, "f").replay([])
    assert (outcome.stdout, outcome.stderr) == ("raw", "shell\n")


def test_an_exception_is_placed_at_the_innermost_line_of_the_project(ordinary, tmp_path):
    file = tmp_path / "program.py"
    divide = ordinary("divide").replay(["1", "0"]).exception
    lines = ["", *file.read_text().splitlines()]
    assert divide.type == "ZeroDivisionError"
    assert (divide.file, divide.line) == (str(file), lines.index("    return a // b"))
    parse = ordinary("parse").replay(["'['"]).exception
    assert parse.type == "json.decoder.JSONDecodeError"
    assert (parse.file, parse.line) == (str(file), lines.index("    return json.loads(text)"))


def test_an_exception_of_the_call_itself_has_no_place(ordinary):
    exception = ordinary("add").replay([]).exception
    assert (exception.type, exception.file, exception.line) == ("TypeError", None, None)


def test_system_exit_is_an_exception_like_any_other(ordinary):
    outcome = ordinary("leave").replay(["3"])
    assert (outcome.status, outcome.exception.type) == ("raised", "SystemExit")
    assert outcome.exception.message == "3"


def test_an_exception_without_text_is_still_reported(ordinary):
    exception = ordinary("odd").replay([]).exception
    assert (exception.type, exception.message) == ("program.Odd", "<str() raised ValueError>")


def test_what_repr_prints_is_not_output_of_the_call(ordinary):
    outcome = ordinary("loud").replay([])
    assert (outcome.result, outcome.stdout) == ("Loud()", "")


def test_a_failing_repr_does_not_hide_the_return(ordinary):
    outcome = ordinary("silent").replay([])
    assert outcome.result == "<program.Silent whose repr() raised RuntimeError>"


def test_numbers_of_any_size_go_in_and_out(ordinary):
    result = ordinary("digits").replay(["5000"]).result
    assert result == "1" + "0" * 5000
    assert ordinary("add").replay([result, "1"]).result == result[:-1] + "1"


@pytest.mark.skipif(
    not hasattr(sys, "set_int_max_str_digits"), reason="this Python has no such limit"
)
def test_the_call_itself_runs_under_the_normal_digit_limit(ordinary):
    assert ordinary("write_digits").replay(["5000"]).exception.type == "ValueError"


def test_standard_input_is_empty(ordinary):
    assert ordinary("read_input").replay([]).result == "''"


def test_replays_sent_ahead_are_answered_each_under_its_number(ordinary):
    replayer = ordinary("add")
    tickets = [replayer.submit([str(number), "1"]) for number in range(300)]
    results = [replayer.result(ticket).result for ticket in reversed(tickets)]
    assert results == [str(number + 1) for number in reversed(range(300))]


def test_requests_larger_than_the_pipe_do_not_block(ordinary):
    replayer = ordinary("add")
    big = repr("x" * 200_000)
    tickets = [replayer.submit([big, "''"]) for _ in range(8)]
    assert all(replayer.result(ticket).result == big for ticket in tickets)


def test_an_argument_that_cannot_be_made_is_an_outcome_of_its_own(ordinary):
    outcome = ordinary("add").replay(["nowhere"])
    assert (outcome.status, outcome.detail) == (
        "invalid",
        "NameError: name 'nowhere' is not defined",
    )
    assert outcome.describe().startswith("could not make the input: NameError")


def test_an_argument_that_makes_no_sense_is_our_fault_and_the_worker_goes_on(ordinary):
    replayer = ordinary("add")
    with pytest.raises(ReplayError, match="SyntaxError"):
        replayer.replay(["1 +"])
    assert replayer.replay(["1", "2"]).result == "3"


def test_a_module_named_like_one_of_the_standard_library_is_the_users(replayer):
    for name in ("json", "select", "random"):
        assert replayer("def f():\n    return __name__", "f", module=name).replay(
            []
        ).result == repr(name)


def test_a_module_in_a_package_keeps_its_name_and_siblings(replayer, tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "other.py").write_text("value = 5")
    source = "from .other import value\ndef f():\n    return __name__, value\n"
    replay = replayer("", "f")
    path = package / "mod.py"
    path.write_text(source)
    replay._setup.update(path=str(path), module="pkg.mod")
    assert replay.replay([]).result == "('pkg.mod', 5)"


def test_no_compiled_file_is_left_behind(ordinary, tmp_path):
    ordinary("add").replay(["1"])
    assert not list(tmp_path.rglob("__pycache__"))


def test_the_worker_loads_neither_engine_nor_solver():
    check = (
        "import sys, pef.replay.worker\n"
        "loaded = [m for m in sys.modules if m.split('.')[0] in ('pef', 'z3')]\n"
        "print(sorted(loaded))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    rooms = {".".join(name.split(".")[:2]) for name in eval(done.stdout)}
    assert rooms == {"pef", "pef.isolation", "pef.records", "pef.replay"}


@pytest.mark.parametrize(
    ("here", "there", "same"),
    [
        ("({'a', 'b'}, 1)", "({'b', 'a'}, 1)", True),
        ("frozenset({1, (2, 3)})", "frozenset({(2, 3), 1})", True),
        ("{1: {2, 3}}", "{1: {3, 2}}", True),
        ("['a', 'b']", "['b', 'a']", False),
        ("{1: 2, 3: 4}", "{3: 4, 1: 2}", False),
        ("{1, 2}", "{1, 3}", False),
        ("<Bag {1, 2}>", "<Bag {2, 1}>", False),
        ("<Bag at 0x12>", "<Bag at 0x345>", True),
    ],
)
def test_results_are_the_same_whatever_the_order_of_sets(here, there, same):
    assert same_result(here, there) is same


DEEP = """
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)

if __name__ == "__main__":
    n = 900
    try:
        while deep(n) == n:
            n += 1
    except RecursionError:
        print(n)
"""


def test_a_call_has_the_stack_that_a_program_has(replayer, tmp_path):
    replay = replayer(DEEP, "deep").replay
    program = [sys.executable, str(tmp_path / "program.py")]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    first = int(done.stdout)
    assert replay([str(first - 1)]).status == "returned"
    assert replay([str(first + 20)]).exception.type == "RecursionError"
