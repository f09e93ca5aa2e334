"""System calls: what a process that has to do with target code gives up.

The calls are answered with an error, so the code that asked sees an exception and goes on. What
takes more than a number and the bits of an argument to judge, and what should leave a trace, is put
to a warden (`pef.isolation.warden`). How a filter is made of the rules and given to the kernel is
in `crates/python/src/isolation/filter.rs`.
"""

from __future__ import annotations

import errno
import os

from pef.isolation.attempts import FILES, SIGNALS
from pef.isolation.policy import Policy
from pef.records import NamedTuple


class Rule(NamedTuple):
    """Calls that are denied."""

    names: tuple[str, ...]
    """As on the machine that has most of them; what another has not is none to deny there."""
    error: int = errno.EPERM
    argument: int | None = None
    """Which argument is looked at; None if the calls are denied whatever they are."""
    mask: int = 0xFFFFFFFF
    """Which of its bits; the upper half is never looked at."""
    unless: int = 0
    """The calls are denied unless the bits are these."""
    is_told: bool = False
    """Whether a warden is asked, if there is one, instead of denying them."""


_AF_UNIX = 1
_CLONE_THREAD = 0x00010000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_ALWAYS = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_send_signal", "pidfd_getfd"),
    *("mknod", "mknodat", "memfd_create", "memfd_secret"),
    *("mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "quotactl", "acct"),
    *("bpf", "perf_event_open", "keyctl", "add_key", "request_key", "userfaultfd"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "reboot"),
    *("swapon", "swapoff", "sethostname", "setdomainname"),
    *("settimeofday", "clock_settime", "adjtimex", "clock_adjtime"),
    *("shmget", "shmat", "semget", "msgget", "mq_open", "mq_unlink"),
)
_CHANGES = tuple(name for name in FILES if not name.startswith("open"))
"""What changes a file, whatever its arguments are."""


def confined(policy: Policy) -> list[Rule]:
    """What no process that has to do with target code may do."""
    rules = [Rule(_ALWAYS, is_told=True)]
    if not policy.hosts:
        rules.append(Rule(("socket",), argument=0, unless=_AF_UNIX, is_told=True))
        rules.append(Rule(("connect", "bind", "listen"), is_told=True))
    if not policy.subprocess:
        rules.append(Rule(("execve", "execveat"), is_told=True))
    return rules


def judged(policy: Policy) -> list[Rule]:
    """What a warden must decide: no filter can tell whether it is allowed."""
    rules = [
        Rule(("open",), argument=1, mask=_WRITING, is_told=True),
        Rule(("openat",), argument=2, mask=_WRITING, is_told=True),
        Rule(("openat2",), errno.ENOSYS),  # hides its flags; whoever tries it knows openat, too
        Rule(_CHANGES, is_told=True),
        Rule(SIGNALS, is_told=True),
    ]
    return rules if policy.subprocess else [*rules, *sealed(is_told=True)]


def sealed(*, is_told: bool = False) -> list[Rule]:
    """What starts another process; threads are none."""
    # Without clone3, whose flags no filter can see, the C library takes clone.
    return [
        Rule(("fork", "vfork"), is_told=is_told),
        Rule(
            ("clone",),
            argument=0,
            mask=_CLONE_THREAD,
            unless=_CLONE_THREAD,
            is_told=is_told,
        ),
        Rule(("clone3",), errno.ENOSYS),
    ]
