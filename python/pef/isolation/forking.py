"""Forks of PEF's own, in processes where target code may make none.

The kernel asks the warden about every fork. One of ours is known by the name that the thread has at
that moment, which is nowhere to be read.
"""

from __future__ import annotations

import os
from typing import ClassVar

from pef.isolation.hook import ours


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
