"""Forks of PEF's own, in processes where target code may make none.

The kernel asks the warden about every fork. One of ours is known by the name that the thread has at
that moment, which is nowhere to be read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ClassVar

from pef.isolation.hook import ours

_YES = b"y"


class _State:
    """What holds in this process and its forks."""

    mark: ClassVar[bytes | None] = None
    """The name to fork under; None where nobody asks."""


def use_mark(mark: str) -> None:
    """From now on the kernel asks about forks, and knows ours by this name."""
    from pef import _native

    _State.mark = mark.encode()
    _native.be_readable()


def is_asked() -> bool:
    """Whether the kernel asks about forks in this process."""
    return _State.mark is not None


def fork() -> int:
    """As `os.fork`, for processes of ours."""
    with ours():
        if _State.mark is None:
            return os.fork()
        from pef import _native

        name = _native.rename_thread(_State.mark)
        try:
            pid = os.fork()
        finally:
            _native.rename_thread(name)
        if pid == 0:
            _native.be_readable()  # by the warden, which reads paths from our memory
        return pid


def in_fork(work: Callable[[], bool]) -> bool:
    """What it says in a process of its own, which leaves nothing behind in this one.

    Only that process can say so, by more than its end: neither one that ends itself nor one that
    the work has forked.
    """
    reading, writing = os.pipe()
    pid = fork()
    if pid == 0:
        try:
            own = os.getpid()
            if work() and os.getpid() == own:
                os.write(writing, _YES)
        finally:
            os._exit(0)
    os.close(writing)
    with ours(), open(reading, "rb", buffering=0) as answer:
        is_said = answer.read(len(_YES)) == _YES
        os.waitpid(pid, 0)
    return is_said
