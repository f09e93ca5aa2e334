"""`./bench versus`: what is asked for, in which order it is measured, and what is written."""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

from versus import environment, exhaustive, plot, report, results, scaling
from versus.catalogue import Case, own_cases, shared_cases
from versus.counterexamples import compare
from versus.figures import comparisons
from versus.results import Recorder, Results
from versus.tools import Tool, shown

_RESULTS = Path(__file__).with_name("results.json")
_PAGE = environment.CHECKOUT / "docs" / "benchmarks.md"
# Three types, three ways to fail, one proof, one tree; a second each.
_QUICK = (
    "*/account",
    "*/leap_year",
    "*/interval_merge",
    "*/ok_clamp",
    "start/*",
    "quicksort/n = 3",
)

_EPILOG = """\
A whole run takes about an hour and replaces docs/benchmarks.md and the raw results. With
--only, --tools or --quick the report goes to stdout instead, unless --resume adds it to them.

example: ./bench versus --only own/account --tools pef,crosshair --runs 5"""


def main(words: list[str]) -> int:
    """Measure, then write the report; what was measured before Ctrl-C is kept."""
    options = _options(words)
    status = 0
    recorder = _recorder(options)
    cases = [*shared_cases(environment.CHECKOUT), *own_cases()]
    try:
        if not options.report:
            tools = environment.tools(options.tools)
            recorder.results.versions.update((tool.name, tool.version) for tool in tools)
            recorder.results.commands.update((t.name, shown(t, options.budget)) for t in tools)
            _measure(cases, tools, recorder, options.budget)
    except environment.SetupError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bench: interrupted; --resume goes on from here", file=sys.stderr)
        status = 130
    results.write(recorder.results, recorder.file)
    _write_page(recorder.results, cases, options.page)
    return status


def _measure(cases: list[Case], tools: list[Tool], recorder: Recorder, budget: float) -> None:
    for tool in tools:
        exhaustive.start_up(tool, recorder)
    peers = [tool for tool in tools if tool.name != "hypothesis"]
    for tool in peers:
        exhaustive.quicksort(tool, recorder)
        if tool.name == "pef":
            exhaustive.reference(tool, recorder)
            scaling.second_core(tool, recorder)
            scaling.hundred_thousand_paths(tool, recorder)
    for case in cases:
        for tool in peers:
            compare(case, tool, recorder, budget)
    # Hypothesis spends its whole budget on every second case: last, and a process on each core.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for tool in tools:
            if tool not in peers:
                list(pool.map(lambda case, tool=tool: compare(case, tool, recorder, budget), cases))


def _write_page(measured: Results, cases: list[Case], page: Path | None) -> None:
    """The report, and the picture beside it under the same name; to stdout without a picture."""
    if page is None:
        print(report.markdown(measured, cases, _PAGE.with_suffix(".svg").name))
        return
    picture = page.with_suffix(".svg")
    correct = {case.name for case in cases if case.correct}
    planted = [c for c in comparisons(measured, ("shared", "own")) if c.name not in correct]
    picture.write_text(plot.svg(planted), "utf-8")
    page.write_text(report.markdown(measured, cases, picture.name), "utf-8")
    print(f"bench: wrote {page.name} and {picture.name}", file=sys.stderr)


def _recorder(options: argparse.Namespace) -> Recorder:
    known = results.read(options.results) if options.resume or options.report else Results()
    if not options.report:
        known.machine, known.budget = environment.machine(), options.budget
    patterns = [f"*{pattern}*" for pattern in options.only or ()]
    if options.quick:
        patterns = [quick for quick in _QUICK if not patterns or quick in patterns]

    def wanted(ident: str) -> bool:
        return not patterns or any(fnmatch.fnmatch(ident, pattern) for pattern in patterns)

    runs = 1 if options.quick else options.runs
    began = datetime.now(timezone.utc).isoformat(timespec="seconds")
    return Recorder(known, options.results, runs, options.resume, wanted, _progress, began)


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./bench versus",
        description="Runs PEF, CrossHair and Hypothesis on the same files and compares them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--only", action="append", metavar="PATTERN", help="cases whose section/name contains it")
    add("--runs", type=_positive, default=3, metavar="N", help="of what is short (default 3)")
    add("--budget", type=float, default=60.0, metavar="S", help="CPU seconds a case (default 60)")
    add(
        "--tools", type=_tools, default=environment.NAMES, metavar="NAMES", help="pef,crosshair,..."
    )
    add("--quick", action="store_true", help="a small subset, one run each")
    add("--resume", action="store_true", help="keep measurements of the same versions and texts")
    add("--report", action="store_true", help="measure nothing, only write the report again")
    add("--results", type=Path, metavar="FILE", help="raw results (JSON)")
    add("--page", type=Path, metavar="FILE", help="the report (Markdown)")
    options = parser.parse_args(words)
    if options.report or options.resume or not _is_partial(options):
        options.results = options.results or _RESULTS
        options.page = options.page or _PAGE
    return options


def _is_partial(options: argparse.Namespace) -> bool:
    """A part of the whole replaces no results and no report; it is shown and forgotten."""
    return bool(options.only or options.quick or set(options.tools) != set(environment.NAMES))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one run")
    return number


def _tools(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in environment.NAMES]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"unknown tool {unknown[0]!r}; there are {', '.join(environment.NAMES)}"
        )
    return names
