"""A process that decides what the kernel asks it about, and tells what it has refused.

The kernel stops a process of target code at a system call that could act on the world outside and
asks here. So whatever was refused has left a trace, with its name and the option that allows it,
even if the code that tried swallows the error or is written in C. Linux 5.5 and later.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` makes members of an enumeration: slow
import fcntl
import functools
import gc
import json
import os
import select
import struct
from collections.abc import Callable

from pef.isolation import passing
from pef.isolation.attempts import Attempt, Refusal, group_of, refusal
from pef.isolation.policy import Policy
from pef.isolation.proc import contents_of
from pef.records import NamedTuple

_QUESTION = struct.Struct("=QIIiIQ6Q")
"""Id, thread, flags; number of the call, machine, address, arguments."""
_ANSWER = struct.Struct("=QqiI")
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_GO_ON = 1
_LONGEST = 1 << 16
_MOST_REMEMBERED = 10_000


class Told(NamedTuple):
    """What a warden says: in which process group it refused what."""

    group: int
    refusal: Refusal


class Beat(NamedTuple):
    """The processes that one filter holds for, and what they may do."""

    policy: Policy
    mark: str
    """The name that a thread of ours has while it forks."""


def hand_over(warden: int, listener: int, policy: Policy, mark: str) -> None:
    """Put the processes of a filter into the warden's care."""
    end = passing.Socket(fileno=os.dup(warden))
    try:
        passing.send(end, introduction(policy, mark), listener)
    finally:
        end.close()


@functools.lru_cache(maxsize=64)
def introduction(policy: Policy, mark: str) -> bytes:
    """What a warden is told when processes come into its care."""
    return json.dumps([policy, mark]).encode()


class Warden:
    """The side of those who start one and listen to it."""

    def __init__(self) -> None:
        """Open the door; nobody answers before `begin`."""
        self._theirs, ours = passing.pair(passing.PACKETS)
        self.out, self._writer = os.pipe()
        """Can be read when something was refused."""
        os.set_blocking(self.out, False)
        self.door = ours.detach()
        """A descriptor for `hand_over`, which also new programs get."""
        os.set_inheritable(self.door, True)
        self._heard = b""
        self._pid: int | None = None

    def begin(self, detach: Callable[..., None]) -> None:
        """Start the process, unless that was done.

        `detach` closes, in the new process, all descriptors but those it is given.
        """
        if self._pid is not None:
            return
        from pef import _native

        names = {number: name for name, number in _native.system_calls().items()}
        self._pid = os.fork()
        if self._pid == 0:
            try:
                detach(self._theirs.fileno(), self._writer)
                _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
                gc.freeze()  # what is here stays here: to go through it would copy its pages
                _live(self._theirs, self._writer, names)
            finally:
                os._exit(0)
        self._theirs.close()
        os.close(self._writer)

    def hear(self) -> list[Told]:
        """What was refused since the last time."""
        try:
            while data := os.read(self.out, _LONGEST):
                self._heard += data
        except BlockingIOError:
            pass
        lines, _, self._heard = self._heard.rpartition(b"\n")
        told = [json.loads(line) for line in lines.splitlines()]
        return [Told(group, Refusal(*refused)) for group, refused in told]

    def close(self) -> None:
        """End it."""
        os.close(self.door)
        os.close(self.out)
        if self._pid is None:
            self._theirs.close()
            os.close(self._writer)
        else:
            os.kill(self._pid, _signal.SIGKILL)
            os.waitpid(self._pid, 0)


def _live(door: passing.Socket, out: int, names: dict[int, str]) -> None:
    """Answer until nobody is left who could ask or come in."""
    beats: dict[int, Beat] = {}
    told: set[tuple[int, str]] = set()
    poll = select.poll()
    poll.register(door, select.POLLIN)
    while True:
        for descriptor, event in poll.poll():
            if descriptor == door.fileno():
                listener = _taken_in(door, beats)
                if listener is None:
                    return
                poll.register(listener, select.POLLIN)
            elif event & select.POLLIN:
                _answer(descriptor, beats[descriptor], names, told, out)
            else:
                poll.unregister(descriptor)
                del beats[descriptor]
                os.close(descriptor)


def _taken_in(door: passing.Socket, beats: dict[int, Beat]) -> int | None:
    """The listener of new processes; None when nobody can send one any more."""
    message, descriptors = passing.receive(door, _LONGEST, 1)
    if not message:
        return None
    policy, mark = json.loads(message)
    [listener] = descriptors
    beats[listener] = Beat(Policy(*policy), mark)
    return listener


def _answer(
    listener: int, beat: Beat, names: dict[int, str], told: set[tuple[int, str]], out: int
) -> None:
    question = bytearray(_QUESTION.size)
    try:
        fcntl.ioctl(listener, _RECEIVE, question)
    except OSError:  # it was interrupted, or killed
        return
    asked, thread, _, number, _, _, *arguments = _QUESTION.unpack(question)
    attempt = Attempt(names.get(number, f"call {number}"), thread, tuple(arguments))
    refused = refusal(attempt, beat.policy, lambda each: _name_of(each) == beat.mark.encode())
    if refused is not None:
        _tell(Told(group_of(thread), refused), told, out)
    if refused is None or not refused.error:
        answer = _ANSWER.pack(asked, 0, 0, _GO_ON)
    else:
        answer = _ANSWER.pack(asked, 0, -refused.error, 0)
    try:
        fcntl.ioctl(listener, _SEND, answer)
    except OSError:
        return


def _tell(what: Told, told: set[tuple[int, str]], out: int) -> None:
    """Say it once, before the process goes on."""
    key = (what.group, what.refusal.call)
    if key in told:
        return
    if len(told) >= _MOST_REMEMBERED:
        told.clear()
    told.add(key)
    os.write(out, json.dumps(what).encode() + b"\n")


def _name_of(thread: int) -> bytes:
    try:
        return contents_of(f"/proc/{thread}/comm").rstrip(b"\n")
    except OSError:
        return b""
