"""Which side effects target code may have: nothing, unless the user allows it.

Reading files, importing and writing to a private temporary folder are always possible.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from pef.records import NamedTuple

WORDS = "write:PATH, net:HOST, net, subprocess or all"


class Policy(NamedTuple):
    """What is allowed."""

    writes: tuple[str, ...] = ()
    """Files and folders that may be changed, absolute and without symbolic links."""
    hosts: tuple[str, ...] = ()
    """Hosts that may be talked to; `*` stands for all."""
    subprocess: bool = False
    everything: bool = False

    @classmethod
    def of(cls, words: Iterable[str]) -> Policy:
        """Read what the user allows; a `ValueError` for what makes no sense.

        >>> Policy.of(["net:localhost", "subprocess"])
        Policy(writes=(), hosts=('localhost',), subprocess=True, everything=False)
        """
        writes, hosts = [], []
        subprocess = everything = False
        for word in words:
            kind, _, detail = word.partition(":")
            if kind == "write" and detail:
                writes.append(os.path.realpath(os.path.expanduser(detail)))
            elif kind == "net" and (detail or word == "net"):
                hosts.append(detail or "*")
            elif word == "subprocess":
                subprocess = True
            elif word == "all":
                everything = True
            else:
                raise ValueError(word)
        return cls(tuple(writes), tuple(hosts), subprocess, everything)

    def may_write(self, path: str) -> bool:
        """Whether a file may be made, changed or removed."""
        real = os.path.realpath(path)
        if self.everything or real in DEVICES:
            return True
        return any(real == each or real.startswith(each + os.sep) for each in self.writes)

    def may_reach(self, host: object) -> bool:
        """Whether a host may be talked to."""
        return self.everything or "*" in self.hosts or host in self.hosts


def allowing_write(path: str) -> str:
    """The option that allows to change a file."""
    return f"--allow write:{shown_path(os.path.realpath(path))}"


def shown_path(path: str) -> str:
    """A path as a person would write it here."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
"""What is written there goes nowhere."""
