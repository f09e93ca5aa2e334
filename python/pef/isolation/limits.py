"""How much of the machine target code may use, and what it sees of its surroundings."""

from __future__ import annotations

import functools
import os
import resource
import sys
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


def limit_resources(memory: int = MEMORY) -> None:
    """Bound what this process and its children can use up; never to be undone by them."""
    mapped = _mapped()
    if mapped is not None:
        _lower(resource.RLIMIT_AS, mapped + memory)
    _lower(resource.RLIMIT_FSIZE, FILE_SIZE)
    _lower(resource.RLIMIT_CORE, 0)


def limit_seconds(seconds: float) -> None:
    """Bound the processor time of this process from now on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1)


def limit_processes() -> None:
    """Bound the processes and threads of this user; the kernel does not heed it for root."""
    running = _running()
    if running is not None:
        _lower(resource.RLIMIT_NPROC, running + PROCESSES)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY or value < hard:
        resource.setrlimit(kind, (value, value))


def _mapped() -> int | None:
    """Bytes of address space in use; None where that is not told, or a limit means nothing."""
    if sys.platform != "linux":
        return None
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()


def _running() -> int | None:
    """How many processes and threads there are, whoever has them; the limit counts the user's."""
    if sys.platform != "linux":
        return None
    with open("/proc/loadavg") as loads:
        return int(loads.read().split()[3].partition("/")[2])


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


def scrub() -> None:
    """Let this process and its children see only a scrubbed environment."""
    is_secret = _matching(SECRETS)
    for name in [name for name in os.environ if is_secret(name)]:
        del os.environ[name]
    os.environ.update(FIXED)
    import time

    time.tzset()
