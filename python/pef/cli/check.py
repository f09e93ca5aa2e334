"""`pef check PATH ...`: find errors, prove contracts, say what stayed open."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TextIO

from pef.cli.exits import CLEAN, FOUND, INCOMPLETE, INTERRUPTED, USAGE_ERROR, UsageError
from pef.cli.progress import CheckProgress
from pef.cli.settings import CheckOptions, add_to, folder_around, gather_check
from pef.cli.table import settings_of
from pef.cli.words import read_plainly
from pef.importing import uncollected

if TYPE_CHECKING:
    from pef._native import CheckStream
    from pef.cli.arguments import Parser


def run(words: list[str]) -> int:
    """Run the command; the exit code says whether something was found."""
    targets, given = asked(_parser, words)
    options = gather_check(given, folder_around(targets), os.environ)
    if options.output_file is None:
        return check_once(targets, options, sys.stdout)
    return _into_file(targets, options, options.output_file)


def _parser() -> Parser:
    from pef.cli.arguments import Parser

    return Parser(
        "check",
        "Finds inputs that make functions fail, proves the contracts of those that cannot, and\n"
        "says what stayed open. Every reported call was replayed in plain CPython.",
        "[PATH[:FUNC|:Class.method|:LINE] ...] [OPTIONS]",
        "pef check src shop.cart:total demo.py:12",
    )


def asked(make: Callable[[], Parser], words: list[str]) -> tuple[list[str], dict[str, Any]]:
    """What is to be checked, and the options given on the command line."""
    plainly = read_plainly(words, settings_of("check"))
    if plainly is not None:
        return plainly[0] or ["."], plainly[1]
    parser = make()
    parser.add_argument(
        "targets", metavar="PATH", nargs="*", help="files, folders, modules (default: here)"
    )
    add_to(parser, "check")
    given = vars(parser.read(words))
    return given.pop("targets") or ["."], given


def check_once(targets: Sequence[str], options: CheckOptions, out: TextIO) -> int:
    """Check the targets, write the report, and return the exit code."""
    with uncollected():
        from pef.checking.front import perform

    started = time.monotonic()
    search = [*options.python_path, os.getcwd(), *sys.path]
    writer = _Writer(options, out)
    ended = perform(targets, search, options, writer.hear)
    if ended.refused is not None:
        raise UsageError(ended.refused)
    writer.close(time.monotonic() - started, ended.interrupted)
    if ended.interrupted:
        return INTERRUPTED
    if writer.errors:
        return FOUND
    if writer.troubles:
        return USAGE_ERROR
    return CLEAN if ended.is_complete or options.allow_incomplete else INCOMPLETE


class _Writer:
    """Turns what a run learns into text, as it comes."""

    def __init__(self, options: CheckOptions, out: TextIO) -> None:
        self._out = out
        self._options = options
        self._progress = CheckProgress(sys.stderr, sys.stderr.isatty() and not options.quiet)
        self.errors = 0
        self.troubles = 0
        """Things to put right before everything can be analysed."""

    def hear(self, kind: str, content: Any) -> None:
        """Take an event of the run."""
        if kind == "progress":
            self._progress.show(*content)
        elif kind == "finding":
            self.errors += content["severity"] == "error"
            self._write(self._stream.finding(json.dumps(content)))
        elif kind == "function":
            self._write(self._stream.function(json.dumps(content)))
        else:
            self.troubles += kind != "warning"
            self._progress.clear()
            print(self._fault(*content) if kind == "fault" else content, file=sys.stderr)

    def close(self, seconds: float, interrupted: bool) -> None:
        """Write what comes last."""
        self._write(self._stream.closing(seconds=seconds, interrupted=interrupted))
        self._progress.clear()

    @cached_property
    def _stream(self) -> CheckStream:
        # Loads the native module, which the supervisor's process must not have.
        from pef import __version__, _native

        return _native.CheckStream(
            self._options.output_format,
            version=__version__,
            rules=_rules() if self._options.output_format == "sarif" else [],
            verbose=self._options.verbose,
            quiet=self._options.quiet,
            color=_wants_color(self._options, self._out),
            width=_width(self._out),
        )

    def _write(self, text: str) -> None:
        if text:
            self._progress.clear()
            self._out.write(text)
            self._out.flush()

    def _fault(self, function: str, traceback: str) -> str:
        shown = traceback if self._options.verbose else traceback.rstrip().rpartition("\n")[2]
        return f"pef: internal error while analysing {function}: {shown.rstrip()}"


def _rules() -> list[tuple[str, str, str, str]]:
    from pef.checking.explain import rules

    return rules()


def _into_file(targets: Sequence[str], options: CheckOptions, path: str) -> int:
    """Write the report beside its place first, so that nobody reads half of one."""
    beside = f"{path}.part"
    try:
        with open(beside, "w", encoding="utf-8", errors="surrogatepass") as out:
            code = check_once(targets, options, out)
        os.replace(beside, path)
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
    return code


def _width(out: TextIO) -> int | None:
    """How much fits on a line of the terminal; None if there is none."""
    return os.get_terminal_size(out.fileno()).columns if out.isatty() else None


def _wants_color(options: CheckOptions, out: TextIO) -> bool:
    if options.color != "auto":
        return options.color == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return out.isatty() and not plain
