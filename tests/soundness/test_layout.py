"""An interpreter whose objects are laid out in another way is refused before anything is made.

There is no such interpreter at hand, so a process makes itself one: it overwrites the size that
a built-in type states of its instances. Nothing but the engine reads that of these types.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, sys
import pef._z3
HEADER = ctypes.sizeof(ctypes.c_ssize_t) * 4  # reference count, type, items, name
kind, field, difference = {kind}, {field}, {difference}
size = ctypes.c_ssize_t.from_address(id(kind) + HEADER + field * ctypes.sizeof(ctypes.c_ssize_t))
assert size.value == (kind.__basicsize__, kind.__itemsize__)[field]
size.value += difference
try:
    import pef._native
except ImportError as refusal:
    print(refusal)
else:
    print("accepted")
size.value -= difference
"""
BASIC, ITEM = 0, 1


def _import_where(kind: str, field: int, difference: int) -> str:
    program = PROGRAM.format(kind=kind, field=field, difference=difference)
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.parametrize(
    ("kind", "field", "named"),
    [
        ("int", BASIC, "int"),
        ("int", ITEM, "int"),
        ("bytes", BASIC, "bytes"),
        ("float", BASIC, "float"),
        ("type(float.__add__)", BASIC, "slot wrappers"),
        ("type(int.bit_length)", BASIC, "method descriptors"),
    ],
)
def test_unknown_layout_is_refused_by_name(kind: str, field: int, named: str) -> None:
    refusal = _import_where(kind, field, 8)
    version = ".".join(map(str, sys.version_info[:3]))
    assert refusal.startswith(f"pef does not know the memory layout of {named} in this Python")
    assert version in refusal
    assert refusal.endswith("it supports CPython 3.10 to 3.13 on 64-bit machines, with the GIL")


def test_known_layout_is_accepted() -> None:
    assert _import_where("int", BASIC, 0) == "accepted"
