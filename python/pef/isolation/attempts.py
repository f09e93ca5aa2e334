"""A system call that was tried: what it would do, to which file, and whether that is allowed.

Read from outside, from what the kernel says of the process that waits for an answer. What is read
from its memory can change until the kernel looks itself, so an answer that says yes is never the
last word: Landlock has that.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable, Sequence

from pef.isolation.policy import Policy, allowing_write, shown_path
from pef.isolation.proc import fields_of
from pef.records import NamedTuple


class Where(NamedTuple):
    """Which arguments of a call say which file it changes."""

    at: int | None
    """The path; None if it is the descriptor alone."""
    folder_at: int | None = None
    """The descriptor of the folder that it is seen from."""


FILES: dict[str, Sequence[Where]] = {
    **dict.fromkeys(
        [
            *("open", "creat", "unlink", "rmdir", "mkdir", "truncate", "chmod", "chown", "lchown"),
            *("utime", "utimes", "setxattr", "lsetxattr", "removexattr", "lremovexattr"),
        ],
        (Where(0),),
    ),
    **dict.fromkeys(
        [
            *("openat", "unlinkat", "mkdirat", "fchmodat", "fchmodat2", "fchownat"),
            *("futimesat", "utimensat"),
        ],
        (Where(1, 0),),
    ),
    **dict.fromkeys(["fchmod", "fchown", "fsetxattr", "fremovexattr"], (Where(None, 0),)),
    "rename": (Where(0), Where(1)),
    **dict.fromkeys(["renameat", "renameat2"], (Where(1, 0), Where(3, 2))),
    "link": (Where(1),),
    "linkat": (Where(3, 2),),
    "symlink": (Where(1),),
    "symlinkat": (Where(2, 1),),
}
SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
_FORKS = ("fork", "vfork", "clone")
_NETWORK = ("socket", "connect", "bind", "listen")
_PROGRAMS = ("execve", "execveat")
_HERE = -100
"""Instead of the descriptor of a folder: the current one."""
_LONGEST_PATH = 4096
_PAGE = 4096


class Attempt(NamedTuple):
    """One call of one thread."""

    name: str
    thread: int
    arguments: tuple[int, ...]


class Refusal(NamedTuple):
    """What was denied, with the option that allows it."""

    call: str
    option: str
    error: int = errno.EPERM
    """What the caller is told; 0 if the decision is left to the kernel."""

    def __str__(self) -> str:
        verb = "was denied" if self.error else "may have been denied"
        return f"{self.call} {verb} ({self.option})"


def refusal(attempt: Attempt, policy: Policy, may_fork: Callable[[int], bool]) -> Refusal | None:
    """Why it is not to happen; None if it may. `may_fork` tells whether a thread is ours."""
    name = attempt.name
    if name in FILES:
        return _refused_file(attempt, policy)
    if name in SIGNALS:
        return _refused_signal(attempt, policy)
    if name in _FORKS:
        return None if may_fork(attempt.thread) else Refusal(f"{name}()", "--allow subprocess")
    if name in _NETWORK:
        return Refusal(f"{name}()", "--allow net:HOST")
    if name in _PROGRAMS:
        return Refusal(f"{name}({_program(attempt)})", "--allow subprocess")
    return Refusal(f"{name}()", "--allow all")


def group_of(thread: int) -> int:
    """The process group of a thread; 0 if it is gone."""
    return _family(thread)[0]


def _family(thread: int) -> tuple[int, int]:
    """Process group and session."""
    try:
        group, session = fields_of(thread)[2:4]
    except (OSError, ValueError):
        return 0, 0
    return int(group), int(session)


def _refused_file(attempt: Attempt, policy: Policy) -> Refusal | None:
    try:
        paths = [_path(attempt, where) for where in FILES[attempt.name]]
    except OSError:  # it keeps its memory to itself
        return Refusal(f"{attempt.name}(?)", "--allow write:PATH", 0)
    named = ("?" if path is None else repr(shown_path(path)) for path in paths)
    shown = f"{attempt.name}({', '.join(named)})"
    for path in paths:
        if path is not None and not policy.may_write(path):
            return Refusal(shown, allowing_write(path), errno.EACCES)
    return None


def _path(attempt: Attempt, where: Where) -> str | None:
    """The file as seen from here; None if it has no name."""
    inside = f"/proc/{attempt.thread}"
    text = None if where.at is None else _text(attempt.thread, attempt.arguments[where.at])
    folder = _HERE
    if where.folder_at is not None:
        folder = _signed(attempt.arguments[where.folder_at])
    try:
        base = os.readlink(f"{inside}/cwd" if folder == _HERE else f"{inside}/fd/{folder}")
    except OSError:
        base = ""
    path = os.path.join(base, text) if text else base
    return path if path.startswith("/") else None


def _text(thread: int, address: int) -> str | None:
    """The text at an address of a process; None if there is none, an `OSError` if it hides."""
    if not 0 < address < 1 << 63:
        return None
    data = b""
    with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
        while b"\0" not in data and len(data) < _LONGEST_PATH:
            memory.seek(address + len(data))
            data += memory.read(_PAGE - (address + len(data)) % _PAGE) or b"\0"
    return os.fsdecode(data.partition(b"\0")[0])


def _program(attempt: Attempt) -> str:
    try:
        return repr(_text(attempt.thread, attempt.arguments[attempt.name == "execveat"]))
    except OSError:
        return "?"


def _refused_signal(attempt: Attempt, policy: Policy) -> Refusal | None:
    """Whoever leads a session has only PEF's own code left to run, and ends the others."""
    receiver = _signed(attempt.arguments[0])
    group, session = _family(attempt.thread)
    there = _family(abs(receiver)) if receiver not in (0, -1) else (group, session)
    is_own = receiver != -1 and there[0] == group
    is_leader = attempt.thread == session and there[1] == session
    if is_own or is_leader or policy.subprocess:
        return None
    return Refusal(f"{attempt.name}({receiver})", "--allow subprocess")


def _signed(argument: int) -> int:
    """An argument that is an `int` in C."""
    [value] = struct.unpack("=i", struct.pack("=I", argument % 2**32))
    return int(value)
