"""`./bench guard`: fails if something is more than 20 % slower than when figures were committed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

_BENCHES = Path(__file__).resolve().parent.parent
sys.path[0] = str(_BENCHES)

from guard import comparing, instructions  # noqa: E402
from guard.measuring import FIGURES, Figure  # noqa: E402


def main() -> int:
    """0: nothing got worse; 1: something did; 2: there is nothing to compare with."""
    arguments = _arguments()
    figures = [each for each in FIGURES if not arguments.names or each.name in arguments.names]
    if not instructions.available():
        left_out = [each.name for each in figures if each.counted]
        figures = [each for each in figures if not each.counted]
        print(f"valgrind is not installed: not compared: {', '.join(left_out) or 'nothing'}")
    if arguments.update:
        return _update(figures, arguments.figures)
    return _compare(figures, arguments.figures)


def _update(figures: list[Figure], file: Path) -> int:
    taken = {}
    for figure in figures:
        taken[figure.name] = figure.measure()
        print(f"{figure.name:<40} {taken[figure.name]:>10.4g}", flush=True)
    comparing.save(file, taken)
    return 0


def _compare(figures: list[Figure], file: Path) -> int:
    committed = comparing.load(file)
    known = [each for each in figures if each.name in committed]
    for figure in figures:
        if figure.name not in committed:
            print(f"{figure.name}: no figure for this version of Python; --update takes it")
    if not known:
        print(f"nothing to compare with in {file.name}", file=sys.stderr)
        return 2
    print(f"{'figure':<40} {'by':<14} {'before':>10} {'now':>10} {'ratio':>7}")
    worse = 0
    for figure in known:
        before, tries = committed[figure.name], comparing.tries(figure.counted)
        found = comparing.compare(figure.name, before, figure.measure, tries)
        mark = "  WORSE" if found.worse else ""
        row = f"{found.before:>10.4g} {found.now:>10.4g} {found.ratio:>7.2f}{mark}"
        print(f"{figure.name:<40} {figure.unit:<14} {row}", flush=True)
        worse += found.worse
    print(f"{len(known)} figures compared, {worse} worse by more than 20 %")
    return 1 if worse else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench guard", description="Compares what PEF costs with the committed figures."
    )
    names = [each.name for each in FIGURES]
    parser.add_argument("names", nargs="*", metavar="FIGURE", help="only these figures")
    parser.add_argument("--update", action="store_true", help="commit to what is measured now")
    parser.add_argument(
        "--figures",
        type=Path,
        default=_BENCHES / "figures.json",
        metavar="FILE",
        help="where the figures are (default: benches/figures.json)",
    )
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in names:
            parser.error(f"no such figure: '{name}'; there are: {', '.join(names)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
