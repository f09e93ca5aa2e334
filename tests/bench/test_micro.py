"""`./bench micro` measures what it says; the numbers themselves are no test."""

import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[2] / "benches"
sys.path.insert(0, str(BENCHES))

from micro import chain, costs, growth, operations, plot, report  # noqa: E402
from pef.session import explore  # noqa: E402


@pytest.mark.parametrize("operation", operations.OPERATIONS, ids=lambda each: each.expression)
def test_every_operation_is_symbolic(operation):
    """What is pinned is not measured: it would be a plain operation."""
    with explore(operations.program(operation), max_paths=1) as exploration:
        (path,) = exploration.unreplayed()
        assert path.outcome == "returned"
        assert not path.pins


def test_a_pinned_operation_would_be_noticed():
    pinned = operations.Operation("int", "complex(x)", "x: int", "x > 1000")
    with explore(operations.program(pinned), max_paths=1) as exploration:
        (path,) = exploration.unreplayed()
        assert path.pins


def test_the_steps_are_all_measured():
    taken = {cost.name: cost.nanoseconds for cost in costs.costs(rounds=2)}
    assert taken["decision, new, both sides possible"] > taken["plain call of a function"]
    assert taken["replay of a path"] > 0
    assert taken["exploration of a function with one path"] > 0


def test_layers_add_up_over_the_mix():
    mix = chain.measure(["quicksort", "balanced"], paths=30)
    assert mix.functions == 2
    layers = {layer.name: layer for layer in mix.layers}
    first = layers["independent parts"]
    assert first.asked >= mix.paths
    assert 0 < layers["difference bounds"].hit_rate <= 1
    assert layers["text"].asked > 0
    assert all(layer.nanoseconds > 0 for layer in mix.layers if layer.asked)
    assert 0 < mix.share < 1


def test_layers_have_no_time_unless_asked():
    mix = chain.measure(["quicksort"], paths=5, timed=False)
    assert not any(layer.nanoseconds for layer in mix.layers if layer.name == "independent parts")


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_the_exponent_of_a_power_is_found(power):
    points = [(size, 17 * size**power) for size in (8, 64, 512)]
    assert math.isclose(growth.exponent(points), power)


def test_a_sweep_measures_every_size_it_has_time_for():
    sweep = growth.SWEEPS[0]._replace(sizes=(8, 16))
    curve = growth.measure(sweep)
    assert [size for size, _ in curve.points] == [8, 16]
    assert len(growth.measure(sweep, patience=0).points) == 1


def test_the_plot_is_svg_with_a_line_per_sweep():
    curves = [growth.Curve(sweep, [(8, 1e3), (16, 5e3), (32, 9e6)]) for sweep in growth.SWEEPS]
    root = ElementTree.fromstring(plot.svg(curves))
    lines = root.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == len(curves)


def test_the_report_shows_all_it_is_given():
    operation = operations.Operation("int", "x | y", "x: int", "x > 0")
    shown = "\n".join(report.operations([operations.Cost(operation, 10.0, 45.0)]))
    assert r"| int | `x \| y` | 10 | 45 | 4.5 |" in shown
    assert re.search(r"CPython 3\.\d+", report.introduction())


def test_an_unknown_part_is_refused():
    command = [sys.executable, str(BENCHES / "micro"), "everything"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no such part: 'everything'" in done.stderr
