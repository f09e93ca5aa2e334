"""What PEF cannot do yet. Each test must fail; one that passes moves to `tests/cases/`."""

from __future__ import annotations

import pytest

import pef

pytestmark = pytest.mark.xfail(strict=True, reason="known gap")


def _results(function) -> set:
    return {path.result for path in pef.explore(function)}


def test_a_symbolic_slice_bound_is_a_decision() -> None:
    letters = "abcdefghijkl"

    def cut(x: int) -> int:
        return len(letters[:x])

    assert len(_results(cut)) == 13


def test_identity_with_true_inside_a_longer_chain_is_a_decision() -> None:
    def chained(flag: bool) -> str:
        return "hit" if True is [flag][0] is True else "miss"

    assert _results(chained) == {"hit", "miss"}
