"""A run that is cut off at any line leaves no state behind that the next one would see."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from pef.models.text import printing


class CutOff(BaseException):
    """What a time limit is to the code it strikes."""


def _run_until(line: int, value: object) -> bool:
    """Prints a value, cut off at the line of that number; whether it came so far."""
    passed = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal passed
        if frame.f_code.co_filename != printing.__file__:
            return None
        passed += event == "line"
        if passed == line:
            raise CutOff
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        printing.repr_of(value)
    except CutOff:
        return True
    finally:
        sys.settrace(before)
    return False


def test_printing_can_be_cut_off_at_any_line() -> None:
    value: list[object] = [1, {"k": (2, [])}]
    value.append(value)
    expected = repr(value)
    line = 1
    while _run_until(line, value):
        assert printing.repr_of(value) == expected, f"after a stop at line {line}"
        line += 1
    assert line > 30
