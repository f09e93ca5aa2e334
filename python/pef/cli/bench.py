"""`pef bench`: measure the engine on this machine."""

from __future__ import annotations

from pef.cli.arguments import Parser


def run(words: list[str]) -> int:
    """Run the command; the exit code is 1 if a promised number is missed."""
    parser = Parser(
        "bench",
        "Measures the engine: paths per second, cost of a symbolic operation, rewritten against\n"
        "plain code. Ratios are taken within one run, so they hold on any machine.",
        "[OPTIONS]",
        "pef bench",
    )
    parser.read(words)
    from pef.bench import run as measure

    return measure()
