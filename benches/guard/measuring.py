"""The figures: what is measured and by which yardstick. For every figure, less is better."""

from __future__ import annotations

import functools
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from guard import instructions
from guard.programs import yardstick
from micro import chain, growth, operations

_PROGRAMS = Path(__file__).parent / "programs"


class Figure(NamedTuple):
    """Something to watch over."""

    name: str
    unit: str
    measure: Callable[[], float]

    @property
    def counted(self) -> bool:
        """Whether it needs Valgrind."""
        return self.unit == "instructions"


# --- instructions -------------------------------------------------------------------------------


@functools.cache
def _explored(function: str, times: int) -> int:
    program = str(_PROGRAMS / "exploring.py")
    return instructions.count([program, function, str(times)])


@functools.cache
def _work() -> int:
    """Instructions of a hundred rounds of the yardstick."""
    program = str(_PROGRAMS / "yardstick.py")
    return instructions.count([program, "110"]) - instructions.count([program, "10"])


def _exploring(function: str, times: int) -> float:
    """Exploring a function once, beyond what exploring anything costs."""
    return (_explored(function, times + 1) - _explored("nothing", times + 1)) / times / _work()


def _command(*arguments: str, family: bool = False, status: int = 0) -> float:
    arguments = ("-m", "pef", *arguments)
    return instructions.count(arguments, family=family, status=status) / _work()


def _checking() -> float:
    """A check of one trivial function, all its processes together."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trivial.py"
        file.write_text("def trivial(x: int) -> int:\n    return x + 1\n")
        return _command("check", "--no-cache", str(file), family=True)


def _checking_many() -> float:
    """A function of a module with many, all its processes together, beyond the trivial check."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.py"
        file.write_text("\n\n".join(_FUNCTION.replace("NAME", f"f{n}") for n in range(_MANY)))
        return (_command("check", "--no-cache", str(file), family=True) - _checking()) / _MANY


_MANY = 30
_FUNCTION = '''\
def NAME(a: int, b: int, name: str) -> int:
    """Adds up what there is.

    :param a: a number
    """
    values = [a, b, a * b]
    if name == "NAME":
        values.append(len(name))
    return sum(value for value in values if value > 0)
'''


# --- times --------------------------------------------------------------------------------------


def against_yardstick(action: Callable[[], float], rounds: int = 5) -> float:
    """The best time of an action against the best of the yardstick, taken in turns."""
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        best[0] = min(best[0], yardstick_time())
        best[1] = min(best[1], action())
    return best[1] / best[0]


def yardstick_time() -> float:
    """Seconds of processor time."""
    start = time.process_time()
    yardstick.in_python(60)
    yardstick.in_c(60)
    return time.process_time() - start


def _mix() -> float:
    """Exploring all functions of the mix, most of it in the solver."""
    return chain.measure(paths=40, timed=False).seconds


def _replaying() -> float:
    """A command that explores and replays, from start to end, with all its processes."""
    program = str(_PROGRAMS / "exploring.py")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pef", "explore", f"{program}:paths", "-q"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _operations() -> float:
    """Nanoseconds of symbolic operations of all types against those of plain ones."""
    chosen = [each for each in operations.OPERATIONS if each.expression in _TYPICAL]
    costs = list(operations.costs(chosen, rounds=5))
    return sum(cost.symbolic for cost in costs) / sum(cost.plain for cost in costs)


_TYPICAL = {"x + y", "x < y", "x // 7", "s + t", "len(s)", "i in table"}


def _grown(subject: str, name: str) -> float:
    """How much more a path costs that is four times as long."""
    sweep = next(each for each in growth.SWEEPS if each[:2] == (subject, name))
    small, large = growth.measure(sweep._replace(sizes=(64, 256))).points
    return large[1] / small[1]


FIGURES = [
    Figure("pef --help", "instructions", lambda: _command("--help")),
    Figure("pef check of a trivial function", "instructions", _checking),
    Figure("pef check, each of 30 functions", "instructions", _checking_many),
    Figure("operations on ints", "instructions", lambda: _exploring("adds", 4)),
    Figure("64 independent paths", "instructions", lambda: _exploring("paths", 2)),
    Figure("a long path", "instructions", lambda: _exploring("loop", 2)),
    Figure("bubble sort of 4", "instructions", lambda: _exploring("sorting", 2)),
    Figure("decisions about characters", "instructions", lambda: _exploring("text", 2)),
    Figure("operations, symbolic against plain", "time", _operations),
    Figure("a mix of functions", "time", lambda: against_yardstick(_mix, 3)),
    Figure("pef explore with replay", "time", lambda: against_yardstick(_replaying)),
    Figure(
        "path four times as long",
        "time",
        lambda: _grown("path length", "decisions about one variable"),
    ),
    Figure(
        "text four times as long",
        "time",
        lambda: _grown("string length", "a decision about each character"),
    ),
]
