"""`pef bench` measures what it says; the numbers themselves are no test."""

from pef import bench


def test_every_measure_is_taken():
    taken = {measure.name.strip() for measure in bench.measures()}
    assert "exploration, 4096 paths" in taken
    assert "symbolic add / plain add" in taken
    assert "rewritten / plain, geometric mean" in taken
    assert "pef --help, CPU" in taken


def test_a_limit_is_kept_or_missed():
    assert bench.Measure("m", 2.0, "x", at_most=3).kept
    assert not bench.Measure("m", 2.0, "x", at_most=1).kept
    assert not bench.Measure("m", 2.0, "x", at_least=3).kept
    assert "MISSED" in str(bench.Measure("m", 2.0, "x", at_most=1))
