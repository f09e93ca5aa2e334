"""What plain CPython tells about an exception: enough to judge it and to show how it came about.

Collected in the process that replayed the call, because a traceback lives only there.
"""

from __future__ import annotations

import opcode
import os
from types import CodeType, TracebackType
from typing import Any

from pef.replay.call import is_project_file, type_name

_RAISE = opcode.opmap["RAISE_VARARGS"]
_ROOMS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OURS = tuple(os.path.join(_ROOMS, room, "") for room in ("replay", "contracts", "isolation"))
# The ends of an endless recursion tell as much as the whole.
_SHOWN_FRAMES = 40


def evidence(problem: BaseException, roots: list[str]) -> dict[str, Any]:
    """The exception's classes, whether the project raised it itself, and its frames."""
    frames = [each for each in _tracebacks(problem.__traceback__) if not _is_ours(each)]
    return {
        "kinds": [type_name(kind) for kind in type(problem).__mro__[:-1]],
        "explicit": bool(frames) and is_raise(frames[-1]) and _in_project(frames[-1], roots),
        "frames": [_described(each, roots) for each in _ends(frames)],
    }


def is_raise(traceback: TracebackType) -> bool:
    """Whether the frame stopped at a `raise` (or `assert`) of its own."""
    code = traceback.tb_frame.f_code.co_code
    return 0 <= traceback.tb_lasti < len(code) and code[traceback.tb_lasti] == _RAISE


def innermost(traceback: TracebackType) -> TracebackType:
    """Where the exception came from."""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback


def _tracebacks(traceback: TracebackType | None) -> list[TracebackType]:
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def _ends(frames: list[TracebackType]) -> list[TracebackType]:
    if len(frames) <= _SHOWN_FRAMES:
        return frames
    return frames[: _SHOWN_FRAMES // 2] + frames[-_SHOWN_FRAMES // 2 :]


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(_OURS)


def _in_project(traceback: TracebackType, roots: list[str]) -> bool:
    return is_project_file(traceback.tb_frame.f_code.co_filename, roots)


def _described(traceback: TracebackType, roots: list[str]) -> dict[str, Any]:
    """Place of a frame; columns are in bytes, from 0, and None where Python does not tell."""
    code = traceback.tb_frame.f_code
    line, end_line, column, end_column = _position(code, traceback.tb_lasti)
    return {
        "file": code.co_filename,
        "function": getattr(code, "co_qualname", code.co_name),
        "line": traceback.tb_lineno,
        "end_line": end_line if line == traceback.tb_lineno else None,
        "column": column if line == traceback.tb_lineno else None,
        "end_column": end_column if line == traceback.tb_lineno else None,
        "project": _in_project(traceback, roots),
    }


_Position = tuple["int | None", "int | None", "int | None", "int | None"]


def _position(code: CodeType, instruction: int) -> _Position:
    """Line, last line, column and last column of an instruction; columns in bytes, from 0."""
    positions = getattr(code, "co_positions", None)  # since 3.11
    if positions is None or instruction < 0:
        return None, None, None, None
    for index, position in enumerate(positions()):
        if index == instruction // 2:
            found: _Position = position
            return found
    return None, None, None, None
