"""Whose fault an exception is: the program's, while it was imported, or ours.

The two must look different: one is a line the user can act upon, the other a traceback to report.
"""

from __future__ import annotations

import os
from types import TracebackType

from pef.replay.call import describe, is_project_file

_OURSELVES = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def fault_of_program(problem: BaseException, roots: list[str]) -> str | None:
    """Return one line about an exception raised by code under the roots; None if it was not."""
    place = _place(problem.__traceback__, [os.path.realpath(root) for root in roots])
    if place is None:
        return None
    file, line = place
    return f"{os.path.relpath(file)}:{line}: {describe(problem).splitlines()[0]}"


def _place(traceback: TracebackType | None, roots: list[str]) -> tuple[str, int] | None:
    """Return the innermost frame of the program, unless it called us and we failed."""
    place = None
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if file.startswith(_OURSELVES):
            place = None
        elif is_project_file(file, roots):
            place = (file, traceback.tb_lineno)
        traceback = traceback.tb_next
    return place
