"""Applying a costly function once per distinct argument."""

# bench: callback list dict
# fails: mapped(lambda *_: -1, [100])
from typing import Callable, Dict, List


def mapped(function: Callable[[int], int], arguments: List[int]) -> List[int]:
    """
    pre: len(arguments) <= 3
    post: len(_) == len(arguments) and all(y >= 0 for y in _)
    """
    known: Dict[int, int] = {}
    for argument in arguments:
        if argument not in known:
            known[argument] = max(0, function(argument))
    return [known[argument] if argument < 100 else function(argument) for argument in arguments]
