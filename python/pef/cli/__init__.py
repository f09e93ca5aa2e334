"""The command line: words in, calls and exit codes out.

Each command is a module with `run(arguments) -> int`, imported when it is asked for. What a command
does lives elsewhere; what its options mean, where they come from and how mistakes in them are said
lives here. Start-up is paid by every call, so nothing is imported at the top that `--help` can do
without.
"""

from __future__ import annotations

import sys

from pef import __version__
from pef.cli.exits import USAGE_ERROR, UsageError, answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

HELP = """\
usage: pef COMMAND [OPTIONS] ...

Runs ordinary Python functions on symbolic inputs, finds the inputs that make them fail.

commands:
  check [PATH ...]          find errors, prove contracts
  explore FILE:FUNC         show every path: input, result or exception, output
  watch [PATH ...]          re-check what changed, as it changes
  explain [CODE]            what a finding means and what to do about it
  selftest [TYPE[.METHOD]]  compare every model with CPython
  bench                     measure the engine on this machine

options:
  -h, --help     show this help; `pef COMMAND --help` tells more
  -V, --version  show the version

example:
  pef check examples/first.py
"""

_COMMANDS = ("check", "explore", "watch", "explain", "selftest", "bench")


def program() -> NoReturn:
    """The command as a program of its own, which ends without taking the interpreter apart.

    That would take longer than many a check: every page shared with a process forked from this one
    would have to be copied first.
    """
    import atexit
    import os

    from pef import bundle

    bundle.use()
    code = main()
    bundle.renew()
    atexit._run_exitfuncs()
    os._exit(answered(lambda: _flushed(code)))


def _flushed(code: int) -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    return code


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if arguments is None and words[:1] in (["check"], ["watch"]):
        from pef.importing import uncollected

        with uncollected():
            from pef.cli.hashes import fix_hashes
        fix_hashes(words[1:])
    return answered(lambda: _dispatch(words))


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0 if words else USAGE_ERROR
    command, rest = words[0], words[1:]
    if command in ("-V", "--version"):
        print(f"pef {__version__}")
        return 0
    if command in _COMMANDS:
        from importlib import import_module

        from pef.importing import uncollected

        with uncollected():
            module = import_module(f"pef.cli.{command}")
        code: int = module.run(rest)
        return code
    raise _unknown(command)


def _unknown(word: str) -> UsageError:
    from pef.cli.arguments import did_you_mean

    what = "option" if word.startswith("-") else "command"
    return UsageError(f"unknown {what} '{word}'{did_you_mean(word, _COMMANDS)}; see pef --help")
