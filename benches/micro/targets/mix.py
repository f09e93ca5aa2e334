"""A mix of what people check: every layer of the solver gets some of its queries from here."""

import math


def quicksort(items: list[int]) -> list[int]:
    """
    :assume: len(items) == 5
    """
    if not items:
        return items
    first, rest = items[0], items[1:]
    below = [item for item in rest if item < first]
    above = [item for item in rest if item >= first]
    return quicksort(below) + [first] + quicksort(above)


def ten_tests(items: list[int]) -> int:
    """
    :assume: len(items) == 10
    """
    return sum(1 for item in items if item > 0)


def triangle(a: int, b: int, c: int) -> str:
    if a <= 0 or b <= 0 or c <= 0 or a + b <= c or b + c <= a or a + c <= b:
        return "none"
    if a == b == c:
        return "equilateral"
    return "isosceles" if a == b or b == c or a == c else "scalene"


def days(year: int, month: int) -> int:
    if not 1 <= month <= 12:
        raise ValueError(month)
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    return 30 if month in (4, 6, 9, 11) else 31


def digits(number: int) -> int:
    count = 0
    while number > 0:
        number //= 10
        count += 1
    return count


def greatest_divisor(a: int, b: int) -> int:
    """
    :assume: a > 0, b > 0
    """
    while b:
        a, b = b, a % b
    return a


def flags(mask: int) -> list[str]:
    found = []
    if mask & 1:
        found.append("read")
    if mask & 2:
        found.append("write")
    if mask & 0x80:
        found.append("hidden")
    if mask ^ 0x55 == 0x1F:
        found.append("odd one")
    if mask >> 4 == 9:
        found.append("nine")
    return found


def products(x: int, y: int) -> str:
    if x * y == 3599 and 1 < x < y:
        return "factors"
    if x * x == 2 * y + 7:
        return "square"
    return "cube" if x**3 + x == 1010 else ""


def roots(a: float, b: float, c: float) -> int:
    if a == 0:
        return 1 if b != 0 else 0
    inside = b * b - 4 * a * c
    if inside < 0:
        return 0
    return 1 if inside == 0 else 2


def clamped(value: float, low: float, high: float) -> float:
    if math.isnan(value):
        return low
    return low if value < low else high if value > high else value


def version(text: str) -> tuple[int, ...]:
    parts = text.split(".")
    if len(parts) > 3:
        raise ValueError("too many parts")
    return tuple(int(part) for part in parts)


def option(line: str) -> str:
    line = line.strip()
    if not line or line.startswith("#"):
        return ""
    name, sign, value = line.partition("=")
    if not sign:
        return name.upper()
    return f"{name.strip()}: {value.strip()}"


def balanced(text: str) -> bool:
    """
    :assume: len(text) < 6
    """
    depth = 0
    for character in text:
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def word_count(words: list[str]) -> dict[str, int]:
    """
    :assume: len(words) <= 3
    """
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def search(items: list[int], wanted: int) -> int:
    """
    :assume: len(items) <= 6
    """
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(items) and items[low] == wanted else -1
