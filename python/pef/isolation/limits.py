"""How much of the machine target code may use, and what it sees of its surroundings."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping

MEMORY = 2 << 30
"""Bytes of address space on top of what is mapped when target code begins."""
FILE_SIZE = 64 << 20
"""Bytes of the largest file."""
PROCESSES = 512
"""More than the processes and threads there are by then."""

SECRETS = (
    *("*TOKEN*", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*CREDENTIAL*"),
    *("*API_KEY*", "*APIKEY*", "*ACCESS_KEY*", "*PRIVATE_KEY*", "*_KEY", "*_PAT", "*_DSN"),
    *("AWS_*", "AZURE_*", "GOOGLE_*", "GCP_*", "GITHUB_*", "GITLAB_*", "CI_*", "SSH_*"),
    *("DATABASE_URL", "*_DATABASE_URL", "REDIS_URL", "KUBECONFIG", "NETRC"),
)
"""Environment variables that target code does not get to see."""

FIXED = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
"""Environment variables that are the same on every machine."""


def limit_resources(seconds: float, memory: int = MEMORY) -> None:
    """Bound what this process and its children can use up; never to be undone by them.

    Seconds are of processor time, from now on.
    """
    from pef import _native

    _native.lower_limits(memory=memory, file_size=FILE_SIZE, seconds=seconds)


def limit_processes() -> None:
    """Bound the processes and threads of this user; the kernel does not heed it for root."""
    from pef import _native

    _native.lower_limits(processes=PROCESSES)


def scrubbed(environment: Mapping[str, str], secrets: Iterable[str] = SECRETS) -> dict[str, str]:
    """An environment without secrets, the same everywhere where that matters.

    >>> scrubbed({"HOME": "/home/ada", "GH_TOKEN": "x"})["HOME"]
    '/home/ada'
    >>> "GH_TOKEN" in scrubbed({"GH_TOKEN": "x"})
    False
    """
    is_secret = _matching(tuple(secrets))
    kept = {name: value for name, value in environment.items() if not is_secret(name)}
    return {**kept, **FIXED}


@functools.lru_cache(maxsize=4)
def _matching(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a name fits one of the patterns, in capitals; a star can be at either end."""
    inside = [each.strip("*") for each in patterns if each[0] == "*" == each[-1]]
    ends = tuple(each[1:] for each in patterns if each[0] == "*" != each[-1])
    starts = tuple(each[:-1] for each in patterns if each[0] != "*" == each[-1])
    whole = frozenset(each for each in patterns if "*" not in each)

    def fits(name: str) -> bool:
        name = name.upper()
        at_an_end = name in whole or name.startswith(starts) or name.endswith(ends)
        return at_an_end or any(part in name for part in inside)

    return fits


_noted: list[str] | None = None


def note_secrets() -> None:
    """In a process that runs no target code: find out, for all it forks, what is to go.

    Its environment stays as it is, so once is enough.
    """
    global _noted
    if _noted is None:
        _noted = _secrets()


def scrub() -> None:
    """Let this process and its children see only a scrubbed environment."""
    for name in _secrets() if _noted is None else _noted:
        os.environ.pop(name, None)
    for name, value in FIXED.items():
        os.environ[name] = value
    import time

    time.tzset()


def _secrets() -> list[str]:
    is_secret = _matching(SECRETS)
    return [name for name in os.environ if is_secret(name)]
