"""Replacement templates: what `sub` and `expand` make of `\\1` and `\\g<name>`."""

from __future__ import annotations

import re
from typing import Any

from pef._native import apply, decide, is_symbolic, pinned
from pef.models.regex import sre

Template = list[Any]
"""Text, and the numbers of groups."""


def read(template: Any, pattern: re.Pattern[Any]) -> Template:
    """The parts of a template; of a symbolic one with a backslash, those it has in this run."""
    if is_symbolic(template):
        backslash = "\\" if isinstance(template, str) else b"\\"
        if not decide(apply("contains", template, backslash), "domain"):
            return [template]
        template = pinned(template, "re.sub")
    parsed = sre.parse_template(template, pattern)
    if isinstance(parsed, tuple):
        # Up to 3.11: literals with gaps, and which group fills which gap.
        groups, literals = parsed
        parts = list(literals)
        for place, group in groups:
            parts[place] = group
        return parts
    return [part for part in parsed if not isinstance(part, (str, bytes)) or part]


def filled(parts: Template, match: Any) -> Any:
    """The text of a template for one match; a group without text is empty."""
    empty = apply("slice", match.string, 0, 0)
    texts = [match[part] if isinstance(part, int) else part for part in parts]
    return joined(empty, [empty if text is None else text for text in texts])


def joined(empty: Any, texts: list[Any]) -> Any:
    """All of them, one after the other."""
    return apply("concat", empty, *texts)
