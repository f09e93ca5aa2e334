"""`pef explain [CODE]`: what a finding means."""

from __future__ import annotations

from pef.cli.arguments import Parser, did_you_mean
from pef.cli.exits import CLEAN, UsageError


def run(words: list[str]) -> int:
    """Run the command."""
    parser = Parser(
        "explain",
        "Says what a code means: an example, what to do about it, how to suppress it.\n"
        "Without a code, lists them all.",
        "[CODE|NAME] [OPTIONS]",
        "pef explain PEF001",
    )
    parser.add_argument("code", metavar="CODE|NAME", nargs="?", help="PEF001 or index-out-of-range")
    word = parser.read(words).code
    from pef.checking.explain import listing

    print(listing() if word is None else _page(word), end="")
    return CLEAN


def _page(word: str) -> str:
    from pef.checking.codes import CODES, named
    from pef.checking.explain import page

    for spelt in (word, word.upper(), word.lower()):
        try:
            return page(named(spelt))
        except KeyError:
            continue
    known = [name for code in CODES for name in (code.code, code.name)]
    raise UsageError(f"unknown code '{word}'{did_you_mean(word, known)}; `pef explain` lists them")
