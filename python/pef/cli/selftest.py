"""`pef selftest [TYPE[.METHOD]...]`: compare every model with CPython."""

from __future__ import annotations

from pef.cli.arguments import Parser
from pef.cli.exits import UsageError


def run(words: list[str]) -> int:
    """Run the command; the exit code is 1 if a model and CPython disagree."""
    parser = Parser(
        "selftest",
        "Explores every modelled operation symbolically, turns each path into a concrete call and\n"
        "compares result and exception with CPython's own.",
        "[TYPE[.METHOD] ...] [OPTIONS]",
        "pef selftest int.__floordiv__ bool",
    )
    parser.add_argument("names", metavar="TYPE[.METHOD]", nargs="*", help="default: all")
    parser.add_argument("-v", "--verbose", action="store_true", help="show every operation")
    given = parser.read(words)
    from pef.selftest import UnknownNameError
    from pef.selftest import run as compare

    try:
        return compare(given.names, verbose=given.verbose)
    except UnknownNameError as mistake:
        raise UsageError(str(mistake)) from None
