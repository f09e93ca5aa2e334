"""The two processes of a run that execute no target code, and what passes between them.

The front is warm: it holds the engine, forks servers from it and hands what comes in to the reader.
The supervisor, its child, stays small and plain, so that replays can be forked from it.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from pef.checking.discovery import discover
from pef.checking.run import Report, Run
from pef.checking.server import Channel, Servers, forget_modules, fork, note_modules, warm_up
from pef.cli.options import CheckOptions
from pef.isolation.quarters import Quarters
from pef.records import NamedTuple
from pef.targets import TargetError

Hear = Callable[[str, Any], None]
"""Called with the kind of an event and its content."""


class Outcome(NamedTuple):
    """How a run ended."""

    is_complete: bool
    """Whether every function got a verdict."""
    interrupted: bool
    refused: str | None
    """What the user named makes no sense; nothing was done."""


def perform(
    targets: Sequence[str], search: Sequence[str], options: CheckOptions, hear: Hear
) -> Outcome:
    """Check the targets. Events: problem, finding, function, mistake, fault, progress."""
    ends = Outcome(False, False, "the supervisor died")
    warm = False
    Quarters.prepare()
    note_modules()
    with _ctrl_c_is_for_the_supervisor(), _private_folder() as folder:
        pid, channel = fork(lambda end: _supervise(targets, search, options, end, folder))
        with _ended_with_us(pid) as servers:
            while (message := channel.receive()) is not None:
                kind = message["kind"]
                if kind == "serve":
                    if not warm:
                        warm_up()
                        warm = True
                    servers.start(message)
                elif kind == "end":
                    ends = Outcome(*message["content"])
                else:
                    hear(kind, message["content"])
    return ends


@contextmanager
def _ended_with_us(supervisor: int) -> Iterator[Servers]:
    """Nobody is left, also if what was heard cannot be written down."""
    servers = Servers()
    try:
        yield servers
    except BaseException:
        os.kill(supervisor, signal.SIGKILL)
        raise
    finally:
        os.waitpid(supervisor, 0)
        servers.end()


@contextmanager
def _ctrl_c_is_for_the_supervisor() -> Iterator[None]:
    """The supervisor hears Ctrl-C too, and says what is known by then."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _private_folder() -> Iterator[str]:
    """Where target code has its temporary files; removed even if this process is asked to end."""
    folder = tempfile.mkdtemp(prefix="pef-")
    is_main = threading.current_thread() is threading.main_thread()
    is_default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if is_main and is_default:
        signal.signal(signal.SIGTERM, _leave)
    try:
        yield folder
    finally:
        if is_main and is_default:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        shutil.rmtree(folder, ignore_errors=True)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _supervise(
    targets: Sequence[str],
    search: Sequence[str],
    options: CheckOptions,
    front: Channel,
    folder: str,
) -> None:
    """The life of the supervisor."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    forget_modules()

    def tell(kind: str, content: Any) -> None:
        front.send({"kind": kind, "content": content})

    try:
        found = discover(
            targets, exclude=options.exclude, include_tests=options.include_tests, search=search
        )
        refused = found.nothing
    except TargetError as mistake:
        refused = str(mistake)
    if refused is not None:
        tell("end", [False, False, refused])
        return
    for problem in found.problems:
        tell("problem", str(problem))
    run = Run(found, options, search, Report(tell))
    interrupted = False
    try:
        run.perform(front, folder)
    except KeyboardInterrupt:
        interrupted = True
    tell("end", [run.is_complete and not interrupted, interrupted, None])
