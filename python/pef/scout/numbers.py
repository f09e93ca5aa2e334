"""Numbers, truth values and values that are given: small first, then the edges.

Nearly all numeric crashes live at zero, at the signs, at powers of two and ten, at nan and the
infinities, or next to a number the code mentions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pef.inputs.recipes import Recipe
from pef.scout.samples import Sample, Shape, Source

_SMALL = (0, 1, -1, 2, 3, -2, 10, 5, 7, 12, 20, 60, 99, 100, -10, 101, -100, 111, 123)
_EDGES = tuple(
    sign * (power + off)
    for power in (
        *(10**digits for digits in (3, 4, 5, 6, 7, 9, 12, 15, 18, 21, 24, 30, 36)),
        *(2**bits for bits in (7, 8, 15, 16, 31, 32, 53, 63, 64, 128)),
    )
    for off in (0, -1, 1)
    for sign in (1, -1)
)
_FAR = (10**60, -(10**60), 10**100, 10**309, -(10**309), 2**1024, 10**1000)

_PLAIN_FLOATS = (0.0, 1.0, -1.0, 0.5, math.nan, math.inf, -math.inf, -0.0, 2.0, 0.1, -0.5, 1.5)
_EDGE_FLOATS = (
    *(1e16, 1e15, 1e22, 1e308, -1e308, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308),
    *(1e-5, 1e-10, 0.999999, 1.0000001, 9.995, 99.5, 999.95, 999999.5, 1e100, -1e-20, 1e3, 1e6),
    *(3.0, 10.0, 100.0, -2.0, 2.5, 0.25, 1 / 3, 2.0**53, 2.0**63, -(2.0**63), 2.0**31),
)


class Whole(Shape):
    """Integers."""

    def simple(self) -> Sequence[Sample]:
        return [Sample(self, value) for value in (*_SMALL, *_EDGES, *_FAR)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        random = source.random
        kind = random.random()
        if kind < 0.3:
            return Sample(self, random.randint(-20, 130))
        if kind < 0.45:
            return Sample(self, random.choice(_EDGES))
        known = source.words.number(random) if kind < 0.75 else None
        if known is not None and (isinstance(known, int) or math.isfinite(known)):
            return Sample(self, int(known) + random.choice((0, 0, 1, -1)))
        if kind < 0.85:
            ends = [each for _ in range(2) if isinstance(each := source.words.number(random), int)]
            if len(ends) == 2:  # what the code mentions may be the bounds of what it takes
                return Sample(self, random.randint(min(ends), max(ends)))
        size = random.choice((8, 12, 16, 24, 32, 40, 64, 70, 128, 200))
        return Sample(self, random.getrandbits(size) * random.choice((1, 1, -1)))

    def mutate(self, content: Any, source: Source) -> Sample:
        random = source.random
        change = random.randrange(9)
        if change == 0:
            return Sample(self, content + random.choice((1, -1)))
        if change == 1:
            return Sample(self, -content)
        if change == 2:
            return Sample(self, content * random.choice((2, 10, 100, 1000)))
        if change == 3:
            return Sample(self, content // random.choice((2, 10)))
        if change == 4:
            return Sample(self, content ^ (1 << random.randrange(max(8, content.bit_length() + 1))))
        if change == 5:
            return Sample(self, content + random.randint(-30, 30))
        if change == 6:
            return Sample(self, _one_digit_changed(content, source))
        return self.draw(source)

    def smaller(self, content: Any) -> Iterator[Sample]:
        if content < 0:
            yield Sample(self, -content)
        for divisor in (1 << content.bit_length(), 1000, 10, 2):
            if abs(content) >= divisor:
                yield Sample(self, _with_sign_of(content, abs(content) // divisor))
        if abs(content) > 1:
            rounded = 10 ** (len(str(min(abs(content), 10**4000))) - 1)
            if rounded < abs(content):
                yield Sample(self, _with_sign_of(content, rounded))
        if content:
            yield Sample(self, content - (1 if content > 0 else -1))

    def weigh(self, content: Any) -> int:
        return 1 + int(content.bit_length()) // 3 + int(content < 0)


def _with_sign_of(number: int, magnitude: int) -> int:
    return -magnitude if number < 0 else magnitude


def _one_digit_changed(number: int, source: Source) -> int:
    if abs(number) > 10**4000:  # longer ones cannot be written
        return 0
    digits = list(str(abs(number)))
    digits[source.random.randrange(len(digits))] = source.random.choice("0123459")
    changed = int("".join(digits))
    return -changed if number < 0 else changed


class Real(Shape):
    """Floats."""

    def simple(self) -> Sequence[Sample]:
        whole = [float(value) for value in _EDGES]
        return [Sample(self, value) for value in (*_PLAIN_FLOATS, *_EDGE_FLOATS, *whole)]

    def draw(self, source: Source, level: int = 0) -> Sample:
        random = source.random
        kind = random.randrange(6)
        if kind == 0:
            return Sample(self, random.choice(_PLAIN_FLOATS + _EDGE_FLOATS))
        if kind == 1:
            return Sample(self, float(random.randint(-100, 100)))
        if kind == 2:
            return Sample(self, random.uniform(-1, 1) * 10.0 ** random.randint(-12, 20))
        if kind == 3:
            return Sample(self, round(random.uniform(-1000, 1000), random.randrange(4)))
        known = source.words.number(random)
        if known is None or abs(known) > 1e300:
            return Sample(self, random.choice(_EDGE_FLOATS))
        return Sample(self, float(known) * random.choice((1, 1, -1, 0.5, 1.001, 0.999)))

    def mutate(self, content: Any, source: Source) -> Sample:
        random = source.random
        change = random.randrange(7)
        if change == 0:
            return Sample(self, -content)
        if change == 1:
            return Sample(self, content * random.choice((0.5, 2.0, 10.0, 1000.0)))
        if change == 2:
            return Sample(self, content + random.choice((1.0, -1.0, 0.5, 1e-9)))
        if change == 3 and math.isfinite(content):
            return Sample(self, float(round(content)))
        return self.draw(source)

    def smaller(self, content: Any) -> Iterator[Sample]:
        candidates = [0.0, 1.0, 0.5]
        if math.isfinite(content):
            candidates += [float(round(content)), round(content, 1), content / 2]
        for value in candidates:
            if self.weigh(value) < self.weigh(content):
                yield Sample(self, value)

    def weigh(self, content: Any) -> int:
        return len(repr(content)) + int(content < 0)


class Given(Shape):
    """One of some values that are known beforehand, each with its recipe."""

    def __init__(self, values: Sequence[Recipe]) -> None:
        self._values = values

    def simple(self) -> Sequence[Sample]:
        return [Sample(self, position) for position in range(len(self._values))]

    def draw(self, source: Source, level: int = 0) -> Sample:
        return Sample(self, source.random.randrange(len(self._values)))

    def smaller(self, content: Any) -> Iterator[Sample]:
        if content:
            yield Sample(self, 0)

    def recipe(self, content: int) -> Recipe:
        return self._values[content]

    def weigh(self, content: Any) -> int:
        return 1 + bool(content)
