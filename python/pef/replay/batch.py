"""Many calls in one child: a fork for each would cost more than most calls do.

Only a call whose result is known beforehand may share a child, and only the expected result counts.
The calls before it may have left something behind that changes what it does; so if it does anything
else, dies or takes long, its child is given up and the call is made again in a process of its own,
which decides.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from pef.replay.call import same_result, silence
from pef.replay.child import Child, Send
from pef.replay.wire import (
    Asked,
    Inbox,
    Message,
    Record,
    decode_message,
    frame,
    read_some,
    write_all,
)

_CALLS = 256
"""After so many the next child starts afresh from the state after import."""

TOGETHER_BYTES = 1 << 14
"""What is sent to a child at once: less than a pipe holds, or both sides would wait."""

_SECONDS = 2.0
"""What takes longer has a process of its own; less than the patience of the client."""

_NAP_SECONDS = 0.001
"""Who expects many answers lets some gather: waking up takes longer than most calls do."""

CONFIRMED, UNCONFIRMED = "confirmed", "unconfirmed"

_DISAPPOINTMENTS = 3
"""A function whose calls disturb each other so often is not worth the attempt."""


class Batches:
    """One child after the other, each for many calls."""

    def __init__(
        self,
        perform: Callable[[Message], Record],
        listen: Callable[[Child, float], None],
        prepare: Callable[[], None],
    ) -> None:
        """Take what makes a call, what waits for a child, and what a new child does first."""
        self._perform = perform
        self._listen = listen
        self._prepare = prepare
        self._batch: _Batch | None = None
        self._disappointments = 0
        self._one_by_one = False

    def is_for(self, request: Message) -> bool:
        """Whether the call may share a child."""
        return request.get("expected") is not None and self._disappointments < _DISAPPOINTMENTS

    @property
    def room(self) -> int:
        """How many calls can be asked for together.

        Only one of those that write something: of many it could not be told which did. And only one
        of those that take long, since the client wants a sign of life.
        """
        done = 0 if self._batch is None else self._batch.calls
        return 1 if self._one_by_one else _CALLS - done

    def confirm(self, asked: list[Asked]) -> list[Message | None]:
        """Make the calls one after the other, up to one that does not show what was expected.

        That one has None for an answer. Those without an answer must be asked for again.
        """
        if self._batch is None:
            self._batch = _Batch(self._perform, self._prepare)
        batch = self._batch
        answers: list[Message | None] = []
        end = time.monotonic() + _SECONDS
        if batch.ask(asked):
            for each in asked:
                if len(asked) > 1 and not batch.child.done:
                    time.sleep(_NAP_SECONDS)
                answers.append(self._answer(batch.child, each.request))
                if answers[-1] is None or time.monotonic() > end:
                    break
        output = batch.child.take_output()
        if len(asked) > 1 and (any(output) or time.monotonic() > end):
            self._one_by_one = True
            self.close()
            return [] if any(output) else [each for each in answers if each is not None]
        [*_, last] = answers or [None]
        if last is None:
            self._disappointments += 1
            self.close()
            return answers or [None]
        last["stdout"], last["stderr"] = output
        if batch.calls >= _CALLS:
            self.close()
        return answers

    def confirm_all(self, asked: Asked) -> Message:
        """Make all the calls of a request; whether they did what was expected, and no more."""
        started = time.monotonic()
        self.close()
        self._batch = _Batch(self._perform, self._prepare)
        answer = None
        if self._batch.ask([asked]):
            self._listen(self._batch.child, started + _SECONDS)
            answer = self._batch.child.take_record()
        self.close()
        is_right = answer is not None and answer.get("number") == str(asked.request["id"])
        status = answer["status"] if answer is not None and is_right else UNCONFIRMED
        seconds = time.monotonic() - started
        return {"status": status, "stdout": "", "stderr": "", "seconds": seconds}

    def _answer(self, child: Child, request: Message) -> Message | None:
        started = time.monotonic()
        self._listen(child, started + min(_SECONDS, request["timeout"]))
        record = child.take_record()
        if record is None or not _is_expected(record, request):
            return None
        seconds = time.monotonic() - started
        return {**record, "stdout": "", "stderr": "", "seconds": seconds}

    def close(self) -> None:
        """End the child and all it started."""
        batch, self._batch = self._batch, None
        if batch is not None:
            batch.end()


class _Batch:
    """A child that makes the calls it is sent."""

    def __init__(self, perform: Callable[[Message], Record], prepare: Callable[[], None]) -> None:
        theirs, self._ours = os.pipe()
        self.calls = 0

        def work(send: Send) -> None:
            os.close(self._ours)
            prepare()
            _live(theirs, perform, send)

        self.child = Child(work, self._ours)
        os.close(theirs)

    def ask(self, asked: list[Asked]) -> bool:
        """Send the calls; False if nobody is there."""
        self.calls += len(asked)
        try:
            write_all(self._ours, b"".join(frame(each.body) for each in asked))
        except BrokenPipeError:
            return False
        return True

    def end(self) -> None:
        os.close(self._ours)
        self.child.end()


def _live(requests: int, perform: Callable[[Message], Record], send: Send) -> None:
    """Be the child: make one call after the other, each with the streams as they were."""
    out, err = os.dup(1), os.dup(2)
    inbox = Inbox()
    while data := read_some(requests):
        inbox.feed(data)
        while (body := inbox.take()) is not None:
            request = decode_message(body)
            os.dup2(out, 1)
            os.dup2(err, 2)
            record = perform(request)
            silence()
            # A process that the call forked may come by here too, with an answer to an old call.
            send({**record, "number": str(request["id"])})


def _is_expected(record: Record, request: Message) -> bool:
    return record.get("number") == str(request["id"]) and is_result(record, request["expected"])


def is_result(record: Record, expected: str) -> bool:
    """Whether a call has returned what was expected."""
    return record["status"] == "returned" and same_result(record["result"], expected)
