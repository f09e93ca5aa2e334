"""`itertools` with symbolic numbers.

Whether there is one more item is decided when it is asked for, so a number that is never reached
costs nothing. Where the number shapes the whole result it is told before.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from pef._native import as_int, decide, is_symbolic_number
from pef.models.containers.positions import bounded, counted, size
from pef.models.text.calling import Unfit, attempted, index

_STOP = "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
_INDICES = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
_STEP = "Step for islice() must be a positive integer or None."


def _for_symbolic(real: Any, model: Callable[..., Any]) -> Callable[..., Any]:
    """The model for calls with a symbolic number; others have at most symbolic items."""

    def choose(*given: Any, **named: Any) -> Any:
        numbers = any(map(is_symbolic_number, given)) or any(
            map(is_symbolic_number, named.values())
        )
        return model(*given, **named) if numbers else real(*given, **named)

    return choose


def _islice(iterable: Any, /, *bounds: Any) -> Iterator[Any]:
    if not 1 <= len(bounds) <= 3:
        raise Unfit
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, None)[:3]
    stop = None if stop is None else _number(stop, _STOP)
    start = 0 if start is None else _number(start, _INDICES)
    step = 1 if step is None else _number(step, _STEP)
    if stop is not None and decide((stop == -1) | _is_too_large(stop), "domain"):
        raise ValueError(_STOP)
    if decide((start < 0) | (start > sys.maxsize), "domain"):
        raise ValueError(_INDICES)
    if stop is not None and decide(stop < -1, "domain"):
        raise ValueError(_INDICES)
    if decide((step < 1) | (step > sys.maxsize), "domain"):
        raise ValueError(_STEP)
    return _sliced(iter(iterable), start, stop, step)


def _number(value: Any, complaint: str) -> Any:
    try:
        return index(value)
    except (TypeError, Unfit):
        raise ValueError(complaint) from None


def _is_too_large(number: Any) -> Any:
    return (number > sys.maxsize) | (number < -sys.maxsize - 1)


def _sliced(items: Iterator[Any], following: Any, stop: Any, step: Any) -> Iterator[Any]:
    position = 0
    while True:
        while decide(following > position, "for"):
            if next(items, _END) is _END:
                return
            position += 1
        if stop is not None and decide(stop <= position, "for"):
            return
        item = next(items, _END)
        if item is _END:
            return
        position += 1
        following = following + step
        if stop is not None and decide(following > stop, "for"):
            following = stop
        yield item


_END = object()


def _repeat(object: Any, times: Any = _END) -> Iterator[Any]:  # noqa: A002
    if times is _END:
        return itertools.repeat(object)
    return _repeated(object, size(times))


def _repeated(item: Any, times: Any) -> Iterator[Any]:
    done = 0
    while decide(times > done, "for"):
        yield item
        done += 1


def _chosen(real: Any, *, more: bool = False) -> Callable[..., Any]:
    """`combinations` and the like; `more` says that items are chosen more than once."""

    def model(iterable: Any, r: Any) -> Any:
        pool = tuple(iterable)
        number = size(r)
        if decide(number < 0, "domain"):
            raise ValueError("r must be non-negative")
        if more and pool:
            return real(pool, counted(number, real.__name__))
        return real(pool, bounded(number, 0, len(pool) + 1))

    return model


def _product(*iterables: Any, repeat: Any = 1) -> Any:
    number = size(repeat)
    if decide(number < 0, "domain"):
        raise ValueError("repeat argument cannot be negative")
    return itertools.product(*iterables, repeat=counted(number, "product"))


def _tee(iterable: Any, n: Any = 2, /) -> Any:
    number = size(n)
    if decide(number < 0, "domain"):
        raise ValueError("n must be >= 0")
    return itertools.tee(iterable, counted(number, "tee"))


def _batched(iterable: Any, n: Any, *, strict: Any = False) -> Iterator[Any]:
    number = size(n)
    if decide(number < 1, "domain"):
        raise ValueError("n must be at least one")
    return _batches(iter(iterable), as_int(number), strict)


def _batches(items: Iterator[Any], number: Any, strict: Any) -> Iterator[Any]:
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if decide(number == len(batch), "for"):
            yield tuple(batch)
            batch = []
    if batch and strict:
        raise ValueError("batched(): incomplete batch")
    if batch:
        yield tuple(batch)


def _model(name: str, model: Callable[..., Any]) -> Callable[..., Any]:
    real = getattr(itertools, name)
    return _for_symbolic(real, attempted(real, model))


islice_model = _model("islice", _islice)
repeat_model = _model("repeat", _repeat)
combinations_model = _model("combinations", _chosen(itertools.combinations))
combinations_with_replacement_model = _model(
    "combinations_with_replacement", _chosen(itertools.combinations_with_replacement, more=True)
)
permutations_model = _model("permutations", _chosen(itertools.permutations))
product_model = _model("product", _product)
tee_model = _model("tee", _tee)
if sys.version_info >= (3, 12):
    batched_model = _model("batched", _batched)
