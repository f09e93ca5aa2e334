"""The few system calls that this room makes or forbids, by number.

Written down here because neither CPython nor its `ctypes` knows them. The numbers are part of the
kernel's interface and never change.
"""

from __future__ import annotations

import ctypes
import os

_X86_64 = {
    "fork": 57, "vfork": 58, "clone": 56, "clone3": 435,
    "execve": 59, "execveat": 322, "socket": 41, "connect": 42, "bind": 49, "listen": 50,
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_send_signal": 424,
    "pidfd_getfd": 438, "mknod": 133, "mknodat": 259, "memfd_create": 319, "memfd_secret": 447,
    "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "setns": 308, "unshare": 272,
    "bpf": 321, "perf_event_open": 298, "keyctl": 250, "add_key": 248, "request_key": 249,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "userfaultfd": 323,
    "init_module": 175, "finit_module": 313, "delete_module": 176, "kexec_load": 246,
    "reboot": 169, "swapon": 167, "swapoff": 168, "sethostname": 170, "setdomainname": 171,
    "settimeofday": 164, "clock_settime": 227, "adjtimex": 159, "clock_adjtime": 305,
    "shmget": 29, "shmat": 30, "semget": 64, "msgget": 68, "mq_open": 240, "mq_unlink": 241,
    "quotactl": 179, "acct": 163, "seccomp": 317,
    "open": 2, "creat": 85, "openat": 257, "openat2": 437, "truncate": 76,
    "unlink": 87, "unlinkat": 263, "rmdir": 84, "mkdir": 83, "mkdirat": 258,
    "rename": 82, "renameat": 264, "renameat2": 316, "link": 86, "linkat": 265,
    "symlink": 88, "symlinkat": 266, "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452,
    "chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260,
    "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280,
    "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190,
    "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199,
    "kill": 62, "tkill": 200, "tgkill": 234, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297,
}  # fmt: skip
_AARCH64 = {
    "clone": 220, "clone3": 435, "execve": 221,
    "execveat": 281, "socket": 198, "connect": 203, "bind": 200, "listen": 201, "ptrace": 117,
    "process_vm_readv": 270, "process_vm_writev": 271, "pidfd_send_signal": 424,
    "pidfd_getfd": 438, "mknodat": 33, "memfd_create": 279, "memfd_secret": 447, "mount": 40,
    "umount2": 39, "pivot_root": 41, "chroot": 51, "setns": 268, "unshare": 97, "bpf": 280,
    "perf_event_open": 241, "keyctl": 219, "add_key": 217, "request_key": 218,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "userfaultfd": 282,
    "init_module": 105, "finit_module": 273, "delete_module": 106, "kexec_load": 104,
    "reboot": 142, "swapon": 224, "swapoff": 225, "sethostname": 161, "setdomainname": 162,
    "settimeofday": 170, "clock_settime": 112, "adjtimex": 171, "clock_adjtime": 266,
    "shmget": 194, "shmat": 196, "semget": 190, "msgget": 186, "mq_open": 180, "mq_unlink": 181,
    "quotactl": 60, "acct": 89, "seccomp": 277,
    "openat": 56, "openat2": 437, "truncate": 45, "unlinkat": 35, "mkdirat": 34,
    "renameat": 38, "renameat2": 276, "linkat": 37, "symlinkat": 36,
    "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54, "utimensat": 88,
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7,
    "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
    "kill": 129, "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240,
}  # fmt: skip

LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
"""The same on every machine."""

_MACHINES = {"x86_64": (_X86_64, 0xC000003E), "aarch64": (_AARCH64, 0xC00000B7)}


def numbers() -> tuple[dict[str, int], int]:
    """The numbers by name, and what the kernel calls this kind of machine."""
    machine = os.uname().machine
    if machine not in _MACHINES:
        raise OSError(0, f"not known on {machine}")
    return _MACHINES[machine]


_library: ctypes.CDLL | None = None


def library() -> ctypes.CDLL:
    """The C library."""
    global _library
    if _library is None:
        _library = ctypes.CDLL(None, use_errno=True)
    return _library


def checked(result: int) -> int:
    """Raise what the C library says went wrong."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


_PR_SET_NO_NEW_PRIVS = 38


def give_up_privileges() -> None:
    """What comes before any restriction of oneself."""
    checked(library().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
