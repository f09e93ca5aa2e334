"""Processes that outlived the one that started them, and left its group and session besides.

On Linux a process can ask to become their parent. So nothing that target code starts gets away from
the process that prepared it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Set

from pef.isolation.proc import contents_of

_is_reaper = False


def become_reaper() -> None:
    """Become the parent of whatever a child leaves behind, even in another session."""
    global _is_reaper
    if sys.platform == "linux":
        from pef import _native

        _native.become_reaper()
        _is_reaper = True


def end_orphans(living: Set[int]) -> None:
    """Kill every child but these: they were adopted. Those that they leave are next."""
    while _is_reaper:
        try:
            children = contents_of(f"/proc/self/task/{os.getpid()}/children")
            orphans = {int(each) for each in children.split()} - living
        except FileNotFoundError:  # a kernel that does not tell
            return
        if not orphans:
            return
        for orphan in orphans:
            os.kill(orphan, signal.SIGKILL)
            os.waitpid(orphan, 0)
