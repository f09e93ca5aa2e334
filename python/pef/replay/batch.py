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

from pef.replay.call import silence, without_addresses
from pef.replay.child import Child, Send
from pef.replay.wire import (
    Inbox,
    Message,
    Record,
    decode_message,
    encode_message,
    read_some,
    write_all,
)

_CALLS = 64
"""After so many the next child starts afresh from the state after import."""

_SECONDS = 2.0
"""What takes longer has a process of its own; less than the patience of the client."""

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

    def confirm(self, request: Message) -> Message | None:
        """Make the call; None if that did not show what was expected."""
        expected = request.get("expected")
        if expected is None or self._disappointments >= _DISAPPOINTMENTS:
            return None
        started = time.monotonic()
        if self._batch is None:
            self._batch = _Batch(self._perform, self._prepare)
        batch = self._batch
        limit = min(_SECONDS, request["timeout"])
        record, output = None, ("", "")
        if batch.ask(request):
            self._listen(batch.child, started + limit)
            record, output = batch.child.take()
        if record is None or not _is_expected(record, request):
            self._disappointments += 1
            self.close()
            return None
        if batch.calls >= _CALLS:
            self.close()
        stdout, stderr = output
        seconds = time.monotonic() - started
        return {**record, "stdout": stdout, "stderr": stderr, "seconds": seconds}

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

        self.child = Child(work)
        os.close(theirs)

    def ask(self, request: Message) -> bool:
        """Send a call; False if nobody is there."""
        self.calls += 1
        try:
            write_all(self._ours, encode_message(request))
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
    return (
        record.get("number") == str(request["id"])
        and record["status"] == "returned"
        and without_addresses(record["result"]) == without_addresses(request["expected"])
    )
