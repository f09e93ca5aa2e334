"""Operators and comparisons of sets and dicts of which one holds symbolic keys.

The native slots of the built-in types come here. As there, `NotImplemented` is for operands that
are not of the same family, and the result has the type of the left operand.
"""

from __future__ import annotations

import operator
from typing import Any

from pef._native import dict_get, find_key
from pef.models.containers import dicts, sets

_LT, _LE, _EQ, _NE, _GT, _GE = range(6)


def _are_sets(left: Any, right: Any) -> bool:
    return isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset))


def or_(left: Any, right: Any) -> Any:
    """`left | right`"""
    return sets.united(left, right) if _are_sets(left, right) else NotImplemented


def and_(left: Any, right: Any) -> Any:
    """`left & right`"""
    return sets.common(left, right) if _are_sets(left, right) else NotImplemented


def sub(left: Any, right: Any) -> Any:
    """`left - right`"""
    return sets.without(left, right) if _are_sets(left, right) else NotImplemented


def xor(left: Any, right: Any) -> Any:
    """`left ^ right`"""
    return sets.in_one(left, right) if _are_sets(left, right) else NotImplemented


def _in_place(left: Any, result: Any) -> Any:
    if result is NotImplemented:
        return NotImplemented
    sets.replace(left, result)
    return left


def ior(left: Any, right: Any) -> Any:
    """`left |= right`"""
    return _in_place(left, or_(left, right))


def iand(left: Any, right: Any) -> Any:
    """`left &= right`"""
    return _in_place(left, and_(left, right))


def isub(left: Any, right: Any) -> Any:
    """`left -= right`"""
    return _in_place(left, sub(left, right))


def ixor(left: Any, right: Any) -> Any:
    """`left ^= right`"""
    return _in_place(left, xor(left, right))


def compare_sets(left: Any, right: Any, comparison: int) -> Any:
    """`==`, `<=` and so on."""
    if not _are_sets(left, right):
        return NotImplemented
    if comparison in (_GT, _GE):
        left, right, comparison = right, left, _LT if comparison == _GT else _LE
    if comparison in (_EQ, _NE):
        same = len(left) == len(right) and sets.is_subset(left, right)
        return same is (comparison == _EQ)
    strict = comparison == _LT
    return (len(left) < len(right) or not strict) and sets.is_subset(left, right)


def dict_or(left: Any, right: Any) -> Any:
    """`left | right` of dicts."""
    if not isinstance(left, dict) or not isinstance(right, dict):
        return NotImplemented
    merged = dicts.copy(left)
    dicts.update(merged, right)
    return merged


def dict_ior(left: Any, right: Any) -> Any:
    """`left |= right` of a dict."""
    dicts.update(left, right)
    return left


def view_or(left: Any, right: Any) -> Any:
    """`left | right`, of which one is the keys or items of a dict: such operators make a set."""
    return sets.united(sets.set_of(left), right)


def view_and(left: Any, right: Any) -> Any:
    """`left & right` of such."""
    return sets.common(sets.set_of(left), right)


def view_sub(left: Any, right: Any) -> Any:
    """`left - right` of such."""
    return sets.without(sets.set_of(left), right)


def view_xor(left: Any, right: Any) -> Any:
    """`left ^ right` of such."""
    return sets.in_one(sets.set_of(left), right)


def compare_dicts(left: Any, right: Any, comparison: int) -> Any:
    """`==` and `!=` of dicts."""
    both = isinstance(left, dict) and isinstance(right, dict)
    if not both or comparison not in (_EQ, _NE):
        return NotImplemented
    return operator.is_(_dicts_equal(left, right), comparison == _EQ)


def _dicts_equal(left: dict[Any, Any], right: dict[Any, Any]) -> bool:
    if len(left) != len(right):
        return False
    for key, value in list(dict.items(left)):
        found = find_key(right, key)
        if found is None:
            return False
        other = dict_get(right, found[0])
        if not (other is value or other == value):
            return False
    return True
