"""What the filter of system calls lets through: its program, run here as the kernel runs it."""

import errno
import os
import platform
import struct
import sys

import pytest

from pef.isolation.policy import Policy
from pef.isolation.seccomp import Rule, confined, judged, sealed

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="nothing is known of the calls of other machines",
)

MACHINE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}.get(platform.machine(), 0)
ALLOWED, TOLD = "allowed", "told"
OTHER_TABLE = 0x40000000


def assembled(rules, *, has_warden=False):
    from pef import _native

    return _native.assemble_filter(rules, has_warden=has_warden)


def numbers():
    from pef import _native

    return _native.system_calls()


def answer(program, number, *arguments, machine=MACHINE):
    """What the kernel's packet filter would answer; an error stands for itself."""
    given = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=iIQ6Q", number, machine, 0, *given)
    code = list(struct.iter_unpack("=HBBI", program))
    value, at = 0, 0
    while True:
        operation, yes, no, operand = code[at]
        at += 1
        if operation == 0x20:
            [value] = struct.unpack_from("=I", data, operand)
        elif operation == 0x54:
            value &= operand
        elif operation in (0x15, 0x35):
            holds = value == operand if operation == 0x15 else value >= operand
            at += yes if holds else no
        else:
            assert operation == 0x06
            named = {0x7FFF0000: ALLOWED, 0x7FC00000: TOLD}
            return named.get(operand) or operand ^ 0x00050000


def test_what_no_rule_names_is_allowed_and_what_one_names_is_not():
    program = assembled([Rule(("kill", "mount")), Rule(("bpf",), errno.ENOSYS)])
    calls = numbers()
    denied = {calls["kill"]: errno.EPERM, calls["mount"]: errno.EPERM, calls["bpf"]: errno.ENOSYS}
    for number in range(512):
        assert answer(program, number) == denied.get(number, ALLOWED)


def test_only_the_bits_of_an_argument_count():
    rule = Rule(("socket",), argument=1, mask=0xF0, unless=0x20)
    program = assembled([rule, Rule(("kill",))])
    number = numbers()["socket"]
    assert answer(program, number, 7, 0x2F) == ALLOWED
    assert answer(program, number, 0x20, 0x3F) == errno.EPERM
    assert answer(program, number, 0, 1 << 32 | 0x20) == ALLOWED  # the upper half is not seen
    assert answer(program, numbers()["kill"], 0, 0x20) == errno.EPERM  # questions go on behind it


def test_a_warden_is_told_only_of_what_it_is_to_be_told():
    rules = [Rule(("kill",), is_told=True), Rule(("mount",))]
    alone, watched = assembled(rules), assembled(rules, has_warden=True)
    calls = numbers()
    assert answer(alone, calls["kill"]) == answer(alone, calls["mount"]) == errno.EPERM
    assert answer(watched, calls["kill"]) == TOLD
    assert answer(watched, calls["mount"]) == errno.EPERM


def test_the_numbers_of_other_machines_are_denied():
    program = assembled([])
    assert answer(program, 1) == ALLOWED
    assert answer(program, 1, machine=0x40000003) == errno.ENOSYS
    assert answer(program, OTHER_TABLE | 1) == errno.ENOSYS
    assert answer(program, OTHER_TABLE - 1) == ALLOWED


def test_a_name_that_no_machine_has_is_a_mistake():
    with pytest.raises(ValueError, match="no system call: mout"):
        assembled([Rule(("mout",))])
    with pytest.raises(ValueError, match="so many arguments"):
        assembled([Rule(("mount",), argument=6)])


def test_the_policy_decides_what_is_denied():
    calls = numbers()
    strict = assembled([*confined(Policy()), *judged(Policy())], has_warden=True)
    allowed = Policy(hosts=("*",), subprocess=True)
    loose = assembled([*confined(allowed), *judged(allowed)], has_warden=True)
    for name in ("connect", "execve", "clone"):
        assert answer(strict, calls[name]) == TOLD
        assert answer(loose, calls[name]) == ALLOWED
    for program in (strict, loose):
        assert answer(program, calls["ptrace"]) == TOLD
        assert answer(program, calls["unlinkat"]) == TOLD
        assert answer(program, calls["openat"], 0, 0, os.O_RDONLY) == ALLOWED
        assert answer(program, calls["openat"], 0, 0, os.O_RDWR) == TOLD
        assert answer(program, calls["openat2"]) == errno.ENOSYS
    assert answer(strict, calls["clone3"]) == errno.ENOSYS


def test_threads_are_no_processes():
    program, clone = assembled(sealed()), numbers()["clone"]
    thread = 0x00010000
    assert answer(program, clone, thread | 0x100) == ALLOWED
    assert answer(program, clone, 17) == errno.EPERM
