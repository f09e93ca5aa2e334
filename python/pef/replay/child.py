"""A forked child: its life, its output, its end.

A child sends one record for each call it was made for, when that is done. What ends without one
did not end well, and the wait status says how. Whatever happens, nothing the child started survives
it.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable

from pef.isolation.forking import fork
from pef.isolation.leash import Leash
from pef.isolation.orphans import end_orphans
from pef.replay.wire import Inbox, Record, decode_record, encode_record, read_some, write_all

# A program that prints without end is cut off in the report, not stored.
OUTPUT_LIMIT = 1 << 20
Send = Callable[[Record], None]
"""How the work in a child hands out what it found."""

_CUT = f"\n[output cut after {OUTPUT_LIMIT} bytes]\n"


class Child:
    """Runs `work` in a fork of this process and listens to it."""

    def __init__(self, work: Callable[[Send], None], *held: int) -> None:
        """What this process holds of a child, `held` besides, no other child gets."""
        pipes = [os.pipe() for _ in range(3)]
        self.pid = fork()
        if self.pid == 0:
            _live(work, pipes)
        _living[self.pid] = self
        self._held = held
        self._leash = Leash(self.pid)
        self._is_gone = False
        for _, writer in pipes:
            os.close(writer)
        self._answer = pipes[0][0]
        self._captured = {pipes[1][0]: bytearray(), pipes[2][0]: bytearray()}
        self._open = [reader for reader, _ in pipes]
        for reader in self._open:
            os.set_blocking(reader, False)
        self._inbox = Inbox()
        self._record: Record | None = None
        self._status: int | None = None

    def forget(self) -> None:
        """In a child that was forked later: close what is held of this one."""
        leash = self._leash.descriptor
        for descriptor in (*self._open, *self._held, *([] if leash is None else [leash])):
            os.close(descriptor)

    @property
    def done(self) -> bool:
        """Whether the answer is here or can no longer come."""
        return self._record is not None or self._is_gone or self._answer not in self._open

    def listen(self, deadline: float, other: int) -> bool:
        """Wait until the child writes something, and take it; True if `other` can be read."""
        poll = select.poll()
        for descriptor in (*self._open, other):
            poll.register(descriptor, select.POLLIN)
        if self._leash.descriptor is not None:
            poll.register(self._leash.descriptor, select.POLLIN)
        left = max(0.0, deadline - time.monotonic())
        ready = [descriptor for descriptor, _ in poll.poll(left * 1000 + 1)]
        for descriptor in ready:
            if descriptor == self._leash.descriptor:
                self._is_gone = True  # whatever it started may hold the pipes open
            elif descriptor != other:
                self._read(descriptor)
        if self._is_gone and self._answer in self._open:
            while self._read(self._answer):
                pass
        return other in ready

    def await_exit(self, deadline: float) -> None:
        """Give a child that ended without a record until the deadline to be gone."""
        pause = 0.00005
        while self._record is None and self.done:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = status
            if pid or time.monotonic() >= deadline:
                return
            time.sleep(pause)
            pause = min(pause * 2, 0.01)

    def end(self) -> None:
        """Kill the child and all it started, then take what is left in the pipes."""
        self._leash.kill()
        self._leash.let_go()
        if self._status is None:
            os.waitpid(self.pid, 0)
        _living.pop(self.pid, None)
        end_orphans(_living.keys())
        for descriptor in list(self._open):
            while self._read(descriptor):
                pass
        for descriptor in self._open:
            os.close(descriptor)
        self._open.clear()

    def take_record(self) -> Record | None:
        """Remove the first record, if there is one."""
        record, self._record = self._record, None
        self._take_record()
        return record

    def take_output(self) -> tuple[str, str]:
        """Remove what was written to the streams until now."""
        for descriptor in [each for each in self._captured if each in self._open]:
            while self._read(descriptor):
                pass
        output = self.output
        for captured in self._captured.values():
            captured.clear()
        return output

    def verdict(self) -> Record | None:
        """Return the record, or how the child died; None if it had to be killed."""
        if self._record is not None or self._status is None:
            return self._record
        if os.WIFSIGNALED(self._status):
            return {"status": "crash", "detail": _signal_name(os.WTERMSIG(self._status))}
        return {"status": "exit", "detail": f"status {os.WEXITSTATUS(self._status)}"}

    @property
    def output(self) -> tuple[str, str]:
        """Standard output and standard error."""
        out, err = (_text(data) for data in self._captured.values())
        return out, err

    def _read(self, descriptor: int) -> bool:
        """Take what one pipe holds; False if that is nothing."""
        try:
            data = read_some(descriptor)
        except BlockingIOError:
            return False
        if not data:
            self._open.remove(descriptor)
            os.close(descriptor)
        elif descriptor == self._answer:
            self._inbox.feed(data)
            self._take_record()
        else:
            # One byte more than the limit is kept, to tell that there was more.
            captured = self._captured[descriptor]
            captured += data[: OUTPUT_LIMIT + 1 - len(captured)]
        return bool(data)

    def _take_record(self) -> None:
        if self._record is not None:
            return
        body = self._inbox.take()
        if body is not None:
            try:
                self._record = decode_record(body)
            except ValueError:  # user code wrote into the pipe; that is no answer
                self._record = None


def _live(work: Callable[[Send], None], pipes: list[tuple[int, int]]) -> None:
    """Be the child: work, answer, and leave without running anybody's exit handlers."""
    status = 1
    try:
        os.setpgid(0, 0)
        for other in _living.values():
            other.forget()
        (_, answer), (_, out), (_, err) = pipes
        os.dup2(out, 1)
        os.dup2(err, 2)
        for reader, writer in pipes:
            os.close(reader)
            if writer != answer:
                os.close(writer)
        try:
            work(lambda record: write_all(answer, encode_record(record)))
        except BaseException as problem:  # ours: target code ends in a record, or dies
            detail = f"internal error: {type(problem).__name__}: {problem}"
            write_all(answer, encode_record({"status": "unusable", "detail": detail}))
        status = 0
    finally:
        os._exit(status)


def _text(data: bytearray) -> str:
    text = data[:OUTPUT_LIMIT].decode("utf-8", "backslashreplace")
    return text + _CUT if len(data) > OUTPUT_LIMIT else text


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_living: dict[int, Child] = {}
"""The children that were not ended yet, by their number."""
