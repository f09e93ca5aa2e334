"""System calls: this process keeps what computing takes and gives up what acts on others.

A filter is a program for the kernel's packet filter. Ours is a list of questions about the number
of the call and the low half of an argument; the first that fits is answered with an error, so the
code that asked sees an exception and goes on. What takes more than that to judge, and what should
leave a trace, is put to a warden (`pef.isolation.warden`).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Sequence

from pef.isolation.attempts import FILES, SIGNALS
from pef.isolation.policy import Policy
from pef.isolation.syscalls import checked, give_up_privileges, library, numbers
from pef.records import NamedTuple


class Rule(NamedTuple):
    """One call that is denied."""

    name: str
    error: int = errno.EPERM
    argument: int | None = None
    """Which argument is looked at; None if the call is denied whatever they are."""
    mask: int = 0xFFFFFFFF
    """Which of its bits."""
    unless: int = 0
    """The call is denied unless the bits are these."""
    is_told: bool = False
    """Whether a warden is asked, if there is one, instead of denying it."""


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


def confined(policy: Policy) -> list[Rule]:
    """What no process that has to do with target code may do."""
    rules = [Rule(name, is_told=True) for name in _ALWAYS]
    if not policy.hosts:
        rules.append(Rule("socket", argument=0, unless=_AF_UNIX, is_told=True))
        rules += [Rule(name, is_told=True) for name in ("connect", "bind", "listen")]
    if not policy.subprocess:
        rules += [Rule(name, is_told=True) for name in ("execve", "execveat")]
    return rules


def judged(policy: Policy) -> list[Rule]:
    """What a warden must decide: no filter can tell whether it is allowed."""
    rules = [
        Rule("open", argument=1, mask=_WRITING, is_told=True),
        Rule("openat", argument=2, mask=_WRITING, is_told=True),
        Rule("openat2", errno.ENOSYS),  # hides its flags; whoever tries it knows openat, too
        *(Rule(name, is_told=True) for name in FILES if not name.startswith("open")),
        *(Rule(name, is_told=True) for name in SIGNALS),
    ]
    if not policy.subprocess:
        rules += [rule._replace(is_told=rule.name != "clone3") for rule in sealed()]
    return rules


def sealed() -> list[Rule]:
    """What starts another process; threads are none."""
    # Without clone3, whose flags no filter can see, the C library takes clone.
    return [
        *(Rule(name) for name in ("fork", "vfork")),
        Rule("clone", argument=0, mask=_CLONE_THREAD, unless=_CLONE_THREAD),
        Rule("clone3", errno.ENOSYS),
    ]


def restrict(rules: Sequence[Rule]) -> None:
    """Give up the calls, in this thread and all it starts."""
    _install(rules, 0)


def restrict_listened(rules: Sequence[Rule]) -> int:
    """As `restrict`; a descriptor for the warden. Until it listens, what it is told waits."""
    try:
        return _install(rules, _NEW_LISTENER | _WAIT_KILLABLE)
    except OSError:  # before Linux 5.19
        return _install(rules, _NEW_LISTENER)


def _install(rules: Sequence[Rule], flags: int) -> int:
    program = assembled(rules, bool(flags & _NEW_LISTENER))
    code = ctypes.create_string_buffer(program, len(program))
    filter_program = _Program(len(program) // _INSTRUCTION.size, ctypes.addressof(code))
    give_up_privileges()
    call = numbers()[0]["seccomp"]
    return checked(library().syscall(call, _SET_FILTER, flags, ctypes.byref(filter_program)))


_SET_FILTER, _NEW_LISTENER, _WAIT_KILLABLE = 1, 1 << 3, 1 << 5
_INSTRUCTION = struct.Struct("=HBBI")
_LOAD, _AND, _JUMP_EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x06
_ALLOW, _ERRNO, _TELL = 0x7FFF0000, 0x00050000, 0x7FC00000
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16
_OTHER_TABLE = 0x40000000
"""x86-64 has the calls once more from here on."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def assembled(rules: Sequence[Rule], has_warden: bool = False) -> bytes:
    """The program. Calls of another machine's table are denied: their numbers mean others."""
    known, machine = numbers()
    code = [
        _instruction(_LOAD, _MACHINE_AT),
        _instruction(_JUMP_EQUAL, machine, 1, 0),
        _denied(errno.ENOSYS),
        _instruction(_LOAD, _NUMBER_AT),
        _instruction(0x35, _OTHER_TABLE, 0, 1),  # jump if greater or equal
        _denied(errno.ENOSYS),
    ]
    for rule in rules:
        if rule.name in known:
            answer = _denied(rule.error)
            if rule.is_told and has_warden:
                answer = _instruction(_RETURN, _TELL)
            code += _questions(rule, known[rule.name], answer)
    code.append(_instruction(_RETURN, _ALLOW))
    return b"".join(code)


def _questions(rule: Rule, number: int, answer: bytes) -> list[bytes]:
    if rule.argument is None:
        return [_instruction(_JUMP_EQUAL, number, 0, 1), answer]
    return [
        _instruction(_JUMP_EQUAL, number, 0, 5),
        _instruction(_LOAD, _ARGUMENTS_AT + 8 * rule.argument),
        _instruction(_AND, rule.mask),
        _instruction(_JUMP_EQUAL, rule.unless, 1, 0),
        answer,
        _instruction(_LOAD, _NUMBER_AT),
    ]


def _instruction(operation: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return _INSTRUCTION.pack(operation, yes, no, value)


def _denied(error: int) -> bytes:
    return _instruction(_RETURN, _ERRNO | error)
