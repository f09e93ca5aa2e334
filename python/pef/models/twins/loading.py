"""Loads the Python version of a C module, rewritten and under a name of ours.

The code counts as ours, so that decisions in it belong to whoever called it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from pef import _native

_HERE = os.path.dirname(os.path.abspath(__file__))


def load(
    file: str, name: str, c_module: str, edited: Callable[[str], str], given: dict[str, Any]
) -> dict[str, Any]:
    """The namespace of the file, executed as module `name` without its C module.

    `edited` changes the source first; `given` is in the namespace from the beginning.
    """
    from pef.rewrite.compiling import compile_file

    with open(file, encoding="utf-8") as stream:
        source = edited(stream.read())
    compiled = compile_file(source, os.path.join(_HERE, f"<{name}>"))
    compiled.announce(_native.register_code)
    namespace: dict[str, Any] = {"__name__": name, **given}
    fast = sys.modules.get(c_module)
    sys.modules[c_module] = None  # type: ignore[assignment]
    try:
        exec(compiled.code, namespace)
    finally:
        if fast is None:
            del sys.modules[c_module]
        else:
            sys.modules[c_module] = fast
    return namespace
