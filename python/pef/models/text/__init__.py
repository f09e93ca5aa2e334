"""Text: what `str` and `bytes` do with symbolic values, beyond what is native.

The native types (`SymStr`, `SymBytes`) compare, concatenate and index by themselves. Here is the rest: methods
as functions over the operations of the term language (`_native.apply`), attached to the types by
`install()`. What needs to know a character or a length asks for it with a decision, in the name of
the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pef._native import apply, decide


def iterate(text: Any) -> Iterator[Any]:
    """`iter(text)`: whether there is one more character is a decision each time."""
    position = 0
    while decide(apply("length", text) > position, "for"):
        yield text[position]
        position += 1
