"""Symbolic operations, paths and sessions leave nothing behind: no object, no reference, no memory.

The measuring is done by programs in processes of their own, see `leaks/`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LEAKS = Path(__file__).with_name("leaks")
QUICK, SLOW = 6_000, 300
FEW = 600
"""What comes and goes: free lists, caches, containers that are not yet swept."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def _measured(program: str, *arguments: object) -> Any:
    command = [sys.executable, str(LEAKS / program), *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def _left_behind(measured: dict[str, list[int]], limit: int) -> dict[str, list[int]]:
    return {operation: left for operation, left in measured.items() if max(left) > limit}


def test_a_million_operations_leave_nothing_behind() -> None:
    measured = _measured("measure_operations.py", QUICK, "quick")
    assert QUICK * len(measured) >= 1_000_000
    assert _left_behind(measured, FEW) == {}


def test_operations_that_take_long_leave_nothing_behind() -> None:
    measured = _measured("measure_operations.py", SLOW, "slow")
    assert _left_behind(measured, SLOW // 2) == {}


@pytest.mark.parametrize("leaking", ["o.__dict__.setdefault('kept', []).append(x + y)"])
def test_an_operation_that_keeps_its_result_is_noticed(leaking: str) -> None:
    measured = _measured("measure_operations.py", QUICK, leaking)
    assert _left_behind(measured, FEW) == measured


def test_twenty_thousand_paths_and_many_sessions_need_no_more_than_some() -> None:
    measured = _measured("measure_paths.py", 20_000, 100)
    for sizes in measured.values():
        _, (blocks, kilobytes), _, (blocks_later, kilobytes_later) = sizes
        assert blocks_later - blocks < FEW, measured
        assert kilobytes_later - kilobytes < 8 * 1024, measured


def test_paths_that_are_kept_are_noticed() -> None:
    sizes = _measured("measure_paths.py", 2_000, 4, "kept")["paths"]
    assert sizes[3][0] - sizes[1][0] > FEW
