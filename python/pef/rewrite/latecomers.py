"""Modules that a run imports: found ready by every later run that imports them, too.

What an import leaves behind (an attribute of the package, an entry in a registry) is undone after
the run like all else, but the next `import` of the module would find it in `sys.modules` and do
nothing. So such modules are imported once more, outside of any run, and what that changes is part
of the state from then on. The modules themselves are put away between two runs. A run that does
not ask for one again, though it has changed others, begins with what it would not find in a
process of its own: that is a doubt. The standard library and extension modules stay as they are:
nothing of them is undone.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from pef.rewrite.loader import is_standard

_OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep


class _Store:
    """Where modules are between two runs: an importer that makes nothing."""

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}
        self._broods: dict[str, list[str]] = {}
        """What comes with a module that is asked for: what its own import has imported."""
        self._asked: set[str] = set()
        """Since the run began."""
        self._telling: set[str] = set()
        """Those whose import has changed other modules."""
        self._latest: list[str] = []
        self._origin: ModuleSpec | None = None
        self.doubts: list[str] = []

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """As importers do; a module that is to be loaded again, the target, is left to others."""
        module = self._modules.get(name)
        if module is None or target is not None:
            return None
        spec = ModuleSpec(name, self, origin=module.__file__)  # type: ignore[arg-type]
        spec.submodule_search_locations = getattr(module, "__path__", None)
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The one that is there; it keeps what it says of where it comes from."""
        module = self._modules[spec.name]
        self._asked.add(spec.name)
        self._origin = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Only bring what its import has brought."""
        module.__spec__ = self._origin
        for name in self._broods.get(module.__name__, ()):
            if name != module.__name__:
                sys.modules[name] = self._modules[name]
                _attach(name, self._modules[name])

    def end_run(self) -> None:
        """Put away what the run has asked for."""
        missed = self._telling - self._asked
        if missed and not self.doubts:
            names = ", ".join(sorted(missed))
            self.doubts.append(f"{names}: imported by some runs only, and changes other modules")
        self._asked.clear()
        for name in self._modules:
            self._put_away(name)

    def keep(self, broods: dict[str, list[str]]) -> None:
        """Put away what is new; by those that were imported, with what came with them."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)
        self._latest = list(broods)
        self._broods.update(broods)
        for name in (each for brood in broods.values() for each in brood):
            self._modules[name] = sys.modules[name]
            self._put_away(name)

    def tell(self) -> None:
        """What was put away last has changed others."""
        self._telling.update(self._latest)

    def _put_away(self, name: str) -> None:
        module = self._modules[name]
        if sys.modules.get(name) is module:
            del sys.modules[name]
        package, _, attribute = name.rpartition(".")
        parent = sys.modules.get(package) or self._modules.get(package)
        if parent is not None and vars(parent).get(attribute) is module:
            delattr(parent, attribute)


_store = _Store()
doubts = _store.doubts
"""Why what was explored need not be what happens without us."""
have_changed_others = _store.tell


def settle(names: Sequence[str]) -> list[ModuleType]:
    """After a run: put away what it has imported; the target's modules that are new."""
    _store.end_run()
    present = [name for name in names if name in sys.modules]
    first = {name: module for name in present if _is_target(module := sys.modules[name])}
    for name in first:
        del sys.modules[name]
    broods: dict[str, list[str]] = {}
    # Both would be shown to the user as if the run had printed them.
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        for name, module in first.items():
            if name not in sys.modules:
                before = set(sys.modules)
                _import_again(name, module)
                broods[name] = [each for each in first if each in sys.modules.keys() - before]
    found = [sys.modules[name] for name in first]
    _store.keep(broods)
    return found


def _import_again(name: str, module: ModuleType) -> None:
    try:
        importlib.import_module(name)
    except Exception:
        # It can be imported only once, or only where the run has led: then it stays as it came.
        sys.modules[name] = module
        _attach(name, module)


def _attach(name: str, module: ModuleType) -> None:
    """Make it an attribute of its package."""
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
