"""Values at the edge of what a type can hold, and terms deeper than any stack.

Each target found its way through the whole engine: built, decided, solved, printed, replayed. What
is asserted is that it is still there and says the truth.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pef

DEEP = 100_000


def deep_sum(x: int, y: int) -> int:
    total = x
    for step in range(DEEP):
        total = total + y if step % 2 else total - x * step
    return 1 if total == 12345 else 0


def deep_product(x: int) -> int:
    total = x
    for _ in range(DEEP):
        total = total * x % 1000003
    return 1 if total > 500 else 0


def deep_truth(x: int, b: bool) -> int:
    truth = b
    for step in range(DEEP):
        truth = truth ^ (x > step)
    return 1 if truth else 0


def deep_float(x: float) -> int:
    total = x
    for _ in range(DEEP):
        total = total * 0.5 + x
    return 1 if total > 3.0 else 0


def deep_text(s: str) -> int:
    text = s
    for _ in range(3_000):
        text = "a" + text[1:] + s
    return 1 if text.startswith("ab") else 0


def wide_sum(x: int, y: int) -> int:
    total = sum([x * step + y for step in range(DEEP)])
    return 1 if total == 5 else 0


def wide_conjunction(x: int) -> int:
    truth = True
    for step in range(20_000):
        truth = truth & (x != step)
    return 1 if truth else 0


@pytest.mark.parametrize(
    "target",
    [deep_sum, deep_product, deep_truth, deep_float, deep_text, wide_sum, wide_conjunction],
    ids=lambda target: target.__name__,
)
def test_terms_of_any_depth_and_width_are_handled(target: Callable[..., int]) -> None:
    paths = list(pef.explore(target, max_paths=3, timeout=20))
    assert paths
    for path in paths:
        assert path.outcome == "returned"
        assert path.reproduced
        assert all(len(conjunct) < 100_000 for conjunct in path.condition)


def index_of_any_size(x: int) -> int:
    return [1, 2, 3][x * 2**70]


def assignment_of_any_size(x: int) -> list[int]:
    items = [1, 2, 3]
    items[x * 2**70] = 0
    return items


def character_of_any_size(x: int) -> str:
    return "abc"[x * 2**70]


@pytest.mark.parametrize(
    "target",
    [index_of_any_size, assignment_of_any_size, character_of_any_size],
    ids=lambda target: target.__name__,
)
def test_index_beyond_machine_words_is_out_of_range(target: Callable[..., object]) -> None:
    exploration = pef.explore(target)
    endings = {path.args[0] == 0: type(path.exception) for path in exploration}
    assert endings == {True: type(None), False: IndexError}
    assert exploration.summary["exhaustive"]


def prints_what_it_gets(s: str) -> str:
    if "\ud800" in s:
        print(s)
    return s


def test_output_may_hold_a_lone_surrogate() -> None:
    outputs = {path.args: path.stdout for path in pef.explore(prints_what_it_gets)}
    assert outputs[("\ud800",)] == "\ud800\n"


def negative_zero(x: float) -> str:
    if x == 0.0 and str(x) == "-0.0":
        return "negative"
    if x != x:
        return "not a number"
    return "other"


def test_negative_zero_and_nan_are_found() -> None:
    found = {str(path.result): path.args[0] for path in pef.explore(negative_zero)}
    assert str(found["negative"]) == "-0.0"
    assert found["not a number"] != found["not a number"]


def appends(s: str) -> int:
    text = s
    for _ in range(12_000):
        text = text + "a"
    return 1 if text.startswith("b") else 0


def test_text_that_grows_in_a_loop_needs_no_quadratic_memory() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    paths = list(pef.explore(appends, timeout=40))
    assert {path.result for path in paths if path.outcome == "returned"} <= {0, 1}
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100 * 1024  # kilobytes; storing every text would take 288 MB
