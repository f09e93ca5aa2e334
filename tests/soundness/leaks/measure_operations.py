"""Repeats every operation on symbolic values, and prints what each left behind as JSON.

    measure_operations.py COUNT quick|slow|OPERATION

The measuring happens inside one run, on values that stay: what is counted is what the operations
alone are to blame for. Decisions are remembered by a run, so they may cost memory outside Python.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import sys
import tempfile
from pathlib import Path

from symbolic_operations import QUICK_OPERATIONS, SLOW_OPERATIONS, as_module

import pef
from pef import _native

COUNT = int(sys.argv[1])
OPERATIONS = {"quick": QUICK_OPERATIONS, "slow": SLOW_OPERATIONS}.get(sys.argv[2], sys.argv[2:])
TYPES = (_native.SymInt, _native.SymBool, _native.SymStr, _native.SymBytes, _native.SymFloat)
WARM_UP = 600


class Operators:
    """An object that answers to `+` and `==` of symbolic values."""

    def __add__(self, other: object) -> int:
        return 1

    __radd__ = __add__

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


def _loaded(source: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "operations_under_test.py")
        file.write_text(source)
        spec = importlib.util.spec_from_file_location("operations_under_test", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        import linecache

        linecache.getlines(str(file))
        return module


MODULE = _loaded(as_module(OPERATIONS))


def measure(number: int, values: tuple) -> tuple:
    """Blocks, references to the native types, references to the values: how many more after."""
    operation = getattr(MODULE, f"operation_{number}")
    operation(*values, WARM_UP if COUNT > WARM_UP else COUNT)
    gc.collect()
    types = [sys.getrefcount(each) for each in TYPES]
    operands = [sys.getrefcount(each) for each in values]
    blocks = sys.getallocatedblocks()
    operation(*values, COUNT)
    gc.collect()
    return (
        sys.getallocatedblocks() - blocks,
        max(sys.getrefcount(each) - before for each, before in zip(TYPES, types)),
        max(sys.getrefcount(each) - before for each, before in zip(values, operands)),
    )


def target(
    x: int, y: int, b: bool, c: bool, s: str, t: str, u: bytes, v: bytes, f: float, g: float
) -> tuple:
    values = (x, y, b, c, s, t, u, v, f, g, Operators())
    return tuple(measure(number, values) for number in range(len(OPERATIONS)))


if __name__ == "__main__":
    with pef.explore(target, depth=None, max_paths=1) as exploration:
        (path,) = exploration
    assert path.exception is None, repr(path.exception)
    print(json.dumps(dict(zip(OPERATIONS, path.result))))
