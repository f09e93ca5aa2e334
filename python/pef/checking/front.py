"""A run from its words to its end: here, or in a process of its own.

The process of a run executes no target code and stays plain: replays and servers are forked from
it. It holds the engine, asleep, so that servers need not load it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from pef.checking.discovery import discover
from pef.checking.run import Report, Run
from pef.checking.server import Channel, Servers, forget_modules, fork, note_modules, warm_up
from pef.cli.options import CheckOptions
from pef.isolation.scratch import make_folder, remove_folder
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
    with _private_folder() as folder:
        return _perform(targets, search, options, hear, folder)


def _perform(
    targets: Sequence[str],
    search: Sequence[str],
    options: CheckOptions,
    hear: Hear,
    folder: str,
) -> Outcome:
    try:
        found = discover(
            targets, exclude=options.exclude, include_tests=options.include_tests, search=search
        )
        refused = found.nothing
    except TargetError as mistake:
        refused = str(mistake)
    if refused is not None:
        return Outcome(False, False, refused)
    for problem in found.problems:
        hear("problem", str(problem))
    run = Run(found, options, search, Report(hear))
    interrupted = False
    with Servers() as servers:
        try:
            run.perform(servers, folder)
        except KeyboardInterrupt:
            interrupted = True
    return Outcome(run.is_complete and not interrupted, interrupted, None)


def perform_apart(
    targets: Sequence[str], search: Sequence[str], options: CheckOptions, hear: Hear
) -> Outcome:
    """The same in a process of its own, for those who go on afterwards, or have code loaded."""
    ends = Outcome(False, False, "the supervisor died")
    note_modules()
    warm_up(for_good=False)
    with _ctrl_c_is_for_the_supervisor(), _private_folder() as folder:
        pid, channel = fork(lambda end: _supervise(targets, search, options, end, folder))
        with _ended_with_us(pid):
            while (message := channel.receive()) is not None:
                if message["kind"] == "end":
                    ends = Outcome(*message["content"])
                else:
                    hear(message["kind"], message["content"])
    return ends


@contextmanager
def _ended_with_us(supervisor: int) -> Iterator[None]:
    """Nobody is left, also if what was heard cannot be written down."""
    try:
        yield
    except BaseException:
        os.kill(supervisor, signal.SIGKILL)
        raise
    finally:
        os.waitpid(supervisor, 0)


@contextmanager
def _ctrl_c_is_for_the_supervisor() -> Iterator[None]:
    """The supervisor hears Ctrl-C too, and says what is known by then."""
    if not _is_main_thread():
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
    folder = make_folder()
    is_main = _is_main_thread()
    is_default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if is_main and is_default:
        signal.signal(signal.SIGTERM, _leave)
    try:
        yield folder
    finally:
        if is_main and is_default:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        remove_folder(folder)


def _is_main_thread() -> bool:
    """Whether signals can be handled here; nobody has a second thread without `threading`."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _supervise(
    targets: Sequence[str],
    search: Sequence[str],
    options: CheckOptions,
    caller: Channel,
    folder: str,
) -> None:
    """The life of the process of its own."""
    if _is_main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    forget_modules()

    def tell(kind: str, content: Any) -> None:
        caller.send({"kind": kind, "content": content})

    tell("end", list(_perform(targets, search, options, tell, folder)))
