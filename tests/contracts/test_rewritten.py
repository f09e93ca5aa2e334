"""Clauses rewritten for symbolic values mean the same on plain ones."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from pef.contracts import read
from pef.rewrite.transform import transform_expression


@pytest.fixture(autouse=True)
def helpers(monkeypatch):
    """The helpers that rewritten code calls: the native ones if they are built."""
    file = Path(__file__).parents[1] / "rewrite" / "plain_helpers.py"
    spec = importlib.util.spec_from_file_location("helpers_for_contracts", file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    chosen = module.choose()
    chosen.install_helpers()
    yield
    chosen.uninstall_helpers()


CLAUSES = [
    "len(items) > x",
    "items[x] == 1",
    "items[x:] == [1]",
    "x in items",
    "x not in items and not y",
    "not (not x)",
    "x is y",
    "x is not None",
    "all(i >= x for i in items if i != y)",
    "sorted(items, key=lambda i: -i)[0] > abs(y)",
    "'%d,%d' % (x, y) == '1,2'",
    "f'{x}' == '1'",
    "(lambda a, *b: a in b)(x, *items)",
    "x < y <= 3",
    "{i: j for i, j in enumerate(items)}.get(x) == y",
    "[a for b in [items, [x]] for a in b][-1] == x",
    "(w := x + y) > w - 1",
    "isinstance(x, int) if y else max(items)",
]


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_rewritten_clause_agrees_with_the_plain_one(load, clause):
    function = load(
        f'def f(x: int, y: int, items: list):\n    """\n    :assume: {clause}\n'
        f'    :ensure: {clause}\n    """\n'
    )
    plain, rewritten = read(function), read(function, transform_expression)
    for x in range(-1, 3):
        for y in range(3):
            arguments = {"x": x, "y": y, "items": [2, 1]}
            assert _answers(plain, arguments) == _answers(rewritten, arguments)


def _answers(contract, arguments):
    answers = []
    for ask in (
        contract.violated_assume,
        lambda given: contract.violated_ensure(contract.enter(given), None),
    ):
        try:
            violated = ask(arguments)
            answers.append(violated and violated.text)
        except Exception as error:
            answers.append((str(error), type(error.cause)))
    return answers


def test_a_rewritten_clause_still_stands_in_its_docstring(load):
    function = load('def f(x: int):\n    """Text.\n\n    :assume: abs(x) > 1\n    """\n')
    for code in read(function, transform_expression).codes():
        assert {line for *_, line in code.co_lines() if line is not None} == {4}


def test_contracts_hold_even_when_python_throws_docstrings_away(tmp_path):
    (tmp_path / "stripped.py").write_text('def f(x: int):\n    """:assume: x > 0"""\n')
    program = (
        "import stripped; from pef.contracts import read; print(read(stripped.f).assumes[0].text)"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-OO", "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(read.__code__.co_filename).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "x > 0\n"
