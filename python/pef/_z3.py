"""Where the Z3 of the z3-solver wheel is, and how the native module gets it.

`pef._native` is built without a Z3 to link against, so any wheel from 4.13 on will do, and none is
built or bundled. On Linux for x86-64 the native module loads the library itself when it is first
asked. Elsewhere its symbols are found in a library that is already loaded, for everybody to see:
import this module before `pef._native`; a second import does nothing.
"""

from __future__ import annotations

import os
import sys

_LIBRARIES = ("libz3.so", "libz3.dylib")
IS_LATE = sys.platform == "linux" and os.uname().machine == "x86_64"
"""Whether nothing is loaded here."""


def library() -> str:
    """Return the path of the wheel's library, without importing the (slow) `z3` package."""
    folder = os.path.join(_package(), "lib")
    for name in _LIBRARIES:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    raise ImportError(
        f"PEF needs the library of the z3-solver wheel, and {folder} has none of "
        f"{', '.join(_LIBRARIES)}: pip install --force-reinstall z3-solver"
    )


def load() -> None:
    """Load it now if that was not done yet, for all processes that are forked from this one."""
    if IS_LATE:
        from pef import _native

        _native.load_z3()


def _package() -> str:
    for folder in sys.path:
        package = os.path.join(folder, "z3")
        if os.path.exists(os.path.join(package, "__init__.py")):
            return package
    from importlib.util import find_spec

    spec = find_spec("z3")
    if spec is None or spec.origin is None:
        raise ImportError(
            "PEF needs Z3, and the z3-solver package is missing: pip install z3-solver"
        )
    return os.path.dirname(spec.origin)


def _preload() -> None:
    import ctypes

    path = library()
    try:
        ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    except OSError as problem:
        raise ImportError(f"cannot load Z3 from {path}: {problem}") from problem


if not IS_LATE:
    _preload()
