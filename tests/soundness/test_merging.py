"""Branches that only choose a number become part of a term: fewer paths, the same truths."""

import importlib.util
import itertools
import os
import textwrap
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pef.exploration import Exploration
from pef.session import load
from pef.targets import Target, find

EXAMPLES = int(os.environ.get("PEF_RANDOM_PROGRAMS", "40"))
_numbers = itertools.count()


def explored(source, folder, merging=True):
    """The paths of the function `f`, as arguments and result, the open ones, and `f` itself."""
    file = folder / f"merged_{next(_numbers)}.py"
    file.write_text(textwrap.dedent(source))
    spec = importlib.util.spec_from_file_location("plain", file)
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    with ExitStack() as stack:
        loaded = load(stack, Target(str(file), file.stem, "f"), [], merging=merging)
        exploration = Exploration(
            find(loaded.module, "f"),
            modules=loaded.modules,
            stack=stack,
            replayer=None,
            roots=[str(folder)],
            shared=False,
            depth=None,
            timeout=20.0,
            eager=False,
        )
        paths = [
            (path.args, path.result, raw.violated is not None)
            for raw in exploration.endings()
            for path in [exploration.describe(raw)]
        ]
        return paths, exploration.summary["open"], plain.f


@pytest.mark.parametrize(
    "body",
    [
        "if x > 5:\n        x = 5\n    return x",
        "if x > 5:\n        y += 1\n    else:\n        y -= 1\n    return y",
        "return x if x > y else y",
        "z = 2 * x if x < y else 3\n    if z > 4:\n        z = 4\n    return z",
        "for z in (1, 2, 3):\n        if x > z:\n            y += z\n    return y",
        "if x > 5:\n        y = 1\n    elif x < y:\n        y = 2\n    return y",
        "if x > 5:\n        y = 1\n    elif x == 3:\n        y += 2\n    elif x + 1 > y:\n"
        "        y = 7\n    else:\n        y = x\n    return y",
    ],
)
def test_a_branch_that_chooses_a_number_is_none(body, tmp_path):
    source = f"def f(x: int, y: int) -> int:\n    {body}\n"
    paths, left_open, plain = explored(source, tmp_path)
    assert (len(paths), left_open) == (1, [])
    assert all(plain(*args) == result for args, result, _ in paths)
    assert len(explored(source, tmp_path, merging=False)[0]) > 1


@pytest.mark.parametrize(
    "body",
    [
        "if x > 5:\n        y = x // y\n    return y",  # may fail
        "if x > 5:\n        y = x\n    elif 1 // y > x:\n        pass\n    return y",
        "if x > 5:\n        y = g(x)\n    return y",  # may do anything
        "if x > 5:\n        y = 1\n    elif g(x) > 3:\n        return 4\n    return y",
        "if x > 5:\n        z = 1\n    return z if x > 5 else 2",  # z need not have a value
        "if x > 5:\n        y = 1.5\n    return y",
        "if x > 5:\n        return 1\n    return 2",
        "if x > 5:\n        y = True\n    return y",
        "y = [y]\n    if x > 5:\n        y += y\n    return y[0]",
        "if any(x > z for z in (1, 5)):\n        y = 1\n    return y",  # decides item by item
        "if [z for z in (x, 5) if z > 7]:\n        y += 1\n    return y",
        "if {z: 1 for z in (1, 5) if z == x} != {}:\n        y = 1\n    return y",
        "if sorted({z % 7 for z in (8, x)}) == [1]:\n        y = 1\n    return y",
        "if max((x, y), key=lambda z: -z) > 5:\n        y = 1\n    return y",
        "return 1 if min((x, y), key=lambda z: [-w for w in [z]]) > 5 else y",
        "def g():\n        nonlocal y\n        y = 1\n    if (g(), x)[1] > 5:\n        z = y\n"
        "    else:\n        z = 7\n    return z + (x > 9)",
    ],
)
def test_other_branches_stay(body, tmp_path):
    source = f"def g(x):\n    return x + 1\n\ndef f(x: int, y: int) -> object:\n    {body}\n"
    expected = explored(source, tmp_path, merging=False)
    paths, left_open, plain = explored(source, tmp_path)
    assert (len(paths), left_open) == (len(expected[0]), expected[1])


def test_what_is_merged_is_evaluated_once_and_in_order(tmp_path):
    source = """
        def f(x: int, y: int) -> int:
            seen = []
            z = 0
            if (seen.append(1), x > 5)[1]:
                z = 1
            return z + 10 * len(seen)
    """
    paths, _, plain = explored(source, tmp_path)
    assert len(paths) == 1
    assert all(plain(*args) == result for args, result, _ in paths)


def test_a_variable_without_a_value_is_still_an_error(tmp_path):
    source = """
        def f(x: int) -> int:
            if x > 5:
                z = 1
            elif x > 7:
                z = z + 1
            return z
    """
    paths, _, plain = explored(source, tmp_path)
    assert len(paths) == 2


ATOMS = st.sampled_from(["x", "y", "a", "b", "0", "1", "3", "-2"])
VALUES = st.one_of(
    ATOMS, st.builds("{} {} {}".format, ATOMS, st.sampled_from(["+", "-", "*"]), ATOMS)
)
TESTS = st.builds("{} {} {}".format, VALUES, st.sampled_from(["<", "==", "!=", ">="]), VALUES)
STATEMENTS = st.one_of(
    st.builds("if {}:\n    {} = {}".format, TESTS, st.sampled_from("abxy"), VALUES),
    st.builds("a = {} if {} else {}".format, VALUES, TESTS, VALUES),
    st.builds("if {}:\n    b = {}\nelse:\n    b = {}".format, TESTS, VALUES, VALUES),
    st.builds("if {}:\n    a += {}\nelif {}:\n    a -= 1".format, TESTS, ATOMS, TESTS),
    st.builds(
        "if {}:\n    b = {}\nelif {}:\n    b += {}\nelif {}:\n    b = a\nelse:\n    b = {}".format,
        *(TESTS, VALUES, TESTS, ATOMS, TESTS, VALUES),
    ),
)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == 40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(STATEMENTS, min_size=1, max_size=5), st.integers(-4, 4), st.integers(-4, 4))
def test_what_is_said_of_merged_paths_is_true(tmp_path, statements, x, y):
    body = textwrap.indent("\n".join(["a, b = 1, 2", *statements]), "    ")
    source = f'''def f(x: int, y: int) -> int:
    """{{clause}}"""
{body}
    return a * 5 + b
'''
    paths, _, plain = explored(source.format(clause=""), tmp_path)
    assert all(plain(*args) == result for args, result, _ in paths)
    value = plain(x, y)
    refuted, _, _ = explored(source.format(clause=f":ensure: returnv != {value}"), tmp_path)
    broken = [args for args, _, is_broken in refuted if is_broken]
    assert broken
    assert all(plain(*args) == value for args in broken)
