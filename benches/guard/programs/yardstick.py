"""Work that has nothing to do with PEF, half of it in Python and half in C."""

import sys


def in_python(rounds: int) -> int:
    """Calls, a loop, attributes, a dict and small ints."""
    counts: dict[int, int] = {}
    for number in range(200 * rounds):
        key = _collatz(number)
        counts[key] = counts.get(key, 0) + 1
    return len(counts)


def _collatz(number: int) -> int:
    return number // 2 if number % 2 == 0 else 3 * number + 1


def in_c(rounds: int) -> int:
    """Sorting, text and large ints."""
    total = 0
    numbers = [(number * 7919) % 1009 for number in range(500)]
    text = ",".join(map(str, numbers))
    for _ in range(rounds):
        total += sorted(numbers)[7] + len(text.replace("1", "one").split(","))
        total += (3**200 * 7**200) % 1000003
    return total


if __name__ == "__main__":
    in_python(int(sys.argv[1]))
    in_c(int(sys.argv[1]))
