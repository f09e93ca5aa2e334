"""Built-in functions that ask a text for its length before they iterate over it.

The length would be pinned, and is not needed: an iterator in the place of the text will do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pef._native import SymBytes, SymStr, is_symbolic
from pef.models.text.slicing import backwards


def _is_text(value: object) -> bool:
    return isinstance(value, (SymStr, SymBytes)) and is_symbolic(value)


def _drawn(maker: Callable[..., Any]) -> Callable[..., Any]:
    """`list` or `tuple`."""

    def model(*given: Any, **named: Any) -> Any:
        if len(given) == 1 and _is_text(given[0]):
            return maker(iter(given[0]), **named)
        return maker(*given, **named)

    return model


list_of, tuple_of = _drawn(list), _drawn(tuple)


def reversed_of(*given: Any, **named: Any) -> Any:
    """`reversed`"""
    if len(given) == 1 and not named and _is_text(given[0]):
        return backwards(given[0])
    return reversed(*given, **named)
