"""Reserving goods: an order is taken only if the shelves hold enough of everything."""

# bench: dict list str
# fails: reserve({'': 1}, [('', 1), ('', 1)])
from typing import Dict, List, Tuple


def reserve(stock: Dict[str, int], order: List[Tuple[str, int]]) -> Dict[str, int]:
    """
    pre: len(stock) <= 2 and len(order) <= 2
    pre: all(count >= 0 for count in stock.values())
    pre: all(count > 0 for _name, count in order)
    post: all(count >= 0 for count in _.values())
    """
    left = dict(stock)
    if any(count > stock.get(name, 0) for name, count in order):
        return left
    for name, count in order:
        left[name] -= count  # bug: the same goods twice in one order
    return left
