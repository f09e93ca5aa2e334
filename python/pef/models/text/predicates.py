"""`isdigit`, `isupper`...: each is one question, whether the text is of a regular language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pef._native import apply
from pef.models.text import tables

NAMES = (
    *("isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower"),
    *("isnumeric", "isprintable", "isspace", "istitle", "isupper"),
)


def predicate(name: str) -> Callable[[Any], Any]:
    """The model of the method `name`."""

    def model(text: Any, /) -> Any:
        return apply("matches", text, table=tables.language(tables.kind_of(text), name))

    return model
