"""Replays a stream of items while the next ones are being found.

Exploring and replaying run on different cores; waiting for each replay would use one of them at a
time. Items come out in order, and soon: when the source is slow, nothing is held back.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pef.records import NamedTuple
from pef.replay.client import Outcome, Replayer

Item = TypeVar("Item")

# With so many replays under way the worker is the slower one, and more would only take memory.
_AHEAD = 64
# A source that takes longer than this for an item gives the worker time to finish the others.
_SLOW_SECONDS = 0.02
# So long requests gather, and answers: to send and fetch each one would take longer than the call.
_GATHERED_SECONDS = 0.002


class Request(NamedTuple):
    """The call to replay for an item, as `Replayer.submit` takes it."""

    args: list[str]
    kwargs: dict[str, str]
    timeout: float | None = None
    judged: str | None = None
    variables: dict[str, str] | None = None
    expected: str | None = None


def pipelined(
    replayer: Replayer, items: Iterable[Item], request: Callable[[Item], Request | None]
) -> Iterator[tuple[Item, Outcome | None]]:
    """Yield each item with its outcome, in order; None for an item that asks for no replay.

    If the source fails or is interrupted, what it gave before comes out first.
    """
    waiting: deque[tuple[Item, int | None]] = deque()
    source = iter(items)
    exchanged = 0.0
    while True:
        asked = time.monotonic()
        try:
            item = next(source)
        except StopIteration:
            break
        except (Exception, KeyboardInterrupt):
            yield from _finished(replayer, waiting)
            raise
        now = time.monotonic()
        is_slow = now - asked > _SLOW_SECONDS
        is_due = now - exchanged > _GATHERED_SECONDS
        wanted = request(item)
        ticket = None if wanted is None else replayer.submit(*wanted, more=not is_due)
        waiting.append((item, ticket))
        if is_slow:
            yield from _finished(replayer, waiting)
        if is_due or len(waiting) > _AHEAD:
            exchanged = now
            while waiting and (len(waiting) > _AHEAD or _is_done(replayer, waiting[0][1])):
                yield _finish(replayer, waiting)
    yield from _finished(replayer, waiting)


def _is_done(replayer: Replayer, ticket: int | None) -> bool:
    return ticket is None or replayer.is_done(ticket)


def _finish(
    replayer: Replayer, waiting: deque[tuple[Item, int | None]]
) -> tuple[Item, Outcome | None]:
    item, ticket = waiting.popleft()
    return item, None if ticket is None else replayer.result(ticket)


def _finished(
    replayer: Replayer, waiting: deque[tuple[Item, int | None]]
) -> Iterator[tuple[Item, Outcome | None]]:
    while waiting:
        yield _finish(replayer, waiting)
