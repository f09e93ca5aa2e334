"""docs/benchmarks.md: the results as people read them. Measures nothing."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from textwrap import fill

from versus.catalogue import Case
from versus.exhaustive import QUICKSORT, REFERENCE, THESIS_SECONDS
from versus.figures import Comparison, comparisons, cpu, geometric_mean, spread, wall
from versus.promises import paths_per_second, promises, wall_gain
from versus.results import Entry, Results
from versus.scaling import PROJECTS, TURNS

TITLES = {"pef": "PEF", "crosshair": "CrossHair", "hypothesis": "Hypothesis"}
_MISSING = "-"


def markdown(results: Results, cases: Sequence[Case], plot: str) -> str:
    """The whole page; `plot` is the name of the picture beside it."""
    known = {case.name: case for case in cases}
    correct = {case.name for case in cases if case.correct}
    every = comparisons(results, ("shared", "own"))
    planted = [c for c in every if c.name not in correct]
    parts = [
        _opening(results),
        _promises(results, correct),
        _counterexamples(planted, known, results.budget, plot),
        _correct([c for c in every if c.name in correct]),
        _trees(results),
        _start_up(results),
        _reference(results),
        _beyond(results),
        _method(results),
        _all_figures(results),
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: int = 1) -> str:
    """A Markdown table; columns from `right` on are numbers."""
    rule = ["---" if column < right else "---:" for column in range(len(head))]
    lines = [head, rule, *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in r) + " |" for r in lines
    )


def seconds(value: float) -> str:
    """Two digits are what the spread allows."""
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _opening(results: Results) -> str:
    machine = results.machine
    versions = ", ".join(
        f"{TITLES[name]} {version.partition('+')[0]}" for name, version in results.versions.items()
    )
    return f"""
# Benchmarks

PEF, [CrossHair](https://github.com/pschanely/CrossHair) and
[Hypothesis](https://github.com/HypothesisWorks/hypothesis) on the same files. Written by
`./bench versus`, which installs the others, measures everything and replaces this page.

{versions}; CPython {machine.get("python", "?")} on {machine.get("system", "?")},
{machine.get("cpu", "?")}, {machine.get("cores", "?")} cores. Times are CPU seconds of the whole
process tree, start-up included, medians of the runs, unless something else is said.

{_provenance(results)}"""


def _provenance(results: Results) -> str:
    """Ratios are only as good as what they compare: says what was not measured in the same run."""
    parts = [(TITLES[tool], f"*/{tool}") for tool in results.versions]
    parts.append(("what a second core gives", "cores/*"))
    counts = [(title, *results.apart(pattern)) for title, pattern in parts]
    apart = [f"{some} of {every} measurements of {title}" for title, some, every in counts if some]
    if not apart:
        return "Everything was measured in one run."
    return f"Measured in one run, except {' and '.join(apart)} (`--resume`)."


def _promises(results: Results, correct: set[str]) -> str:
    words = {True: "kept", False: "**missed**", None: _MISSING}
    rows = [(p.text, p.measured, words[p.kept]) for p in promises(results, correct)]
    return "## Summary\n\n" + table(("promise", "measured", ""), rows, right=3)


def _cell(entry: Entry | None) -> str:
    if entry is None:
        return _MISSING
    if entry.outcome == "found":
        return seconds(cpu(entry))
    if entry.outcome == "proved":
        return "**false proof**"
    return f"{entry.outcome} ({seconds(cpu(entry))})"


def _counterexamples(
    cases: Sequence[Comparison], known: dict[str, Case], budget: float, plot: str
) -> str:
    if not cases:
        return ""
    rows = []
    for case in cases:
        about = known[case.name].about if case.name in known else ()
        marks = " ".join((*about, *(("hard",) if _is_hard(case, known) else ())))
        ratio = case.ratio("pef", "crosshair")
        rows.append(
            (
                f"`{case.name}`",
                marks or _MISSING,
                *(_cell(case.entries.get(tool)) for tool in TITLES),
                _MISSING if ratio is None else f"{ratio:.1f}",
            )
        )
    head = ("case", "about", *TITLES.values(), "CrossHair / PEF")
    return f"""
## Time to the first counterexample

![CPU seconds to the first counterexample, per case and tool]({plot})

{_tally(cases, known)}

Times and memory are medians over all cases, the ratios over those that both tools find.

A number is the time of a tool that found the bug; `missed` says how long it looked in vain
(CrossHair and Hypothesis had {budget:g} s of CPU time, PEF its default limits).

{table(head, rows, right=2)}"""


def _is_hard(case: Comparison, known: dict[str, Case]) -> bool:
    return case.name in known and known[case.name].hard


def _tally(cases: Sequence[Comparison], known: dict[str, Case]) -> str:
    rows = []
    for tool, title in TITLES.items():
        took_part = [case for case in cases if tool in case.entries]
        if not took_part:
            continue
        hard = [case for case in took_part if _is_hard(case, known)]
        ratios = [r for c in took_part if tool != "pef" and (r := c.ratio("pef", tool)) is not None]
        false = sum(len(c.entries[tool].detail.get("false", ())) for c in took_part)
        rows.append(
            (
                title,
                f"{sum(c.found(tool) for c in took_part)} of {len(took_part)}",
                f"{sum(c.found(tool) for c in hard)} of {len(hard)}",
                str(false),
                str(sum(c.entries[tool].outcome == "proved" for c in took_part)),
                seconds(statistics.median(cpu(c.entries[tool]) for c in took_part)),
                seconds(statistics.median(wall(c.entries[tool]) for c in took_part)),
                f"{statistics.median(c.entries[tool].peak for c in took_part) / 1e6:.0f}",
                f"{statistics.median(ratios):.1f}" if ratios else _MISSING,
                f"{geometric_mean(ratios):.1f}" if ratios else _MISSING,
                f"{min(ratios):.1f} to {max(ratios):.0f}" if ratios else _MISSING,
            )
        )
    head = (
        "tool",
        "found",
        "of the hard ones",
        "false reports",
        "false proofs",
        "CPU, s",
        "wall, s",
        "peak, MB",
    )
    ratio = ("CPU / PEF's, median", "geometric mean", "range")
    return table((*head, *ratio), rows)


def _correct(cases: Sequence[Comparison]) -> str:
    if not cases:
        return ""
    rows = [(f"`{c.name}`", *(_verdict(c.entries.get(tool)) for tool in TITLES)) for c in cases]
    return f"""
## Correct programs

There is nothing to find here; a report would be a false one. `proved` is a claim that the contract
holds for every input; Hypothesis makes none and only looks for a few seconds.

{table(("case", *TITLES.values()), rows)}"""


def _verdict(entry: Entry | None) -> str:
    if entry is None:
        return _MISSING
    if entry.outcome == "proved":
        return f"proved, {seconds(cpu(entry))}"
    if entry.outcome == "found" or entry.detail.get("false"):
        return "**false report**"
    return "nothing reported" if entry.outcome == "missed" else entry.outcome


def _trees(results: Results) -> str:
    sizes = results.section("quicksort")
    if not sizes:
        return ""
    rows = []
    for size in sizes:
        entries = {
            name: results.entry("quicksort", size, name)
            for name in ("pef-explore", "pef-check", "crosshair")
        }
        ours, theirs = entries["pef-check"], entries["crosshair"]
        rates = [paths_per_second(results, size, command) for command in ("explore", "check")]
        rows.append(
            (
                size,
                str(ours.detail["paths"]) if ours else _MISSING,
                *(_tree_cell(entry) for entry in entries.values()),
                *(f"{rate:,.0f}" if rate else _MISSING for rate in rates),
                f"{theirs.detail['paths'] / cpu(theirs):,.0f}" if theirs else _MISSING,
                f"{cpu(theirs) / cpu(ours):,.0f}" if ours and theirs else _MISSING,
            )
        )
    head = ("quicksort", "paths", "`pef explore`, s", "`pef check`, s", "CrossHair, s")
    more = ("`pef explore`, paths/s", "`pef check`, paths/s", "CrossHair, paths/s")
    return f"""
## Exhaustive trees

Quicksort by list comprehensions until no path is left. `pef check` proves the contract, as
CrossHair does, and replays the first 256 paths in plain CPython; `pef explore` replays and prints
every path. The rates of PEF leave out what starting takes.

{table((*head, *more, "CrossHair / `pef check`"), rows)}"""


def _tree_cell(entry: Entry | None) -> str:
    if entry is None:
        return _MISSING
    text = seconds(cpu(entry))
    return text if entry.outcome == "exhausted" else f"not exhausted ({text})"


def _start_up(results: Results) -> str:
    if not results.section("start"):
        return ""
    rows = []
    for name, title in (("help", "`--help`"), ("trivial", "check of one trivial function")):
        entries = (results.entry("start", name, tool) for tool in TITLES)
        rows.append((title, *(seconds(cpu(e)) if e else _MISSING for e in entries)))
    return f"""
## Start-up

Hypothesis has no command; its figure is the import of its strategies.

{table(("", *TITLES.values()), rows)}"""


def _reference(results: Results) -> str:
    rows = []
    for name in results.section("reference"):
        entry = results.entry("reference", name, "pef")
        if entry is None:
            continue
        told = entry.detail
        tree = "{paths}/{depth}/{pruned}".format(**told) if told else entry.outcome
        published = THESIS_SECONDS.get(name)
        rows.append(
            (
                name.replace("_", " "),
                _expected(name),
                tree,
                f"{told['seconds']:.3f}" if told else _MISSING,
                seconds(cpu(entry)),
                seconds(published) if published else _MISSING,
                f"{published / cpu(entry):,.0f}" if published else _MISSING,
            )
        )
    if not rows:
        return ""
    head = ("function", "expected", "PEF", "search, s", "CPU, s", "thesis, s", "thesis / PEF")
    return f"""
## The functions of the PEF thesis

Paths, depth and pruned paths of `pef explore`, with a depth limit of ten except for quicksort. The
thesis ran on other hardware, years ago; its times are those that were published and are known here.

{table(head, rows, right=3)}"""


def _expected(name: str) -> str:
    if name in REFERENCE:
        return "/".join(map(str, REFERENCE[name]))
    paths, depth = QUICKSORT[int(name.rpartition(" ")[2])]
    return f"{paths}/{depth}/0"


_MANY, _SMALL = (
    f"{each.modules} modules with {each.functions} functions of {each.paths:,} paths each"
    for each in PROJECTS.values()
)
_TWO_CORES = fill(
    f"Seconds until everything is proved: one function of 161,280 paths; {_MANY}; and {_SMALL},"
    " small ones: there, processes that are started, copied and ended take more than half of the"
    " time, and they cost more where both cores do it. An import, a search and a replay take one of"
    " the processes that `-j` allows, the scout beside a search does not, nor do, with several, the"
    " replays of one module and the import of the next. What starting takes is not shared."
    f" {TURNS} runs of each, in turns; the gain is the median over the pairs. Beside them two loops"
    " of plain Python that have nothing to do with each other: about the most that a second core of"
    " this machine can give.",
    100,
    break_on_hyphens=False,
)


def _beyond(results: Results) -> str:
    rows = []
    for name in results.section("cores"):
        one, two = (results.entry("cores", name, f"-j {jobs}") for jobs in (1, 2))
        gain = wall_gain(one, two)
        if one and two and gain:
            times = (seconds(each) for each in (wall(one), wall(two), cpu(one), cpu(two)))
            rows.append((name, *times, f"{gain:.2f}"))
    memory = results.entry("memory", "100,000 paths", "pef")
    parts = []
    if rows:
        head = ("`pef check`", "wall, `-j 1`", "wall, `-j 2`", "CPU, `-j 1`", "CPU, `-j 2`", "gain")
        parts += [_TWO_CORES, table(head, rows)]
    if memory is not None:
        parts.append(
            f"An exploration of 100,000 paths: {memory.peak / 1e6:,.0f} MB in the largest process,"
            f" {seconds(cpu(memory))} s of CPU time."
        )
    return "## A second core, and memory\n\n" + "\n\n".join(parts) if parts else ""


def _commands(results: Results) -> str:
    return "\n".join(f"- {TITLES[name]}: `{words}`" for name, words in results.commands.items())


def _method(results: Results) -> str:
    return f"""
## How it is measured

- A tool is a whole process, measured from its start until it and all it started have ended. What
  it does after its first finding counts. CPU time is user and system time of the whole tree: a
  process of the benchmark adopts orphans, so no worker escapes the account. Memory is the peak of
  the largest process.
- Each run has a copy of the file in an empty folder: no cache, no database, no configuration.
- All are asked about the functions that have a contract, and no others.
{_commands(results)}
- PEF has its default limits. CrossHair has {results.budget:g} s for each condition, which it counts
  in CPU time. Hypothesis: one test per contract with strategies from the type hints, preconditions
  as `assume`, neither deadline nor database nor shrinking, again with other seeds whenever it gives
  up, until an example fails or {results.budget:g} s of CPU time are spent.
- A case is found only if the call that was printed, replayed in plain Python by a judge that shares
  no code with any of the tools, is inside the contract's preconditions and types and violates it. A
  call of a function with a contract that does not is a false report.
- Runs that take less than ten seconds are repeated; figures are medians.
- The cases are in `benches/versus/cases`, those called b01 to b17 come from a yardstick that is not
  part of this repository. `benches/versus/results.json` has every run."""


def _all_figures(results: Results) -> str:
    rows = []
    for ident, entry in sorted(results.entries.items()):
        section, name, tool = ident.split("/")
        of_cpu = spread(entry.cpus)
        rows.append(
            (
                f"{section}: {name}, {tool}",
                str(len(entry.samples)),
                entry.outcome,
                seconds(of_cpu.median),
                f"{seconds(of_cpu.low)} to {seconds(of_cpu.high)}",
                seconds(wall(entry)),
                f"{entry.peak / 1e6:,.0f}",
            )
        )
    if not rows:
        return ""
    head = ("measurement", "runs", "outcome", "CPU, s", "spread", "wall, s", "peak, MB")
    body = table(head, rows)
    return (
        f"## Every measurement\n\n<details>\n<summary>All figures</summary>\n\n{body}\n\n</details>"
    )
