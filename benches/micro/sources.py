"""Modules made of source text, in files of their own: PEF reads the source of what it explores."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import tempfile
from pathlib import Path
from types import ModuleType

_numbers = itertools.count()
_folder = tempfile.TemporaryDirectory(prefix="pef-micro-")


def module(source: str) -> ModuleType:
    """A plain module with this source; it is rewritten when it is explored."""
    name = f"pef_micro_{next(_numbers)}"
    file = Path(_folder.name) / f"{name}.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made
