"""A hold on a process that somebody else started: its end is noticed; it can be held, and ended.

On Linux the hold is a descriptor, which never means another process that got the same number and
can be waited on together with pipes. Elsewhere it is the number alone.
"""

from __future__ import annotations

import os
import signal


class Leash:
    """One process, the leader of its group."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.descriptor: int | None = None
        """Can be read when the process has ended; None where there is no such thing."""
        if hasattr(os, "pidfd_open"):
            try:
                self.descriptor = os.pidfd_open(pid)
            except OSError:  # an old kernel, no descriptor left, or gone already
                self.descriptor = None

    def kill(self) -> None:
        """End the process and its whole group, whatever they think of it."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._kill_itself()  # it leads no group yet, or has ended

    def hold(self) -> None:
        """Let the group wait where it is."""
        self._signal(signal.SIGSTOP)

    def loosen(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):  # it leads no group yet, or has ended
            return

    def _kill_itself(self) -> None:
        try:
            if self.descriptor is not None and hasattr(signal, "pidfd_send_signal"):
                signal.pidfd_send_signal(self.descriptor, signal.SIGKILL)
            else:
                os.kill(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return

    def let_go(self) -> None:
        """Forget it."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
