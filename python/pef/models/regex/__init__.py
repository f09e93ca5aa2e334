"""Regular expressions: `re` on symbolic text.

`syntax` reads CPython's own parse tree. Whether a pattern matches is asked as one decision about
the whole text (`language`). Where its groups lie is decided choice by choice (`guided`), or where
that is not possible character by character (`matcher`), both in CPython's order. `finding` joins
these, `matched` is the match object, `scanning` is repeated search, and `calls` is what rewritten
code calls.

What stays out: solving (`Language` is a table of the term language), and matching in plain text,
which is CPython's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pef import _native


def install() -> None:
    """Registers the models, which are loaded when first needed."""
    import re

    for name in ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn"):
        _native.register_guarded(getattr(re.Pattern, name), _later("method_models", name))
        _native.register_guarded(getattr(re, name), _later("function_models", name))
    for name in ("compile", "escape"):
        _native.register_guarded(getattr(re, name), _later("function_models", name))


def _later(table: str, name: str) -> Callable[..., Any]:
    """A model that is looked up in `calls` when it is called."""

    def model(*arguments: Any, **named: Any) -> Any:
        return _models(table)[name](*arguments, **named)

    return model


_loaded: dict[str, dict[str, Callable[..., Any]]] = {}


def _models(table: str) -> dict[str, Callable[..., Any]]:
    if not _loaded:
        import re

        from pef.models.regex import calls
        from pef.models.regex.matched import SymMatch

        _native.register_stand_in(SymMatch, re.Match)
        _loaded["method_models"] = calls.method_models()
        _loaded["function_models"] = calls.function_models()
    return _loaded[table]
