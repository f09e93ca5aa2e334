"""The total of an invoice with a discount, as a program with asserts has it."""

# bench: asserts list dataclass
# fails: total([Line(1, 10001)], 0)
from dataclasses import dataclass
from typing import List


@dataclass
class Line:
    cents: int
    count: int


def total(lines: List[Line], discount: int) -> int:
    assert len(lines) <= 3
    assert all(line.cents >= 0 and line.count >= 0 for line in lines)
    assert 0 <= discount <= 100
    amount = sum(line.cents * line.count for line in lines)
    if amount > 10000:
        amount -= 500  # bug: a second discount
    amount -= amount * discount // 100
    assert amount * 100 >= sum(line.cents * line.count for line in lines) * (100 - discount) - 100
    return amount
