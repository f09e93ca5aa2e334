"""`./bench versus`: the arithmetic, what is kept, what is written; no figures of this machine."""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benches"))

from versus import figures, plot, promises, report, results  # noqa: E402
from versus.catalogue import own_cases  # noqa: E402
from versus.measure import Cost  # noqa: E402
from versus.results import Entry, Measurement, Recorder, Results, Sample  # noqa: E402


def entry(*cpus, outcome="found", **detail):
    return Entry("key", [Sample(Cost(cpu, 2 * cpu, 10_000_000), outcome, detail) for cpu in cpus])


def test_the_median_counts_and_the_spread_is_shown():
    assert figures.cpu(entry(3.0, 1.0, 2.0)) == 2.0
    assert figures.spread([3.0, 1.0, 2.0]) == figures.Spread(2.0, 1.0, 3.0)
    assert figures.spread([3.0, 1.0, 2.0]).relative == 0.5


def test_runs_that_ended_otherwise_do_not_count():
    mixed = Entry("key", [*entry(1.0, 2.0, 3.0).samples, *entry(60.0, outcome="missed").samples])
    assert mixed.outcome == "found"
    assert figures.cpu(mixed) == 2.0


def test_the_mean_of_ratios_is_geometric():
    assert figures.geometric_mean([4.0, 0.25]) == pytest.approx(1.0)


def test_a_ratio_needs_both_to_have_found_it():
    missed = entry(60.0, outcome="missed")
    both = figures.Comparison("own", "a", {"pef": entry(0.5), "crosshair": entry(2.0)})
    one = figures.Comparison("own", "a", {"pef": entry(0.5), "crosshair": missed})
    assert both.ratio("pef", "crosshair") == 4.0
    assert one.ratio("pef", "crosshair") is None


def a_recorder(
    tmp_path, known=None, runs=3, resume=True, wanted=lambda ident: True, began="2026-01-01"
):
    kept, file = known or Results(), tmp_path / "results.json"
    return Recorder(kept, file, runs, resume, wanted, lambda text: None, began)


def counting(cpu):
    made = []

    def once():
        made.append(1)
        return Sample(Cost(cpu, cpu, 1), "found")

    return made, once


def test_short_runs_are_repeated_and_long_ones_are_not(tmp_path):
    recorder = a_recorder(tmp_path)
    made, once = counting(0.1)
    recorder.measure(("own", "a", "pef"), "1", once)
    assert len(made) == 3
    made, once = counting(60.0)
    recorder.measure(("own", "b", "pef"), "1", once)
    assert len(made) == 1


def test_what_is_compared_is_measured_in_turns(tmp_path):
    order = []

    def once(name, cpu):
        order.append(name)
        return Sample(Cost(cpu, cpu, 1), "ran")

    recorder = a_recorder(tmp_path, runs=2, wanted=lambda ident: "unwanted" not in ident)
    recorder.measure_in_turns(
        [
            Measurement(("cores", "many", "-j 1"), "1", lambda: once("one", 0.2)),
            Measurement(("cores", "many", "-j 2"), "1", lambda: once("two", 0.1)),
            Measurement(("cores", "unwanted", "-j 1"), "1", lambda: once("unwanted", 0.1)),
            Measurement(("cores", "long", "-j 1"), "1", lambda: once("long", 60.0)),
            Measurement(("cores", "long", "-j 2"), "1", lambda: once("thrice", 60.0), times=3),
        ]
    )
    assert order == ["one", "two", "long", "thrice", "one", "two", "thrice", "thrice"]
    kept = results.read(tmp_path / "results.json")
    assert kept.entry("cores", "many", "-j 2").cpus == [0.1, 0.1]


def test_the_gain_is_that_of_neighbouring_runs():
    def runs(*walls):
        return Entry("1", [Sample(Cost(wall, wall, 1), "ran") for wall in walls])

    assert promises.wall_gain(runs(2.0, 8.0, 4.0), runs(1.0, 4.0, 4.0)) == 2.0
    failed = Entry("1", [Sample(Cost(1.0, 1.0, 1), "failed")])
    assert promises.wall_gain(runs(2.0), failed) is None


def test_the_page_says_what_was_measured_in_another_run(tmp_path):
    first = a_recorder(tmp_path, Results(versions={"pef": "1", "crosshair": "2"}))
    for tool in ("pef", "crosshair"):
        first.measure(("own", "a", tool), "1", counting(0.1)[1])
    assert "Everything was measured in one run." in report.markdown(first.results, [], "x.svg")
    second = a_recorder(tmp_path, results.read(tmp_path / "results.json"), began="2026-01-02")
    second.measure(("own", "a", "pef"), "2", counting(0.1)[1])
    second.measure(("own", "a", "crosshair"), "1", counting(0.1)[1])
    page = report.markdown(second.results, [], "x.svg")
    assert "in one run, except 1 of 1 measurements of CrossHair (`--resume`)." in page


def test_a_resumed_run_takes_what_is_of_the_same_key(tmp_path):
    recorder = a_recorder(tmp_path, runs=2)
    recorder.measure(("own", "a", "pef"), "1", counting(0.1)[1])
    resumed = a_recorder(tmp_path, results.read(tmp_path / "results.json"))
    made, once = counting(0.1)
    resumed.measure(("own", "a", "pef"), "1", once)
    assert len(made) == 1  # two of three were there
    resumed.measure(("own", "a", "pef"), "2", once)
    assert len(made) == 4  # another version: all three anew


def test_only_what_is_wanted_is_measured(tmp_path):
    recorder = a_recorder(tmp_path, wanted=lambda ident: ident == "own/a")
    made, once = counting(0.1)
    recorder.measure(("own", "b", "pef"), "1", once)
    assert not made


def test_results_of_another_format_are_not_read(tmp_path):
    file = tmp_path / "results.json"
    file.write_text('{"format": 0}')
    assert results.read(file) == Results()


@pytest.fixture
def stored():
    return Results(
        {"cpu": "Fast CPU", "cores": 2, "python": "3.11.7", "system": "Linux"},
        {"pef": "0.1.0+0123456789ab", "crosshair": "0.0.112"},
        60.0,
        {"pef": "pef check FILE:FUNCTION"},
        {
            "own/account/pef": entry(0.1, 0.1, 0.2, call="withdraw(Account(1), 1)"),
            "own/account/crosshair": entry(0.4, 0.5, 0.6),
            "own/collatz/pef": entry(2.0),
            "own/collatz/crosshair": entry(60.0, outcome="missed"),
            "own/leap_year/pef": entry(0.5, outcome="missed"),
            "own/leap_year/crosshair": entry(0.4, false=["f(1): holds"]),
            "own/ok_clamp/pef": entry(0.1, outcome="proved"),
            "own/ok_clamp/crosshair": entry(0.1, outcome="missed", false=["f(1): holds"]),
            "start/explore/pef": entry(0.1, outcome="ran"),
            "start/trivial/pef": entry(0.1, outcome="ran"),
            "quicksort/n = 6/pef-explore": entry(0.4, outcome="exhausted", paths=720),
            "quicksort/n = 6/pef-check": entry(0.2, outcome="exhausted", paths=720),
            "quicksort/n = 6/crosshair": entry(40.0, outcome="exhausted", paths=720),
            "reference/quicksort, n = 6/pef": entry(
                0.2, outcome="ran", paths=720, depth=15, pruned=0, seconds=0.1
            ),
            "cores/one function/-j 1": entry(2.0, outcome="ran"),
            "cores/one function/-j 2": entry(1.0, outcome="ran"),
            "memory/100,000 paths/pef": entry(9.0, outcome="ran"),
        },
    )


def test_the_report_has_every_figure(stored):
    page = report.markdown(stored, own_cases(), "benchmarks.svg")
    assert "PEF 0.1.0, CrossHair 0.0.112; CPython 3.11.7 on Linux" in page
    assert "| `account` | class invariant | 0.10 | 0.50 | - | 5.0 |" in page
    assert re.search(r"\| `collatz` \| .* hard \| 2.00 \| missed \(60\) \| - \| - \|", page)
    assert "| `ok_clamp` | proved, 0.10 | **false report** | - |" in page
    assert "| n = 6 | 720 | 0.40 | 0.20 | 40 | 2,400 | 7,200 | 18 | 200 |" in page
    assert "| quicksort, n = 6 | 720/15/0 | 720/15/0 | 0.100 | 0.20 | 470 | 2,350 |" in page
    assert "| one function | 4.00 | 2.00 | 2.00 |" in page
    assert "10 MB in the largest process" in page
    assert "0.10 to 0.20" in page
    assert "- PEF: `pef check FILE:FUNCTION`" in page
    assert "![CPU seconds to the first counterexample, per case and tool](benchmarks.svg)" in page


def test_a_proof_of_a_program_with_a_bug_is_a_false_one(stored):
    stored.entries["own/collatz/crosshair"] = entry(1.0, outcome="proved")
    page = report.markdown(stored, own_cases(), "benchmarks.svg")
    assert re.search(r"\| `collatz` \| .* \| 2.00 \| \*\*false proof\*\* \|", page)


def test_a_promise_is_kept_missed_or_not_measured(stored):
    kept = {p.text: p.kept for p in promises.promises(stored, {"ok_clamp"})}
    assert [kept[text] for text in kept if text.startswith("Quicksort")] == [True, True]
    assert kept["... and no case slower"] is True
    assert kept["Finds all that CrossHair finds"] is False  # leap_year
    assert kept["... and b08"] is None
    assert kept["`pef --help` takes less than 60 ms of CPU time"] is None


def test_a_report_about_nothing_can_be_written():
    page = report.markdown(Results(), own_cases(), "benchmarks.svg")
    assert "not measured" in page


def test_the_picture_has_a_mark_per_tool_and_case(stored):
    cases = figures.comparisons(stored, ("own",))
    picture = ElementTree.fromstring(plot.svg(cases))
    marks = [e.get("class") for e in picture.iter() if e.tag.endswith(("circle", "rect"))]
    assert marks.count("crosshair") == 2 + 1  # one is the legend's
    assert marks.count("crosshair missed") == 2
    names = {e.text for e in picture.iter() if e.tag.endswith("text")}
    assert {"account", "collatz", "PEF", "CrossHair"} <= names


def test_the_axis_of_the_picture_is_logarithmic():
    steps = [plot.position(value) for value in (0.1, 1, 10, 100)]
    widths = [b - a for a, b in zip(steps, steps[1:])]
    assert widths == pytest.approx([widths[0]] * 3)
    assert plot.position(1000) == steps[-1]
