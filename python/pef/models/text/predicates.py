"""`isdigit`, `isupper`...: each is one question, whether the text is of a regular language."""

from __future__ import annotations

from typing import Any

from pef._native import apply
from pef.models.text import tables

NAMES = (
    *("isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower"),
    *("isnumeric", "isprintable", "isspace", "istitle", "isupper"),
)


def __getattr__(name: str) -> Any:
    """The model of the method `name`."""
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def model(text: Any, /) -> Any:
        return apply("matches", text, table=tables.language(tables.kind_of(text), name))

    return model
