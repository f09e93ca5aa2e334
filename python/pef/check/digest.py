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
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from pef.check.discovery import Unit, parsed
from pef.check.outline import Import, Outline, Piece, outline
from pef.targets import Target, module_name

_INSTALLED = ("site-packages", "dist-packages")


def digests(units: Iterable[Unit], search: Sequence[str] = ()) -> dict[tuple[Path, str], str]:
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
        self._modules: dict[Path, _Module] = {}
        self._files: dict[tuple[str, str], Path | None] = {}
        self._imported: dict[Path, frozenset[Path]] = {}
        for unit in units:
            found = outline(unit.path, unit.module_name, unit.source, unit.tree)
            self._modules[unit.path] = _Module(found, str(unit.root))
        self._units = list(self._modules)
        self._closures = {path: self._closure(path) for path in self._units}

    @cached_property
    def outlines(self) -> dict[Path, Outline]:
        """Every file in pieces, those that are only imported too."""
        return {path: module.outline for path, module in self._modules.items()}

    def digest(self, path: Path, qualname: str) -> str:
        """Return the digest of a function of a unit, and of what it can reach."""
        return self._graph.digest(path, qualname, self._closures[path])

    @cached_property
    def _graph(self) -> _Graph:
        return _Graph(self.outlines.values())

    def _closure(self, path: Path) -> frozenset[Path]:
        """Return the file and all that are imported with it."""
        reached: set[Path] = set()
        waiting = [path]
        while waiting:
            file = waiting.pop()
            if file not in reached:
                reached.add(file)
                waiting.extend(self._imports(file))
                if self._modules[file].outline.imports_by_name:
                    waiting.extend(self._units)
        return frozenset(reached)

    def _imports(self, path: Path) -> frozenset[Path]:
        known = self._imported.get(path)
        if known is None:
            module = self._modules[path]
            files = {
                file
                for each in module.outline.imports
                for name in _imported_names(each, module.outline, path)
                for file in self._files_of(name, module.root)
            }
            files.update(self._files_of(module.outline.module_name, module.root))
            known = self._imported[path] = frozenset(f for f in files if self._read(f))
        return known

    def _files_of(self, dotted: str, root: str) -> Iterable[Path]:
        """Return the files that importing a module runs: its own and those of its packages."""
        parts = dotted.split(".")
        for end in range(1, len(parts) + 1):
            file = self._file(".".join(parts[:end]), root)
            if file is not None:
                yield file

    def _file(self, dotted: str, root: str) -> Path | None:
        key = (dotted, root)
        if key not in self._files:
            self._files[key] = _found(dotted, [root, *self._search])
        return self._files[key]

    def _read(self, path: Path) -> bool:
        if path not in self._modules:
            name = module_name(path)
            try:
                source, tree = parsed(path)
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                # Importing it fails; when that changes, so does the text.
                source, tree = path.read_bytes().decode("latin-1"), ast.Module([], [])
            root = str(Target(path, name, "").root)
            self._modules[path] = _Module(outline(path, name, source, tree), root)
        return True


class _Module:
    def __init__(self, outline: Outline, root: str) -> None:
        self.outline = outline
        self.root = root


class _Graph:
    """The pieces of all files, and which mentions which.

    A set of pieces is an int with a bit for each: sets are as large as the project, and joined for
    every function.
    """

    def __init__(self, outlines: Iterable[Outline]) -> None:
        # The order of the pieces that are reached must not depend on those that are not.
        ordered = sorted(outlines, key=lambda each: (each.module_name, each.path))
        pieces = [(each, piece) for each in ordered for piece in each.pieces.values()]
        self._index = {(each.path, piece.name): n for n, (each, piece) in enumerate(pieces)}
        self._pieces = [piece for _, piece in pieces]
        self._hashes = [_piece_hash(each, piece) for each, piece in pieces]
        self._everything = (1 << len(pieces)) - 1
        self._statements = self._functions = 0
        self._named: dict[str, int] = {}
        self._files: dict[Path, int] = {}
        self._implied: list[int] = []
        for n, (each, piece) in enumerate(pieces):
            bit = 1 << n
            self._files[each.path] = self._files.get(each.path, 0) | bit
            if piece.name:
                last = piece.name.rpartition(".")[2]
                self._named[last] = self._named.get(last, 0) | bit
            else:
                self._statements |= bit
            if not piece.is_class and not piece.is_variable:
                self._functions |= bit
            methods = {self._index[each.path, name] for name in piece.implied}
            self._implied.append(sum(1 << method for method in methods))
        self._follows: list[int | None] = [None] * len(pieces)
        self._remember()
        self._worlds: dict[frozenset[Path], int] = {}
        self._digests: dict[int, str] = {}

    def digest(self, path: Path, qualname: str, files: frozenset[Path]) -> str:
        """Return the digest of a function, in a world where some files are imported."""
        world = self._worlds.get(files)
        if world is None:
            world = self._worlds[files] = sum(self._files[file] for file in files)
        reached = self._reached(self._start(path, qualname) & world, world)
        known = self._digests.get(reached)
        if known is None:
            chosen = [self._hashes[n] for n in _members(reached)]
            known = self._digests[reached] = hashlib.sha256(b"".join(chosen)).hexdigest()
        return hashlib.sha256(f"{qualname} {known}".encode()).hexdigest()

    def _start(self, path: Path, qualname: str) -> int:
        """Return the function, the classes around it and what importing runs."""
        start = self._statements
        parts = qualname.split(".")
        for end in range(1, len(parts) + 1):
            n = self._index.get((path, ".".join(parts[:end])))
            if n is not None:
                start |= 1 << n
        if (path, qualname) not in self._index:
            # Inherited, assigned or imported: any definition of its name may be meant.
            start |= self._named.get(parts[-1], self._everything)
        return start

    def _reached(self, start: int, world: int) -> int:
        reached, waiting = 0, start
        while waiting:
            lowest = waiting & -waiting
            reached |= lowest
            waiting = (waiting | self._follow(lowest.bit_length() - 1) & world) & ~reached
            if waiting | reached == world:
                return world
        return reached

    def _follow(self, n: int) -> int:
        known = self._follows[n]
        if known is None:
            piece = self._pieces[n]
            known = self._everything
            if not piece.is_open:
                called = self._of_name(piece.calls) & self._functions
                known = self._implied[n] | self._of_name(piece.mentions) | called
            self._follows[n] = known
        return known

    def _of_name(self, names: set[str]) -> int:
        found = 0
        for name in names & self._named.keys():
            found |= self._named[name]
        return found

    def _remember(self) -> None:
        """Let variables and classes lead to the functions that a decorator may have put there."""
        decorated = [(n, piece) for n, piece in enumerate(self._pieces) if piece.decorators]
        remembered: dict[int, int] = {}
        for n, piece in decorated:
            start = self._of_name(piece.decorators)
            for keeper in _members(self._reached(start, self._everything)):
                remembered[keeper] = remembered.get(keeper, 0) | 1 << n
        for keeper, pieces in remembered.items():
            if not self._functions >> keeper & 1:
                self._implied[keeper] |= pieces
        self._follows = [None] * len(self._pieces)


def _members(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, lowest first."""
    for position, digit in enumerate(reversed(f"{bits:b}")):
        if digit == "1":
            yield position


def _piece_hash(home: Outline, piece: Piece) -> bytes:
    text = f"{home.module_name}\0{piece.name}\0{piece.text}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _imported_names(each: Import, home: Outline, path: Path) -> Iterable[str]:
    """Yield the modules an import may run."""
    base = each.module
    if each.level:
        package = home.module_name.split(".")
        up = each.level - (path.name == "__init__.py")
        package = package[: len(package) - up] if up else package
        base = ".".join([*package, *([base] if base else [])])
    if base:
        yield base
    for name in each.names:
        yield f"{base}.{name}" if base else name


def _found(dotted: str, folders: Iterable[str]) -> Path | None:
    relative = dotted.replace(".", os.sep)
    for folder in folders:
        start = os.path.join(folder, relative)
        for candidate in (os.path.join(start, "__init__.py"), f"{start}.py"):
            if os.path.isfile(candidate):
                return Path(os.path.realpath(candidate))
    return None


def _is_own(folder: str) -> bool:
    """Whether a folder holds code of the project, not what is installed."""
    library = os.path.dirname(os.path.realpath(os.__file__))
    inside = folder == library or folder.startswith(library + os.sep)
    return not inside and not any(part in _INSTALLED for part in folder.split(os.sep))


def environment() -> str:
    """Return a digest of what else decides a result: Python, PEF itself, what is installed."""
    facts: list[object] = [sys.version, sys.platform]
    ourselves = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    facts += sorted(_stamps(ourselves))
    for folder in sys.path:
        if any(part in _INSTALLED for part in folder.split(os.sep)):
            try:
                facts.append((folder, os.stat(folder).st_mtime_ns))
            except OSError:
                continue
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _stamps(folder: str) -> Iterable[tuple[str, int, int]]:
    """Yield name, time and size of every file, compiled ones of Python aside."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _stamps(entry.path)
        else:
            try:
                status = entry.stat()
            except OSError:
                continue
            yield entry.path, status.st_mtime_ns, status.st_size
