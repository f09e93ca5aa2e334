"""Reading a command's words: argparse, with our manners.

A mistake is one line that names the word and, if one is near, the right one. Abbreviated options
are refused: a script that uses one breaks when another option is added.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import NoReturn

from pef.cli.exits import UsageError


class Parser(argparse.ArgumentParser):
    """A parser for one command."""

    def __init__(self, command: str, description: str, usage: str, example: str) -> None:
        super().__init__(
            prog=f"pef {command}",
            usage=f"pef {command} {usage}",
            description=description,
            epilog=f"example:\n  {example}",
            formatter_class=_Formatter,
            allow_abbrev=False,
            add_help=False,
        )
        self._command = command
        self._positionals.title = "targets"
        self.add_argument("-h", "--help", action="help", help="show this help")

    def group(self, title: str) -> argparse._ArgumentGroup:
        """Return the part of the help with a title, made if it is new."""
        known = {group.title: group for group in self._action_groups}
        return known.get(title) or self.add_argument_group(title)

    def format_help(self) -> str:
        """Return the help: groups one after the other, so that it fits a screen."""
        self._action_groups.sort(key=lambda group: group is self._optionals)
        introduction, *groups, example = super().format_help().split("\n\n")[1:]
        return "\n\n".join([self.format_usage().rstrip(), introduction, "\n".join(groups), example])

    def error(self, message: str) -> NoReturn:
        """Report a mistake in one line."""
        raise UsageError(f"{message}; see pef {self._command} --help")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse the words; every one must mean something."""
        known, unknown = self.parse_known_args(words)
        if unknown:
            word = unknown[0]
            if not word.startswith("-"):
                self.error(f"unexpected argument '{word}'")
            option = word.partition("=")[0]
            self.error(f"unknown option '{option}'{did_you_mean(option, self._options())}")
        return known

    def _options(self) -> list[str]:
        return [option for action in self._actions for option in action.option_strings]


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=96)


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return a suggestion to append to a complaint, or nothing.

    >>> did_you_mean("--detph", ["--depth", "--seed"])
    " (did you mean '--depth'?)"
    """
    import difflib

    near = difflib.get_close_matches(word, list(candidates), n=1)
    return f" (did you mean '{near[0]}'?)" if near else ""
