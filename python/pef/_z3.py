"""Loads the Z3 of the z3-solver wheel before the native module needs it.

`pef._native` is built without a Z3 to link against: its symbols are found in a library that is
already loaded, for everybody to see. So any wheel from 4.13 on will do, and none is built or
bundled. Import this module before `pef._native`; a second import does nothing.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os

_LIBRARIES = ("libz3.so", "libz3.dylib")


def _library() -> str:
    """Return the path of the wheel's library, without importing the (slow) `z3` package."""
    spec = importlib.util.find_spec("z3")
    if spec is None or spec.origin is None:
        raise ImportError(
            "PEF needs Z3, and the z3-solver package is missing: pip install z3-solver"
        )
    folder = os.path.join(os.path.dirname(spec.origin), "lib")
    for name in _LIBRARIES:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    raise ImportError(
        f"PEF needs the library of the z3-solver wheel, and {folder} has none of "
        f"{', '.join(_LIBRARIES)}: pip install --force-reinstall z3-solver"
    )


def _preload() -> None:
    path = _library()
    try:
        ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    except OSError as problem:
        raise ImportError(f"cannot load Z3 from {path}: {problem}") from problem


_preload()
