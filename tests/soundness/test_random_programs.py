"""Random programs over ints: what the paths claim is checked by brute force.

The conditions of the paths must not overlap, an input that satisfies a path's condition must really
take that path, and if the exploration calls itself exhaustive, every input must belong to a path.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import sys
import textwrap
from pathlib import Path

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pef

EXAMPLES = int(os.environ.get("PEF_RANDOM_PROGRAMS", "60"))
"""The same programs every time; with any other number, new ones."""
BOX = range(-7, 8)
_numbers = itertools.count()

ATOMS = ["x", "y", "t", "0", "1", "2", "3", "-1", "5", "7", "b", "(not b)"]
BINARY = ["+", "-", "*", "//", "%", "&", "|", "^"]
CALLS = [
    "abs({e})",
    "min({e}, {e})",
    "max({e}, {e})",
    "int({e})",
    "(-{e})",
    "(~{e})",
    "({e} >> 1)",
    "({e} << 2)",
    "({e}) ** 2",
    "divmod({e}, {e})[1]",
    "({e} if {c} else {e})",
    "({e}).bit_length()",
    "[{e}, {e}, 4][{e}]",
    "sum([{e}, {e}])",
    "sorted([{e}, {e}, {e}])[1]",
    "({c})",
    "len(range({e} % 4))",
    "sum(i * {e} for i in range(2))",
    "len([i for i in ({e}, {e}) if i > {e}])",
    "dict([(0, {e}), (1, {e})]).get({e}, 9)",
    "len(set([{e}, {e}]))",
    "(lambda p, q={e}: p - q)({e})",
    "len('ab' * ({e} % 3))",
    "(w := {e}) + w",
    "[*range(3), {e}][{e} % 4]",
    "({e} < {e} <= {e})",
]
# {e} an expression, {c} a condition, {b} an indented block. Whatever is drawn, it ends.
COMPOUNDS = [
    "try:\n{b}\nexcept (ZeroDivisionError, IndexError):\n    t = {e}",
    "try:\n{b}\nfinally:\n    t -= {e}",
    "for _ in range(2):\n{b}\n    if {c}:\n        break\nelse:\n    t += 1",
    "match {e}:\n    case 0 | -1:\n        t = {e}\n    case int(v) if {c}:\n        t += v",
    "def g(k={e}):\n    nonlocal t\n    t += k\n    return {e}\nt = g() - g(y)",
    "def each():\n    yield {e}\n    yield from (t, {e})\nt = sum(each())",
    "class C:\n    z = {e}\n    def m(self, q): return q - self.z\nt = C().m({e})",
    "xs = [t, {e}]\nxs[{e} % 2] += {e}\nt, *_ = sorted(xs)",
]
HOLE = re.compile(r"\{[ecb]\}")
COMPARE = ["<", "<=", "==", "!=", ">", ">=", "in range(1, 9, 2) and 3 !="]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A function of x, y and b whose every return and raise has its own tag."""
    tags = itertools.count()

    def expression(depth: int) -> str:
        if depth <= 0:
            return draw(st.sampled_from(ATOMS))
        kind = draw(st.integers(0, 2))
        if kind == 0:
            return draw(st.sampled_from(ATOMS))
        if kind == 1:
            operator = draw(st.sampled_from(BINARY))
            return f"({expression(depth - 1)} {operator} {expression(depth - 1)})"
        text = draw(st.sampled_from(CALLS))
        while "{e}" in text or "{c}" in text:
            text = text.replace("{e}", expression(depth - 1), 1)
            text = text.replace("{c}", condition(depth - 1), 1) if "{c}" in text else text
        return text

    def condition(depth: int) -> str:
        left, right = expression(depth), expression(depth)
        simple = f"{left} {draw(st.sampled_from(COMPARE))} {right}"
        joined = draw(st.integers(0, 4))
        if joined == 0 and depth > 0:
            return f"({simple}) and ({condition(depth - 1)})"
        if joined == 1 and depth > 0:
            return f"({simple}) or not ({condition(depth - 1)})"
        return simple

    def leave(indent: str) -> str:
        word = draw(st.sampled_from(["return ({}, t)", "raise ValueError({})"]))
        return indent + word.format(next(tags)) + "\n"

    def block(indent: str, depth: int) -> str:
        text = ""
        for _ in range(draw(st.integers(1, 2))):
            kind = draw(st.integers(0, 9 if depth > 0 else 0))
            if kind == 0:
                text += f"{indent}t = {expression(2)}\n"
            elif kind == 1:
                text += f"{indent}if {condition(1)}:\n{block(indent + '    ', depth - 1)}"
                text += f"{indent}else:\n{block(indent + '    ', depth - 1)}"
            elif kind == 2:
                text += f"{indent}if {condition(1)}:\n{leave(indent + '    ')}"
            elif kind == 3:
                text += f"{indent}for i in range({expression(1)} % 3):\n{indent}    t += x * i\n"
            else:
                text += compound(indent, depth)
        return text

    def compound(indent: str, depth: int) -> str:
        text = draw(st.sampled_from(COMPOUNDS))
        while hole := HOLE.search(text):
            parts = {
                "{e}": lambda: expression(1),
                "{c}": lambda: condition(0),
                "{b}": lambda: block("    ", depth - 1).rstrip("\n"),
            }
            text = text.replace(hole[0], parts[hole[0]](), 1)
        return textwrap.indent(text + "\n", indent)

    return f"def f(x: int, y: int, b: bool):\n    t = 0\n{block('    ', 2)}{leave('    ')}"


def _load(source: str, folder: Path) -> object:
    name = f"pef_random_{next(_numbers)}"
    file = folder / f"{name}.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.f


def _ending(function, *arguments):
    try:
        return function(*arguments)[0]
    except ValueError as error:
        return error.args
    except Exception as error:
        return type(error)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == 60,
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_paths_are_true(tmp_path_factory: pytest.TempPathFactory, source: str) -> None:
    function = _load(source, tmp_path_factory.mktemp("random"))
    exploration = pef.explore(function, max_paths=40, timeout=3)
    paths = list(exploration)
    exhaustive = exploration.summary["exhaustive"]
    assert exploration.summary["diverged"] == 0, source
    compiled = []
    for path in paths:
        assert path.reproduced is not False, (source, path.args, path.replay)
        text = " and ".join(f"({conjunct})" for conjunct in path.condition) or "True"
        ending = None if path.outcome in ("pruned", "timeout") else _ending(function, *path.args)
        compiled.append((compile(text, text, "eval"), ending, path))
    for x, y, b in itertools.product(BOX, BOX, (False, True)):
        matching = [entry for entry in compiled if eval(entry[0], {"x": x, "y": y, "b": b})]
        assert len(matching) <= 1, (source, (x, y, b), [entry[2].condition for entry in matching])
        if matching and matching[0][1] is not None:
            assert _ending(function, x, y, b) == matching[0][1], (source, (x, y, b))
        if exhaustive:
            assert matching, (source, (x, y, b))
