"""When a function must be analysed again: digests of everything it can reach in the project.

A definition is reached if its name is mentioned, as a name or as an attribute of whatever, by
something that is reached: types are not known, so every definition of that name in the modules that
are imported counts. The statements of all these modules count as well, since importing runs them.
Code that looks names up at run time reaches all there is. So a digest changes too often, never too
rarely; and it does not change with edits elsewhere.

What is installed is not followed: `environment` notices when that changes.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache, cached_property

from pef.checking.discovery import Stamp, Unit, changed_ns, parsed, stamp
from pef.checking.hashing import hex_digest
from pef.checking.outline import Import, Outline, outline
from pef.checking.reach import Graph, closed, members
from pef.records import NamedTuple
from pef.targets import Target, module_name

_INSTALLED = ("site-packages", "dist-packages")


def digests(units: Iterable[Unit], search: Sequence[str] = ()) -> dict[tuple[str, str], str]:
    """Return the digest of each function, by file and qualified name.

    `search` lists folders, besides the roots of the units, from which the project imports.
    """
    units = list(units)
    project = Project(units, search)
    return {
        (unit.path, each.qualname): project.digest(unit.path, each.qualname)
        for unit in units
        for each in unit.functions
    }


class Project:
    """The files of some units and all they import, in pieces."""

    def __init__(self, units: Iterable[Unit], search: Sequence[str] = ()) -> None:
        self._search = [folder for folder in map(os.path.realpath, search) if _is_own(folder)]
        self._modules: dict[str, _Module] = {}
        self._files: dict[tuple[str, str], str | None] = {}
        for unit in units:
            found = outline(unit.path, unit.module_name, unit.source, unit.tree)
            self._modules[unit.path] = _Module(found, unit.root, unit.stamp)
        self._given = frozenset(self._modules)
        self._closures = self._all_closures(list(self._modules))

    @cached_property
    def outlines(self) -> dict[str, Outline]:
        """Every file in pieces, those that are only imported too."""
        return {path: module.outline for path, module in self._modules.items()}

    def digest(self, path: str, qualname: str) -> str:
        """Return the digest of a function of a unit, and of what it can reach."""
        return self._graph.digest(path, qualname, self._closures[path])

    def is_as_read(self, path: str, began_ns: int) -> bool:
        """Whether a unit and what it imports are still the files that digests were made of.

        A run imports files after it began, and they may be read here even later: those that were
        changed since then are not what was run.
        """
        return all(
            stamp(file) == self._modules[file].stamp
            and (file in self._given or changed_ns(file) < began_ns)
            for file in self._closures[path]
        )

    def reached(self, path: str, qualname: str) -> set[tuple[str, str]]:
        """Return the definitions that a function of a unit can reach, by file and name."""
        return self._graph.reached_from(path, qualname, self._closures[path])

    @cached_property
    def _graph(self) -> Graph:
        return Graph(self.outlines.values())

    def _all_closures(self, paths: list[str]) -> dict[str, frozenset[str]]:
        """Return, for each file, itself and all that are imported with it.

        Modules import each other in circles and most of them import the same: sets of files are
        ints with a bit for each, and one frozenset serves all that are equal.
        """
        places: dict[str, int] = {}
        files: list[str] = []
        imported: list[int] = []

        def bit(path: str) -> int:
            if path not in places:
                places[path] = len(files)
                files.append(path)
            return 1 << places[path]

        for path in paths:
            bit(path)
        for path in files:  # which grows
            imported.append(sum(map(bit, self._imports(path))))
        sets: dict[int, frozenset[str]] = {}
        closures = {}
        for path in paths:
            closure = closed(bit(path), imported.__getitem__)
            if closure not in sets:
                sets[closure] = frozenset(files[n] for n in members(closure))
            closures[path] = sets[closure]
        return closures

    def _imports(self, path: str) -> set[str]:
        """Return the files that importing a file runs, read."""
        module = self._modules[path]
        names = {
            name
            for each in module.outline.imports
            for name in _imported_names(each, module.outline, path)
        }
        files: set[str] = set()
        for name in {*names, module.outline.module_name}:
            files.update(self._files_of(name, module.root))
        if module.outline.imports_by_name:
            files.update(_surroundings(path, module.root))
        for file in files - self._modules.keys():
            self._read(file)
        return files

    def _files_of(self, dotted: str, root: str) -> Iterable[str]:
        """Return the files that importing a module runs: its own and those of its packages."""
        parts = dotted.split(".")
        for end in range(1, len(parts) + 1):
            file = self._file(".".join(parts[:end]), root)
            if file is not None:
                yield file

    def _file(self, dotted: str, root: str) -> str | None:
        key = (dotted, root)
        if key not in self._files:
            self._files[key] = _found(dotted, [root, *self._search])
        return self._files[key]

    def _read(self, path: str) -> None:
        name, read_from = module_name(path), stamp(path)
        try:
            source, tree = parsed(path)
        except OSError:
            source, tree = "", ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # Importing it fails; when that changes, so does the text.
            source, tree = _text(path), ast.Module([], [])
        root = Target(path, name, "").root
        self._modules[path] = _Module(outline(path, name, source, tree), root, read_from)


class _Module(NamedTuple):
    outline: Outline
    root: str
    stamp: Stamp


def _imported_names(each: Import, home: Outline, path: str) -> Iterable[str]:
    """Yield the modules an import may run."""
    base = each.module
    if each.level:
        package = home.module_name.split(".")
        up = each.level - (os.path.basename(path) == "__init__.py")
        package = package[: len(package) - up] if up else package
        base = ".".join([*package, *([base] if base else [])])
    if base:
        yield base
    for name in each.names:
        yield f"{base}.{name}" if base else name


def _text(path: str) -> str:
    with open(path, "rb") as file:
        return file.read().decode("latin-1")


def _surroundings(path: str, root: str) -> Iterable[str]:
    """Yield the files of the package around a file, or of its folder: what it can import."""
    top, _, below = os.path.relpath(path, root).partition(os.sep)
    for folder, folders, names in os.walk(os.path.join(root, top) if below else root):
        if not below:
            folders.clear()
        yield from (os.path.join(folder, name) for name in names if name.endswith(".py"))


def _found(dotted: str, folders: Iterable[str]) -> str | None:
    relative = dotted.replace(".", os.sep)
    for folder in folders:
        start = os.path.join(folder, relative)
        for candidate in (os.path.join(start, "__init__.py"), f"{start}.py"):
            if os.path.isfile(candidate):
                return os.path.realpath(candidate)
    return None


def _is_own(folder: str) -> bool:
    """Whether a folder holds code of the project, not what is installed."""
    library = _library()
    inside = folder == library or folder.startswith(library + os.sep)
    return not inside and not any(part in _INSTALLED for part in folder.split(os.sep))


@cache
def _library() -> str:
    return os.path.dirname(os.path.realpath(os.__file__))


def environment() -> str:
    """Return a digest of what else decides a result: Python, PEF itself, what is installed.

    Times are looked at only where nothing better is known, so that results can be carried from one
    machine to another that has the same installed.
    """
    facts: list[object] = [sys.version, sys.platform]
    ourselves = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    facts.append(_recorded(ourselves) or sorted(_stamps(ourselves)))
    for folder in sys.path:
        if any(part in _INSTALLED for part in folder.split(os.sep)):
            facts.append(sorted(_installed(folder)))
    return hex_digest(repr(facts))


def _recorded(package: str) -> bytes | None:
    """Return the list of our files with their hashes, if we were installed as a wheel."""
    from pef import __version__

    record = os.path.join(os.path.dirname(package), f"pef-{__version__}.dist-info", "RECORD")
    try:
        with open(record, "rb") as file:
            return file.read()
    except OSError:
        return None


def _installed(folder: str) -> Iterable[str]:
    """Yield what is in a folder of libraries; folders of metadata are named by version."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        if name != "__pycache__":
            yield name
        # What comes from a folder or repository can change and keep its version.
        origin = os.path.join(folder, name, "direct_url.json")
        if name.endswith(".dist-info") and os.path.exists(origin):
            yield f"{name} {os.stat(origin).st_mtime_ns}"


def _stamps(folder: str) -> Iterable[tuple[str, int, int]]:
    """Yield name, time and size of every file, compiled ones of Python aside."""
    for entry in os.scandir(folder):
        try:
            if not entry.is_dir():
                status = entry.stat()
                yield entry.path, status.st_mtime_ns, status.st_size
            elif entry.name != "__pycache__":
                yield from _stamps(entry.path)
        except OSError:
            continue
