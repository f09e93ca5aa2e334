"""`./bench micro`: prints what single steps cost, and keeps a complete run in the documentation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

_BENCHES = Path(__file__).resolve().parent.parent
sys.path[0] = str(_BENCHES)

from micro import chain, costs, growth, operations, plot, report  # noqa: E402

_DOCS = _BENCHES.parent / "docs"


def main() -> int:
    """Measures the chosen parts and prints them as they come."""
    arguments = _arguments()
    curves: list[growth.Curve] = []

    def grown() -> Iterator[str]:
        curves.extend(growth.curves())
        yield from report.growth(curves)

    parts: dict[str, Callable[[], Iterator[str]]] = {
        "operations": lambda: report.operations(operations.costs()),
        "steps": lambda: report.steps(costs.costs()),
        "layers": lambda: report.layers(chain.measure(rounds=3)),
        "growth": grown,
    }
    lines = [report.introduction()]
    for name in arguments.parts or parts:
        for line in parts[name]():
            print(line, flush=True)
            lines.append(line)
    if not arguments.parts:
        (_DOCS / "performance.md").write_text("\n".join(lines) + "\n")
        (_DOCS / "performance.svg").write_text(plot.svg(curves))
        print(f"\nwritten to {_DOCS.name}/performance.md")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench micro", description="What single steps of PEF cost, and how the cost grows."
    )
    names = ("operations", "steps", "layers", "growth")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(names)}")
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in names:
            parser.error(f"no such part: '{part}'; there are {', '.join(names)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
