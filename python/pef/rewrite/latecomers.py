"""Modules that a run imports: part of the state that every later run starts from.

What an import leaves behind (an attribute of the package, an entry in a registry) is undone after
the run like all else, but the next `import` of the module would find it in `sys.modules` and do
nothing. So such modules are imported once more, outside of any run. The standard library and
extension modules stay as they are: nothing of them is undone.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from pef.rewrite.loader import is_standard

_OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep


def settle(names: Sequence[str]) -> list[ModuleType]:
    """Imports afresh those of the modules that are the target's; says which they are now."""
    first = {name: module for name in names if _is_target(module := sys.modules[name])}
    for name in first:
        del sys.modules[name]
    # Both would be shown to the user as if the run had printed them.
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        for name, module in first.items():
            _import_again(name, module)
    return [sys.modules[name] for name in first]


def _import_again(name: str, module: ModuleType) -> None:
    try:
        importlib.import_module(name)
    except Exception:
        # It can be imported only once, or only where the run has led: then it stays as it came.
        sys.modules[name] = module
        package, _, attribute = name.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], attribute, module)


def _is_target(module: object) -> bool:
    file = getattr(module, "__file__", None)
    return (
        isinstance(module, ModuleType)
        and isinstance(file, str)
        and file.endswith(".py")
        and not file.startswith(_OURS)
        and not is_standard(file)
    )
