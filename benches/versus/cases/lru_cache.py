"""A least-recently-used cache; reading an entry should make it young again."""

# bench: class dict list
# fails: survivors(2, [0, 3, 0, 5])
from typing import Dict, List


class Cache:
    def __init__(self, capacity: int) -> None:
        """
        pre: 1 <= capacity <= 3
        """
        self.capacity = capacity
        self.entries: Dict[int, int] = {}

    def get(self, key: int) -> int:
        if key in self.entries:
            return self.entries[key]  # bug: the entry keeps its age
        value = key * key
        if len(self.entries) >= self.capacity:
            del self.entries[next(iter(self.entries))]
        self.entries[key] = value
        return value


def survivors(capacity: int, keys: List[int]) -> List[int]:
    """
    pre: 1 <= capacity <= 3
    pre: 2 <= len(keys) <= 4
    post: capacity < 2 or keys[-2] in _
    """
    cache = Cache(capacity)
    for key in keys:
        cache.get(key)
    return list(cache.entries)
