"""The surroundings of a process that is about to run target code, set up in one go."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence

from pef.isolation import ambient, forking, hook, kernel, limits
from pef.isolation.policy import Policy
from pef.isolation.scratch import remove_folder
from pef.isolation.warden import hand_over, introduction
from pef.records import NamedTuple


class Quarters(NamedTuple):
    """Where target code lives: what it may do, and the folder that is its own."""

    allow: Sequence[str]
    """As the user wrote it."""
    folder: str
    """For temporary files; whoever made it removes it."""
    door: int | None = None
    """The descriptor of a warden, open in the process that enters."""
    mark: str = ""
    """What the warden knows our own forks by."""

    def prepare(self) -> None:
        """Before processes are forked that will enter: do what is the same for all of them."""
        limits.note_secrets()
        ambient.prepare()
        policy, has_warden = self._policy, self.door is not None
        kernel.prepare(policy, has_warden=has_warden)
        if has_warden:
            introduction(policy, self.mark)

    def enter(self) -> kernel.Layers:
        """In a process that imports the target and forks others: give up what is not allowed."""
        policy = self._policy
        sys.dont_write_bytecode = True
        limits.scrub()
        ambient.fix()
        limits.limit_processes()
        self._use(self.folder)
        layers = kernel.confine(policy, [self.folder], has_warden=self.door is not None)
        if self.door is not None:
            if layers.listener is not None:
                try:
                    hand_over(self.door, layers.listener, policy, self.mark)
                finally:
                    os.close(layers.listener)  # else the kernel would wait for us to answer
                forking.use_mark(self.mark)
            os.close(self.door)
        hook.install(policy)
        return layers

    def settle(self, seconds: float, own: str | None = None) -> None:
        """In a process that runs target code: bound what it uses, give it a folder of its own."""
        limits.limit_resources(seconds)
        if own is not None:
            folder = os.path.join(self.folder, own)
            os.makedirs(folder, exist_ok=True)
            self._use(folder)

    def seal(self) -> None:
        """In a process that does nothing but run target code: it starts no others."""
        if not forking.is_asked():
            kernel.seal(self._policy)

    def tidy(self) -> None:
        """Remove what target code has left in the folder."""
        with hook.ours():
            for name in os.listdir(self.folder):
                path = os.path.join(self.folder, name)
                if os.path.isdir(path) and not os.path.islink(path):
                    remove_folder(path)
                else:
                    os.unlink(path)

    @property
    def _policy(self) -> Policy:
        return _policy_of(tuple(self.allow), self.folder)

    @staticmethod
    def _use(folder: str) -> None:
        for name in ("TMPDIR", "TEMP", "TMP"):
            os.environ[name] = folder
        if "tempfile" in sys.modules:  # it remembers where it was last time
            vars(sys.modules["tempfile"])["tempdir"] = None


@functools.lru_cache(maxsize=64)
def _policy_of(allow: tuple[str, ...], folder: str) -> Policy:
    policy = Policy.of(allow)
    return policy._replace(writes=(*policy.writes, os.path.realpath(folder)))
