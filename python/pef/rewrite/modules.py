"""From a file's path to the module Python would make of it.

A function only behaves (and pickles, and imports its neighbours) as its author knows it if its
module has the name it has in real life. The file's package tells: climb while there is an
`__init__.py`; what lies above goes to `sys.path`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from pef.records import record

if TYPE_CHECKING:
    from importlib.abc import Loader

MakeLoader = Callable[[str, str], "Loader"]
"""Makes the loader for a module name and a path; used when the import system cannot choose it."""


class ModuleNameTakenError(ImportError):
    """The file belongs to a package whose name already stands for something else."""


@record(frozen=True)
class ModuleName:
    """The dotted name of a file, and the directory that has to be on `sys.path` for it."""

    root: str
    dotted: str

    @property
    def is_top_level(self) -> bool:
        """Whether the module belongs to no package."""
        return "." not in self.dotted


def module_name(path: str | os.PathLike[str]) -> ModuleName:
    """The name under which `path` is imported.

    >>> module_name("/nowhere/tool.py")
    ModuleName(root='/nowhere', dotted='tool')
    """
    directory, name = os.path.split(os.path.abspath(path))
    parts = [] if name == "__init__.py" else [_stem(name)]
    while os.path.basename(directory).isidentifier() and _is_package(directory):
        directory, package = os.path.split(directory)
        parts.insert(0, package)
    return ModuleName(directory, ".".join(parts) or _stem(name))


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def load_file(path: str | os.PathLike[str], make_loader: MakeLoader | None = None) -> ModuleType:
    """Imports `path` under its proper name, or returns the module if that already happened.

    A lone file whose name means something else to the interpreter (`queue.py`, `my.script.py`)
    is loaded under a name of its own, so that nobody importing `queue` gets it by accident.
    """
    path = os.path.abspath(path)
    name = module_name(path)
    if name.root not in sys.path:
        sys.path.insert(0, name.root)
    _forget_listings()
    if not _is_shadowed(name, path):
        return importlib.import_module(name.dotted)
    if not name.is_top_level and _is_package(os.path.dirname(path)):
        raise ModuleNameTakenError(
            f"cannot import {path} as {name.dotted}: the name is already taken"
        )
    return _load_aside(path, make_loader)


def _forget_listings() -> None:
    """A file may be newer than what its folder was seen to hold.

    `importlib.invalidate_caches` loads `importlib.metadata` and half of the library since 3.12.
    """
    if "importlib.metadata" in sys.modules:
        importlib.invalidate_caches()
        return
    for name, finder in list(sys.path_importer_cache.items()):
        if finder is None:
            del sys.path_importer_cache[name]
        elif hasattr(finder, "invalidate_caches"):
            finder.invalidate_caches()


def _is_package(directory: str) -> bool:
    return os.path.isfile(os.path.join(directory, "__init__.py"))


def _is_shadowed(name: ModuleName, path: str) -> bool:
    """Whether importing the name would give some other file."""
    if name.is_top_level and name.dotted in sys.stdlib_module_names:
        return True
    if not _is_package(os.path.dirname(path)) and not name.is_top_level:
        return True  # dots in the file's own name
    loaded = sys.modules.get(name.dotted)
    if loaded is not None:
        return not _same_file(getattr(loaded, "__file__", None), path)
    spec = importlib.util.find_spec(name.dotted)
    return spec is None or not _same_file(spec.origin, path)


def _same_file(candidate: str | None, path: str) -> bool:
    return candidate is not None and os.path.realpath(candidate) == os.path.realpath(path)


def _load_aside(path: str, make_loader: MakeLoader | None) -> ModuleType:
    alias = "_pef_" + re.sub(r"\W", "_", _stem(path))
    while alias in sys.modules:
        if _same_file(getattr(sys.modules[alias], "__file__", None), path):
            return sys.modules[alias]
        alias += "_"
    loader = make_loader(alias, path) if make_loader else None
    spec = importlib.util.spec_from_file_location(alias, path, loader=loader)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python source file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[alias] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[alias]
        raise
    return module
