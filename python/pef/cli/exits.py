"""Exit codes, and how a command's end becomes one."""

from __future__ import annotations

import errno
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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
READER_LEFT = 141
"""Whoever read our output closed it, as `head` does."""


class UsageError(Exception):
    """Something the user can put right; the text is for the terminal."""


def answered(command: Callable[[], int]) -> int:
    """Run a command and return its exit code, whatever happens in it."""
    try:
        return command()
    except UsageError as mistake:
        # A mistake in a file already reads `demo.py:5:15: error: ...`.
        prefix = "" if ": error: " in str(mistake) else "pef: error: "
        print(f"{prefix}{mistake}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _reader_left()
    except OSError as problem:
        return _disk_full(problem) if problem.errno in _FULL else _internal_error(problem)
    except Exception as fault:
        return _internal_error(fault)


def _reader_left() -> int:
    """Nothing may complain at exit about output that nobody wants."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return READER_LEFT


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _disk_full(problem: OSError) -> int:
    """Say what could not be written, and nothing more about it at exit."""
    _reader_left()
    named = f" {problem.filename}" if problem.filename else ""
    print(f"pef: error: cannot write{named}: {problem.strerror}", file=sys.stderr)
    return USAGE_ERROR


def _internal_error(fault: Exception) -> int:
    """Report a fault of ours, which must never look like a finding."""
    import traceback

    traceback.print_exception(fault)
    print("pef: internal error, please report it with the lines above", file=sys.stderr)
    return USAGE_ERROR
