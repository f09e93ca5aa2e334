"""Deep copies of containers that have symbolic keys, or that nobody has looked into yet.

`copy.deepcopy` takes an object of an unknown class apart and makes another; these can be neither.
It is what calls these functions, so nobody else has to load it.
"""

from __future__ import annotations

from typing import Any

from pef import _native
from pef._native import unrecorded
from pef.models.containers.sets import gathered, kind_of, members

Memo = dict[int, Any]


def of_untouched(container: Any, memo: Memo) -> Any:
    """Look into it: from then on it is an ordinary container, or one with symbolic keys."""
    from copy import deepcopy

    iter(container)
    return deepcopy(container, memo)


def of_keyed_dict(table: dict[Any, Any], memo: Memo) -> Any:
    """The keys are different already, and cannot change."""
    from copy import deepcopy

    pairs = list(dict.items(table))
    made = memo[id(table)] = unrecorded(dict, pairs)
    for key, value in pairs:
        unrecorded(dict.__setitem__, made, key, deepcopy(value, memo))
    return _native.turn_keyed(made)


def of_keyed_set(items: Any, memo: Memo) -> Any:
    """Members of a set do not change."""
    return gathered(kind_of(items), members(items))
