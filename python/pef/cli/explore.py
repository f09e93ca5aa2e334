"""`pef explore FILE:FUNC`: show every path.

Paths are printed as they are found, as text; a JSON object is printed whole at the end, so that
nobody reads half of one. Ctrl-C ends the run, not the report.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from pef.cli.arguments import Parser
from pef.cli.exits import CLEAN, FOUND, INCOMPLETE, INTERRUPTED, UsageError
from pef.cli.progress import Progress
from pef.cli.settings import ExploreOptions, add_to, gather
from pef.cli.supervise import supervised

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pef._native import ReportStream

_START_UP_SECONDS = 2.0


class Exploration(Protocol):
    """What this command needs of a running exploration (`pef.session.explore_target`)."""

    function: str
    """`module:qualified.name`."""
    file: str
    """The source file, as the user would name it."""
    line: int
    """The line of the `def`."""

    def __iter__(self) -> Iterator[str]:
        """Yield each path, replayed, as the JSON of `docs/explore.schema.json`."""

    def completion(self) -> str:
        """Return `exhaustive`, `open`, `seconds` and `coverage` as JSON, at any moment."""


def run(words: list[str]) -> int:
    """Run the command; the exit code says whether something was found."""
    parser = Parser(
        "explore",
        "Runs a function on symbolic inputs and shows every path: the input that takes it, the\n"
        "result or exception, the output. Every path is replayed in plain CPython before that.",
        "FILE:FUNC [OPTIONS]",
        "pef explore examples/first.py:suma_con_bug --conditions",
    )
    parser.add_argument(
        "target", metavar="FILE:FUNC", help="also FILE:Class.method or pkg.mod:func"
    )
    add_to(parser)
    given = vars(parser.read(words))
    target = str(given.pop("target"))
    options = gather(given, _folder_of(target), os.environ)

    def command() -> int:
        with _start(target, options) as exploration:
            return _report(exploration, options)

    return supervised(command, target, _patience(options))


def _patience(options: ExploreOptions) -> float | None:
    """Seconds after which a run that should have ended by itself is killed."""
    return None if options.timeout is None else 1.2 * options.timeout + _START_UP_SECONDS


def _folder_of(target: str) -> str:
    file = target.rpartition(":")[0]
    return os.path.dirname(file) if os.path.isfile(file) else os.getcwd()


def _start(target: str, options: ExploreOptions) -> AbstractContextManager[Exploration]:
    """Begin; whatever the user got wrong about the target is known from here on."""
    from contextlib import redirect_stdout

    from pef.contracts.errors import ContractError
    from pef.replay.client import ReplayError
    from pef.session import explore_target
    from pef.targets import TargetError

    try:
        # What a module prints when it is imported belongs to no path.
        with redirect_stdout(sys.stderr):
            return explore_target(target, options)
    except (TargetError, ContractError, ReplayError) as mistake:
        raise UsageError(str(mistake)) from None
    except (Exception, SystemExit) as problem:
        from pef.cli.blame import fault_of_program

        said = fault_of_program(problem, [_folder_of(target), os.getcwd(), *options.python_path])
        if said is None:
            raise
        raise UsageError(f"cannot import the target: {said}") from None


def _report(exploration: Exploration, options: ExploreOptions) -> int:
    import json

    from pef.contracts.errors import ContractEvaluationError

    stream = _open_stream(exploration, options)
    at_once = options.output_format == "full"
    progress = Progress(sys.stderr, _wants_progress(options))
    held = [stream.opening()]
    interrupted = False
    try:
        for path in exploration:
            text = stream.path(path)
            progress.path()
            if at_once:
                sys.stdout.write(text)
                sys.stdout.flush()
            else:
                held.append(text)
    except KeyboardInterrupt:
        interrupted = True
    except ContractEvaluationError as mistake:
        raise UsageError(str(mistake)) from None
    progress.clear()
    held.append(stream.closing(_completed(exploration.completion(), interrupted)))
    sys.stdout.write("".join(held))
    sys.stdout.flush()
    return INTERRUPTED if interrupted else exit_code(json.loads(stream.summary()))


def _open_stream(exploration: Exploration, options: ExploreOptions) -> ReportStream:
    from pef._native import ReportStream

    quiet = options.quiet and options.output_format == "full"
    return ReportStream(
        "quiet" if quiet else options.output_format,
        exploration.function,
        exploration.file,
        exploration.line,
        conditions=options.conditions,
        verbose=options.verbose,
        color=_wants_color(options),
    )


def exit_code(summary: dict[str, int]) -> int:
    """Return the exit code of a finished run.

    An exception the function raises is behaviour, which `explore` shows. A violated contract, a
    crash, a process that leaves or does not end is an error.
    """
    if any(summary[error] for error in ("violated", "timeout", "crash", "exit")):
        return FOUND
    if summary["paths"] == 0 or summary["not_reproduced"]:
        return INCOMPLETE
    return CLEAN


def _completed(completion: str, interrupted: bool) -> str:
    if not interrupted:
        return completion
    import json

    facts = json.loads(completion)
    return json.dumps({**facts, "exhaustive": False, "open": [*facts["open"], "interrupted"]})


def _wants_color(options: ExploreOptions) -> bool:
    if options.color != "auto":
        return options.color == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def _wants_progress(options: ExploreOptions) -> bool:
    shows_paths = options.output_format == "full" and not options.quiet and sys.stdout.isatty()
    return sys.stderr.isatty() and not shows_paths
