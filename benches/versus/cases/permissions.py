"""Which permissions a user lacks."""

# bench: set str
# fails: lacking(set(), {''})
from typing import Set


def lacking(required: Set[str], granted: Set[str]) -> Set[str]:
    """
    post: _ <= required
    """
    if "admin" in granted:
        return set()
    return required ^ granted  # bug: should be a difference
