"""Cycles in a graph of imports."""

# bench: dict set nested recursion
# fails: has_cycle({0: {0}})
from typing import Dict, Set


def has_cycle(imports: Dict[int, Set[int]]) -> bool:
    """
    pre: len(imports) <= 3
    pre: all(0 <= m <= 3 for m in imports)
    pre: all(len(used) <= 2 and all(0 <= u <= 3 for u in used) for used in imports.values())
    post: _ or not any(m in reachable(imports, m) for m in imports)
    """
    return any(m in imports.get(u, ()) for m in imports for u in imports[m] if u != m)
    # bug: sees two modules that import each other, not three, and not one that imports itself


def reachable(imports, start):
    seen: Set[int] = set()
    waiting = list(imports[start])
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting.extend(imports.get(module, ()))
    return seen
