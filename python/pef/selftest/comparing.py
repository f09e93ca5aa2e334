"""One case: explored, and every path compared with plain CPython."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from types import ModuleType
from typing import Any

from pef import _native
from pef.models.table import Treatment
from pef.path import plain, written
from pef.records import field, record
from pef.selftest.programs import Program

_MOST_PATHS = 12
_SECONDS = 3.0
_DEPTH = 8

INPUTS = {
    **dict.fromkeys("xyz", _native.input_int),
    **dict.fromkeys("pq", _native.input_bool),
    **dict.fromkeys("st", _native.input_str),
    **dict.fromkeys("bc", _native.input_bytes),
    **dict.fromkeys("fg", _native.input_float),
}
"""By the name of a parameter: what the table and the tests mean by it."""


@record
class Comparison:
    """What one case showed."""

    program: Program
    paths: int = 0
    pins: int = 0
    mismatches: list[str] = field(default_factory=list)


def compare(program: Program, rewritten: ModuleType, original: dict[str, Any]) -> Comparison:
    """Explores the case freely and at its samples."""
    seen = Comparison(program)
    for name, depth in ((program.name, _DEPTH), (f"{program.name}_at", None)):
        _explore(seen, getattr(rewritten, name), original[name], depth)
    _check_claim(seen)
    return seen


def _explore(
    seen: Comparison, function: Any, original: Callable[..., object], depth: int | None
) -> None:
    parameters: list[tuple[str, _native.Passing, _native.Input]] = [
        (name, "positional", INPUTS[name]()) for name in seen.program.parameters
    ]
    session = _native.Session(
        function, parameters, depth=depth, max_paths=_MOST_PATHS, timeout=_SECONDS
    )
    while (path := session.next_path()) is not None:
        if path.ending not in ("returned", "raised"):
            continue
        seen.paths += 1
        seen.pins += len(session.pins(path))
        arguments = [plain(value) for _, value in path.arguments]
        here = _outcome_of_path(path)
        there = _outcome(original, arguments)
        if not _same(here, there):
            shown = ", ".join(map(written, arguments))
            seen.mismatches.append(f"({shown}): PEF {_show(here)}, CPython {_show(there)}")


def _check_claim(seen: Comparison) -> None:
    if seen.program.operation.treatment is Treatment.PINNED:
        if not seen.pins:
            seen.mismatches.append("the table says pinned, and nothing was")
    elif seen.pins:
        seen.mismatches.append(f"the table does not say pinned, and {seen.pins} values were")


def _outcome_of_path(path: _native.RawPath) -> tuple[str, Any]:
    if path.ending == "raised":
        return "raised", path.exception
    return "returned", plain(path.result)


def _outcome(function: Callable[..., object], arguments: list[Any]) -> tuple[str, Any]:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return "returned", function(*arguments)
    except Exception as problem:
        return "raised", problem


def _same(here: tuple[str, Any], there: tuple[str, Any]) -> bool:
    if here[0] != there[0]:
        return False
    if here[0] == "raised":
        return type(here[1]) is type(there[1]) and str(here[1]) == str(there[1])
    return same_value(here[1], there[1])


def same_value(here: Any, there: Any) -> bool:
    """Equal in value and type, all the way down."""
    if getattr(here, "__class__", None) is range and there.__class__ is range:
        return bool(here == there)
    if type(here) is not type(there):
        return False
    if isinstance(here, (list, tuple)):
        same_length = len(here) == len(there)
        return same_length and all(map(same_value, here, there))
    if isinstance(here, dict):
        return same_value(list(here.items()), list(there.items()))
    return bool(here == there) or repr(here) == repr(there)


def _show(outcome: tuple[str, Any]) -> str:
    kind, value = outcome
    return f"{kind} {value!r}" if kind == "returned" else f"raised {value!r}"
