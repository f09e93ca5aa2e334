"""No panic crosses into CPython: every function that C code calls runs its body behind a guard.

`boundary::object` and `boundary::number` turn a panic into a SystemError. A function without them
may only pass its arguments on, to the C API or to a function that has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "crates" / "python" / "src"
DEFINITION = re.compile(r'unsafe extern "C" fn ([\w$]+)\s*\(')
GUARD = re.compile(r"\b(object|number)\(\s*(move )?\|\||\bobject\(\s*body\b")
CAN_PANIC = re.compile(
    r"\b(unwrap|expect|panic!|unreachable!|todo!|assert\w*!|vec!|format!|attach|build|collect)\b"
    r"|\w\[[^\]]*\]|\brecorder::|\bpool\b"
)


def _body(text: str, start: int) -> str:
    """The block that begins at the first brace from `start`."""
    begin = text.index("{", start)
    depth = 0
    for end in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[begin : end + 1]
    raise AssertionError("a block without an end")


def _entries() -> Iterator[tuple[str, str]]:
    for file in sorted(SOURCES.rglob("*.rs")):
        text = file.read_text()
        for definition in DEFINITION.finditer(text):
            yield f"{file.relative_to(SOURCES)}:{definition[1]}", _body(text, definition.end())


def _is_safe(body: str) -> bool:
    return bool(GUARD.search(body)) or not CAN_PANIC.search(body)


def test_every_entry_from_c_is_guarded() -> None:
    entries = list(_entries())
    assert len(entries) > 100
    assert [name for name, body in entries if not _is_safe(body)] == []


@pytest.mark.parametrize(
    "body",
    ["{ table[index] }", "{ value.unwrap() }", "{ recorder::build(|pool| pool.not(term)) }"],
)
def test_a_body_that_may_panic_needs_a_guard(body: str) -> None:
    assert not _is_safe(body)
    assert _is_safe("{ object(|| " + body + ") }")
