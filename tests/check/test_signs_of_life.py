"""How long a worker may be silent before it is taken to hang."""

import os
import time
from types import SimpleNamespace

import pytest

from pef.checking.underway import Worker
from pef.isolation.pulse import BUILDING, CALLING, CHOOSING

LONGEST_QUESTION = 5.0
"""Seconds the solver may take for one question, at most."""


def patience(phase, timeout):
    now = time.monotonic()
    worker = SimpleNamespace(
        careful=False,
        pulse=SimpleNamespace(beats=3, count=0, phase=phase),
        beats=3,
        heard=now,
        silence=None,
        pid=os.getpid(),
        task=SimpleNamespace(limits=SimpleNamespace(timeout=timeout)),
    )
    assert not Worker.is_stuck(worker, now)
    return worker.silence.end - now


@pytest.mark.parametrize("timeout", [1, 10, 60])
def test_who_asks_the_solver_may_wait_for_the_longest_answer(timeout):
    assert patience(CHOOSING, timeout) > LONGEST_QUESTION


@pytest.mark.parametrize("phase", [BUILDING, CALLING])
def test_code_of_the_target_may_take_little_longer_than_a_run_is_given(phase):
    assert 2 < patience(phase, timeout=10) < 3.1
