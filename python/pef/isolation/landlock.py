"""Files: this process keeps the right to read all of them and to change only some.

Landlock (Linux 5.13 and later) knows no rule for what can be changed without being opened: mode,
owner and times are guarded by `pef.isolation.hook` and `pef.isolation.warden` alone.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from pef.isolation.policy import DEVICES
from pef.isolation.syscalls import (
    LANDLOCK_ADD_RULE,
    LANDLOCK_CREATE_RULESET,
    LANDLOCK_RESTRICT_SELF,
    checked,
    give_up_privileges,
    library,
)

_VERSION = 1
_PATH_BENEATH = 1
_WRITE_FILE = 1 << 1
# Remove directories and files; make character devices, directories, regular files, sockets, fifos,
# block devices and links.
_CHANGE_FOLDERS = sum(1 << bit for bit in range(4, 13))
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_SCOPE_ABSTRACT_SOCKET, _SCOPE_SIGNAL = 1, 2


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def version() -> int:
    """What this kernel knows of Landlock; an `OSError` if that is nothing."""
    return checked(library().syscall(LANDLOCK_CREATE_RULESET, None, 0, _VERSION))


def restrict(writable: Iterable[str]) -> None:
    """Give up the right to change files that are none of `writable` nor below them."""
    known = version()
    rights = _WRITE_FILE | _CHANGE_FOLDERS
    rights |= _REFER if known >= 2 else 0
    rights |= _TRUNCATE if known >= 3 else 0
    # Signals to processes outside, and sockets without a file.
    scoped = _SCOPE_ABSTRACT_SOCKET | _SCOPE_SIGNAL if known >= 6 else 0
    ruleset = _Ruleset(rights, 0, scoped)
    size = ctypes.sizeof(ruleset) if known >= 6 else 8
    call = library().syscall
    rules = checked(call(LANDLOCK_CREATE_RULESET, ctypes.byref(ruleset), size, 0))
    try:
        for path in (*DEVICES, *writable):
            _allow(rules, path, rights)
        give_up_privileges()
        checked(call(LANDLOCK_RESTRICT_SELF, rules, 0))
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    """Allow changes below a path; one that does not exist is looked for where it would be made."""
    while not os.path.exists(path):
        path = os.path.dirname(path)
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        allowed = rights if os.path.isdir(path) else rights & (_WRITE_FILE | _TRUNCATE)
        rule = _PathBeneath(allowed, descriptor)
        added = library().syscall(LANDLOCK_ADD_RULE, rules, _PATH_BENEATH, ctypes.byref(rule), 0)
        checked(added)
    finally:
        os.close(descriptor)
