"""`pef watch PATH ...`: re-check what changed, as it changes.

A check runs in a process of its own, so that a save in the middle of it starts the next one; what
it has found out by then is in the cache. The screen keeps the last report until the next is there.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from pef.checking.watching import Watch
from pef.cli.arguments import Parser
from pef.cli.check import asked
from pef.cli.exits import CLEAN, UsageError, answered
from pef.cli.settings import CheckOptions, folder_around, gather_check
from pef.targets import TargetError

_TICK_SECONDS = 0.2
_SETTLING_SECONDS = 0.05
"""Editors write a file in several steps."""
_LAST_WORDS_SECONDS = 2.0
_CLEAR = "\x1b[2J\x1b[H"
_CLEAR_LINE = "\r\x1b[K"


def _parser() -> Parser:
    return Parser(
        "watch",
        "Checks, waits until a file changes, and checks again; only functions that are affected\n"
        "are analysed anew. Ctrl-C ends it.",
        "[PATH[:FUNC|:Class.method|:LINE] ...] [OPTIONS]",
        "pef watch src",
    )


def run(words: list[str]) -> int:
    """Run the command until it is interrupted."""
    targets, given = asked(_parser, words)
    if given["output_file"] is not None:
        raise UsageError("pef watch writes to the terminal; use pef check for --output-file")
    watching = _Watching(targets, given)
    try:
        watching.forever()
    except KeyboardInterrupt:
        return CLEAN
    finally:
        watching.stop()


class _Watching:
    """The targets, the check that is under way, and the screen."""

    def __init__(self, targets: Sequence[str], given: dict[str, Any]) -> None:
        self._targets = targets
        self._given = given
        self._screen = _Screen()
        self._round: _Round | None = None
        self._options = self._gathered()
        self._watch = Watch(targets, self._search(), self._options)
        try:
            self._watch.include_imports()
        except TargetError as mistake:
            raise UsageError(str(mistake)) from None

    def forever(self) -> NoReturn:
        """Check whenever something changes."""
        self._check([])
        while True:
            if self._round is None:
                time.sleep(_TICK_SECONDS)
            elif self._round.is_over(_TICK_SECONDS):
                self._finish(self._round)
            changed = self._watch.changes()
            if changed:
                self._settle()
                self._check(changed)

    def stop(self) -> None:
        """End a check that is under way."""
        if self._round is not None:
            self._round.stop()
            self._round = None
        self._screen.leave()

    def _settle(self) -> None:
        """Wait for the end of a save that takes several steps."""
        deadline = time.monotonic() + 10 * _SETTLING_SECONDS
        time.sleep(_SETTLING_SECONDS)
        while self._watch.changes() and time.monotonic() < deadline:
            time.sleep(_SETTLING_SECONDS)

    def _check(self, changed: list[str]) -> None:
        if self._round is not None:
            self._round.stop()
            self._round = None
        if self._options.config in changed:
            try:
                self._options = self._gathered()
            except UsageError as mistake:
                self._screen.show(f"pef: error: {mistake}\n", self._status())
                return
            self._watch = Watch(self._targets, self._search(), self._options)
        why = f"; {_shown(changed[0])} has changed" if changed else ""
        self._screen.mention(f"checking{why}")
        color = self._screen.color(self._options.color)
        self._round = _Round(self._targets, self._options._replace(color=color))
        with suppress(TargetError):  # A target is gone; when it comes back, its folder changes.
            self._watch.include_imports()

    def _finish(self, ended: _Round) -> None:
        self._round = None
        self._screen.show(ended.report(), self._status())

    def _status(self) -> str:
        count = len(self._watch.files)
        files = "1 file" if count == 1 else f"{count} files"
        return f"watching {files}; checked at {time.strftime('%H:%M:%S')}; Ctrl-C ends"

    def _gathered(self) -> CheckOptions:
        return gather_check(self._given, folder_around(self._targets), os.environ)

    def _search(self) -> list[str]:
        return [*self._options.python_path, os.getcwd(), *sys.path]


class _Round:
    """One check in a process group of its own; what it writes is collected."""

    def __init__(self, targets: Sequence[str], options: CheckOptions) -> None:
        self._output = bytearray()
        self._reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            _live(targets, options, self._reader, writer)
        # Whoever is first, parent or child: the group exists before anybody needs it.
        with suppress(OSError):
            os.setpgid(self._pid, self._pid)
        os.close(writer)

    def is_over(self, patience: float) -> bool:
        """Wait for what the check writes, for some time; true when that was all."""
        ready, _, _ = select.select([self._reader], [], [], patience)
        if not ready:
            return False
        written = os.read(self._reader, 1 << 16)
        self._output += written
        if written:
            return False
        self._let_go()
        return True

    def report(self) -> str:
        """Return what the check wrote."""
        return self._output.decode("utf-8", "replace")

    def stop(self) -> None:
        """End the check as Ctrl-C would; by force if that takes too long."""
        self._kill(signal.SIGINT)
        deadline = time.monotonic() + _LAST_WORDS_SECONDS
        while time.monotonic() < deadline:
            if self.is_over(_SETTLING_SECONDS):
                return
        self._kill(signal.SIGKILL)
        self._let_go()

    def _kill(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._pid, number)

    def _let_go(self) -> None:
        os.close(self._reader)
        os.waitpid(self._pid, 0)


def _live(targets: Sequence[str], options: CheckOptions, reader: int, writer: int) -> None:
    """The life of the process that checks; it never returns."""
    code = 1
    try:
        os.setpgid(0, 0)
        os.close(reader)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        os.close(writer)
        from pef.cli.check import check_once

        code = answered(lambda: check_once(targets, options, sys.stdout))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


class _Screen:
    """A report and one line below it; on a terminal, in place of the last ones."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()

    def color(self, wanted: str) -> Any:
        """Return whether a check should use colours, which cannot see the terminal itself."""
        if wanted != "auto":
            return wanted
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return "always" if self._is_terminal and not plain else "never"

    def mention(self, text: str) -> None:
        """Change the line."""
        if self._is_terminal:
            self._write(f"{_CLEAR_LINE}{text} ...")

    def show(self, report: str, status: str) -> None:
        """Change both."""
        start = _CLEAR if self._is_terminal else ""
        self._write(f"{start}{report}\n{status}" + ("" if self._is_terminal else "\n"))

    def leave(self) -> None:
        """Leave the terminal as it should be found."""
        if self._is_terminal:
            self._write("\n")

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _shown(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative
