"""`./bench guard` fails when something got slower, and only then."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[2] / "benches"
sys.path.insert(0, str(BENCHES))

from guard import comparing, instructions, measuring  # noqa: E402

needs_valgrind = pytest.mark.skipif(not instructions.available(), reason="needs valgrind")


def guard(figures, *arguments):
    command = [sys.executable, str(BENCHES / "guard"), "--figures", str(figures), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@needs_valgrind
def test_a_figure_that_was_25_percent_better_makes_the_guard_fail(tmp_path):
    figures = tmp_path / "figures.json"
    assert guard(figures, "--update", "pef --help").returncode == 0
    same = guard(figures, "pef --help")
    assert same.returncode == 0, same.stdout
    kept = json.loads(figures.read_text())
    for version in kept.values():
        version["pef --help"] /= 1.25
    figures.write_text(json.dumps(kept))
    worse = guard(figures, "pef --help")
    assert worse.returncode == 1
    assert "WORSE" in worse.stdout
    assert "1 figures compared, 1 worse" in worse.stdout


@needs_valgrind
def test_counting_again_gives_nearly_the_same_count():
    program = ["-c", "sum(range(100000))"]
    first, second = instructions.count(program), instructions.count(program)
    assert abs(first - second) < 0.01 * first
    assert instructions.count(["-c", "sum(range(1000000))"]) > 1.2 * first


@needs_valgrind
def test_a_program_that_fails_is_not_counted():
    with pytest.raises(instructions.CountError, match="exit status 3"):
        instructions.count(["-c", "raise SystemExit(3)"])


def test_a_figure_may_be_a_fifth_worse():
    assert not comparing.Comparison("f", 1.0, 1.19).worse
    assert comparing.Comparison("f", 1.0, 1.25).worse
    assert not comparing.Comparison("f", 1.0, 0.5).worse


def test_a_busy_moment_is_no_regression():
    measured = iter([3.0, 1.1, 7.0])
    found = comparing.compare("f", 1.0, lambda: next(measured), tries=3)
    assert found.now == 1.1
    assert not found.worse


def test_what_stays_worse_is_a_regression():
    measured = iter([3.0, 2.0, 1.5])
    assert comparing.compare("f", 1.0, lambda: next(measured), tries=3).worse


def test_figures_of_other_versions_stay(tmp_path):
    figures = tmp_path / "figures.json"
    figures.write_text('{"2.7": {"f": 4.0}}')
    comparing.save(figures, {"f": 1.23456})
    comparing.save(figures, {"g": 2})
    assert comparing.load(figures) == {"f": 1.235, "g": 2.0}
    assert json.loads(figures.read_text())["2.7"] == {"f": 4.0}


def test_without_figures_there_is_nothing_to_compare(tmp_path):
    done = guard(tmp_path / "none.json", "operations, symbolic against plain")
    assert done.returncode == 2
    assert "--update takes it" in done.stdout


def test_an_unknown_figure_is_refused(tmp_path):
    done = guard(tmp_path / "none.json", "speed")
    assert done.returncode == 2
    assert "no such figure: 'speed'" in done.stderr


def test_times_are_ratios():
    """The yardstick against itself is one, whatever the machine is doing."""
    one = measuring.against_yardstick(measuring.yardstick_time)
    assert 0.7 < one < 1.4
