"""What the warden makes of a system call; the calls are made up, the process is this one."""

import ctypes
import os
import sys

import pytest

from pef.isolation.attempts import Attempt, refusal
from pef.isolation.policy import Policy

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's layer is for Linux")

HERE = -100 % 2**32


@pytest.fixture
def judged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    policy = Policy.of(["write:mine"])
    kept = []

    def judge(name, *arguments, may_fork=False):
        """Texts are passed as C does: by their address."""
        given = []
        for each in arguments:
            if isinstance(each, bytes):
                kept.append(ctypes.create_string_buffer(each))
                each = ctypes.addressof(kept[-1])
            given.append(each)
        given += [0] * (6 - len(given))
        return refusal(Attempt(name, os.getpid(), tuple(given)), policy, lambda thread: may_fork)

    return judge


def test_a_path_is_seen_from_the_current_folder(judged, tmp_path):
    assert judged("unlink", b"mine/x") is None
    assert judged("unlink", b"/dev/null") is None
    refused = judged("unlink", b"x")
    assert str(refused) == "unlink('x') was denied (--allow write:x)"
    assert str(judged("unlink", os.fsencode(tmp_path / "y"))) == (
        "unlink('y') was denied (--allow write:y)"
    )


def test_a_path_is_seen_from_an_open_folder(judged, tmp_path):
    folder = os.open(tmp_path / "mine", os.O_RDONLY)
    try:
        assert judged("unlinkat", folder, b"x") is None
        assert judged("unlinkat", folder, b"../x").call == "unlinkat('x')"
        assert judged("unlinkat", HERE, b"x").option == "--allow write:x"
        assert judged("fchmod", folder) is None
    finally:
        os.close(folder)


def test_both_ends_of_a_renaming_must_be_allowed(judged):
    assert judged("rename", b"mine/x", b"mine/y") is None
    assert judged("rename", b"mine/x", b"y").option == "--allow write:y"
    assert judged("rename", b"x", b"mine/y").option == "--allow write:x"


def test_what_has_no_path_may_be_changed(judged):
    reader, writer = os.pipe()
    try:
        assert judged("fchmod", reader) is None
    finally:
        os.close(reader)
        os.close(writer)


def test_a_path_across_a_page_is_read_whole(judged):
    page = os.sysconf("SC_PAGESIZE")
    buffer = ctypes.create_string_buffer(2 * page)
    start = ctypes.addressof(buffer)
    address = start + page - start % page - 3
    ctypes.memmove(address, b"abcdef\0", 7)
    assert judged("unlink", address).call == "unlink('abcdef')"


def test_memory_that_cannot_be_read_is_left_to_the_kernel_and_told(judged):
    refused = judged("unlink", 8)
    assert refused.error == 0
    assert str(refused) == "unlink(?) may have been denied (--allow write:PATH)"


def test_signals_go_to_ones_own_group_only(judged):
    assert judged("kill", os.getpid()) is None
    assert judged("kill", 0) is None
    assert judged("kill", 1).option == "--allow subprocess"
    assert judged("kill", -1 % 2**32).call == "kill(-1)"


def test_forks_are_ours_or_nobodys(judged):
    assert judged("clone", may_fork=True) is None
    assert judged("clone").option == "--allow subprocess"
