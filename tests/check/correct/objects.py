"""Correct functions over objects. `# proved` marks those whose trees are finite."""

import datetime
import enum
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, Optional


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


def opposite(colour: Colour) -> Colour:  # proved
    """
    :ensure: returnv is not colour
    """
    return Colour.GREEN if colour is Colour.RED else Colour.RED


def level(name: Literal["low", "high"]) -> int:  # proved
    """
    :ensure: returnv in (1, 2)
    """
    return {"low": 1, "high": 2}[name]


@dataclass(frozen=True)
class Span:
    """
    :invariant: self.low <= self.high
    """

    low: int
    high: int

    def has(self, x: int) -> bool:  # proved
        """
        :ensure: not returnv or self.low <= x <= self.high
        """
        return self.low <= x <= self.high

    def joined(self, other: "Span") -> "Span":  # proved
        """
        :ensure: returnv.low <= self.low, returnv.high >= other.high
        """
        return Span(min(self.low, other.low), max(self.high, other.high))


class Account:
    """
    :invariant: self.balance >= 0
    """

    def __init__(self, balance: int) -> None:  # proved
        """
        :assume: balance >= 0
        """
        self.balance = balance

    def withdraw(self, amount: int) -> bool:  # proved
        """
        :assume: amount >= 0
        """
        if amount > self.balance:
            return False
        self.balance -= amount
        return True


class Point(NamedTuple):
    x: int
    y: int


def moved(point: Point, dx: int) -> Point:  # proved
    """
    :ensure: returnv.y == point.y
    """
    return point._replace(x=point.x + dx)


class Node:
    def __init__(self, value: int, rest: "Optional[Node]") -> None:
        self.value = value
        self.rest = rest


def size(node: Optional[Node]) -> int:
    """
    :ensure: returnv >= 0
    """
    count = 0
    while node is not None:
        count += 1
        node = node.rest
    return count


def next_day(day: datetime.date) -> Optional[datetime.date]:
    """
    :ensure: returnv is None or returnv > day
    """
    if day == datetime.date.max:
        return None
    return day + datetime.timedelta(days=1)


def half(value: Fraction) -> Fraction:
    """
    :ensure: returnv + returnv == value
    """
    return value / 2


def up_to(n: int) -> Iterator[int]:
    """
    :assume: 0 <= n <= 3
    :ensure: len(returnv) == n
    """
    yield from range(n)


async def doubled(n: int) -> int:
    """
    :ensure: returnv == n + n
    """
    return 2 * n


def bounded(n: int) -> int:  # proved
    assert n >= 0
    result = n % 7
    assert 0 <= result < 7
    return result
