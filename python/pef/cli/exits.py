"""Exit codes, and the error that stands for a mistake of the caller."""

from __future__ import annotations

CLEAN = 0
"""Nothing found; everything explored or explicitly bounded."""
FOUND = 1
"""Errors found."""
USAGE_ERROR = 2
"""A mistake in the call, or an internal error."""
INCOMPLETE = 3
"""Nothing found, but something could not be analysed."""
INTERRUPTED = 130
"""Ctrl-C; what was known has been printed."""


class UsageError(Exception):
    """Something the user can put right; the text is one line."""
