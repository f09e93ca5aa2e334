"""Changes to a module of the standard library, made when the program imports it.

To import it beforehand, for programs that never do, would take longer than many a check.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

Change = Callable[[ModuleType], None]


def on_arrival(name: str, change: Change) -> None:
    """Change a module as soon as it is there, and each time it is loaded anew."""
    if not _finder.changes:
        sys.meta_path.insert(0, _finder)
    _finder.changes[name] = change
    if name in sys.modules:
        change(sys.modules[name])


class _Finder:
    """Finds what those behind it do, and lets the loader tell that it is done."""

    def __init__(self) -> None:
        self.changes: dict[str, Change] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        change = self.changes.get(name)
        if change is None:
            return None
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                _follow(spec, change)
                return spec
        return None


def _follow(spec: ModuleSpec, change: Change) -> None:
    loader = spec.loader
    if loader is None:
        return
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        if module.__name__ == spec.name:  # a loader may serve several
            change(module)

    loader.exec_module = exec_module  # type: ignore[method-assign]


_finder = _Finder()
