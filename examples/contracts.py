"""The same mistake in several notations; see docs/contracts.md."""

from dataclasses import dataclass


def pef_notation(items: list[int], limit: int) -> int:
    """
    :assume: len(items) == 2, limit > 0
    :ensure: returnv <= limit
    :raises: ValueError: items[0] == items[1]
    """
    if items[0] == items[1]:
        raise ValueError("equal")
    return max(limit, 10)


def pep_316(items: list[int], item: int) -> None:
    """
    pre: len(items) <= 1
    post[items]: len(items) == len(__old__.items) + 1
    """
    if item != 0:
        items.append(item)


def leading_assert(total: int, parts: int) -> int:
    assert parts >= 0, "the caller's duty"
    return total // parts


@dataclass
class Interval:
    """
    :invariant: self.low <= self.high
    """

    low: int
    high: int

    def clip(self, low: int, high: int) -> None:
        """
        :assume: low <= high
        """
        self.low = max(self.low, low)
        self.high = min(self.high, high)

    def overlap(self, other: "Interval") -> None:
        """Leaves what both have in common; `other` satisfies the invariant."""
        if other.low <= self.high and self.low <= other.high:
            self.clip(other.low, other.high)


def careless(interval: Interval, n: int) -> None:
    interval.clip(n, -n)
