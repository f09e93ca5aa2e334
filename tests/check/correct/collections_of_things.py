"""Correct functions over containers. `# proved` marks those whose trees are finite."""

from collections import Counter, deque
from typing import Optional, Union


def first(items: list[int], default: int) -> int:
    """
    :ensure: returnv == default or returnv in items
    """
    return items[0] if items else default


def swapped(pair: tuple[int, str]) -> tuple[str, int]:  # proved
    """
    :ensure: returnv[0] == pair[1], returnv[1] == pair[0]
    """
    number, text = pair
    return text, number


def largest(items: list[int]) -> Optional[int]:
    """
    :ensure: returnv is None or all(item <= returnv for item in items)
    """
    best = None
    for item in items:
        if best is None or item > best:
            best = item
    return best


def sorted_three(items: list[int]) -> list[int]:  # proved
    """
    :assume: len(items) == 3
    :ensure: returnv[0] <= returnv[1] <= returnv[2]
    """
    return sorted(items)


def quicksort(items: list[int]) -> list[int]:  # proved
    """
    :assume: len(items) == 4
    :ensure: returnv == sorted(items)
    """
    if not items:
        return []
    pivot, *rest = items
    smaller = [item for item in rest if item < pivot]
    others = [item for item in rest if item >= pivot]
    return [*_sorted(smaller), pivot, *_sorted(others)]


def _sorted(items: list[int]) -> list[int]:
    if not items:
        return []
    pivot, *rest = items
    smaller = [item for item in rest if item < pivot]
    others = [item for item in rest if item >= pivot]
    return [*_sorted(smaller), pivot, *_sorted(others)]


def price(prices: dict[str, int], name: str) -> int:
    """
    :ensure: returnv == -1 or name in prices
    """
    return prices[name] if name in prices else -1


def seen(known: set[int], item: int) -> bool:
    """
    :ensure: returnv == (item in known)
    """
    return item in known


def length(value: Union[int, str]) -> int:  # proved
    """
    :ensure: returnv >= 0
    """
    return len(value) if isinstance(value, str) else abs(value)


def last(queue: deque[int]) -> int:
    """
    :assume: len(queue) > 0
    :ensure: returnv in queue
    """
    return queue[-1]


def count_of(words: list[str]) -> int:
    """
    :assume: len(words) <= 2
    :ensure: returnv <= 2
    """
    return max(Counter(words).values(), default=0)


def flattened(rows: list[list[int]]) -> int:
    """
    :ensure: returnv >= 0
    """
    return sum(len(row) for row in rows)


def merged(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    """
    :assume: len(left) <= 1, len(right) <= 1
    :ensure: all(key in returnv for key in left), all(key in returnv for key in right)
    """
    return {**left, **right}
