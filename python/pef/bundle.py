"""The bytecode of all that a start imports in one file, instead of three hundred.

Python searches, opens and reads a file per module, which takes about as long as running it. The
bundle is made of those files and lies beside them. It is as careful as they are: a module whose
source has changed is imported as ever, and the bundle is made anew when the program ends.

All of PEF is in it, and what PEF imports of the standard library. The latter is for PEF itself: it
is left alone where a file of the same name comes first, and as soon as `sys.path` is another, which
is before any module of the user is imported. Of modules in C it has where they lie: to search for
one takes longer than to load it.
"""

from __future__ import annotations

import marshal
import os
import sys
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    ModuleSpec,
    SourceFileLoader,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType

_HERE = os.path.dirname(os.path.abspath(__file__))
_LIBRARY = os.path.dirname(os.__file__)
_PREFIX = "pef."
_HEADER = 16
"""Bytes at the start of a bytecode file: magic number, flags, time and size of the source."""
_Entry = tuple[str, str, int, int, int, int]
"""Source, bytecode file, time and size of the source, place and length of the code.

A module in C is its own source, and has neither a bytecode file nor code.
"""


def use() -> None:
    """From now on, import modules from the bundle; without one, it is made at the end."""
    sys.meta_path.insert(0, _Finder(*_opened()))


def renew() -> None:
    """Make the bundle anew if it lacked something that was imported."""
    for finder in sys.meta_path:
        if isinstance(finder, _Finder) and finder.is_lacking() and not sys.dont_write_bytecode:
            _write(finder.others())


class _Finder:
    def __init__(self, index: Mapping[str, _Entry], code: memoryview) -> None:
        self._index = index
        self._code = code
        self._path = list(sys.path)
        self._others = _names_before_the_library(self._path)
        self._lacked: list[str] = []
        """What had to be imported in the usual way."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(_PREFIX) and not self._is_standard(name):
            return None
        entry = self._index.get(name)
        if entry is None or not _is_current(entry):
            self._lacked.append(name)
            return None
        source, bytecode, _, _, start, length = entry
        if not bytecode:
            spec = ModuleSpec(name, ExtensionFileLoader(name, source), origin=source)
            spec.has_location = True
            return spec
        loader = _Loader(name, source, self._code[start : start + length])
        is_package = source.endswith("__init__.py")
        spec = ModuleSpec(name, loader, origin=source, is_package=is_package)
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(os.path.dirname(source))
        spec.has_location = True
        spec.cached = bytecode
        return spec

    def is_lacking(self) -> bool:
        """Whether something was imported that could have been in the bundle."""
        return any(map(_source, self._lacked))

    def others(self) -> dict[str, str]:
        """Modules for the bundle that `_modules` does not find, with their sources."""
        known = {name: entry[0] for name, entry in self._index.items()}
        lacked = {name: source for name in self._lacked if (source := _source(name))}
        sources = {**known, **lacked}.items()
        return {name: source for name, source in sources if not _is_found(name, source)}

    def _is_standard(self, name: str) -> bool:
        """Whether a name can only mean a module of the standard library."""
        top = name.partition(".")[0]
        is_known = top in sys.stdlib_module_names and top not in self._others
        return is_known and sys.path == self._path


def _names_before_the_library(path: Sequence[str]) -> set[str]:
    """What modules may be called that come before those of the standard library."""
    names: set[str] = set()
    for folder in path:
        if folder == _LIBRARY:
            return names
        try:
            names.update(file.partition(".")[0] for file in os.listdir(folder or os.curdir))
        except OSError:  # there is no such folder, or it is an archive that does not exist
            continue
    return set(sys.stdlib_module_names)


def _source(name: str) -> str | None:
    """The file of a module that was imported from one, in Python or in C."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    source = str(getattr(spec, "origin", None))
    is_ours = source.startswith((_HERE + os.sep, _LIBRARY + os.sep))
    return source if is_ours and source.endswith((".py", *EXTENSION_SUFFIXES)) else None


class _Loader(SourceFileLoader):
    """A module of a file, as others are, but for where its code comes from."""

    def __init__(self, name: str, path: str, code: memoryview) -> None:
        super().__init__(name, path)
        self._code = code

    def exec_module(self, module: ModuleType) -> None:
        exec(marshal.loads(self._code), module.__dict__)


def _opened() -> tuple[Mapping[str, _Entry], memoryview]:
    """What a bundle for this interpreter and this place has; nothing if there is none."""
    import mmap

    try:
        with open(_place(), "rb") as file:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        whose, length, index = marshal.loads(whole)
    except (OSError, ValueError, TypeError, EOFError):
        return {}, memoryview(b"")
    if whose != _whose() or length > len(whole):
        return {}, memoryview(b"")
    return index, whole[len(whole) - length :]


def _write(others: Mapping[str, str]) -> None:
    from importlib.util import cache_from_source

    index: dict[str, _Entry] = {}
    whole = bytearray()
    for name, source in (*_modules(), *others.items()):
        bytecode = cache_from_source(source) if source.endswith(".py") else ""
        try:
            found = os.stat(source)
            code = _code(source, bytecode, found) if bytecode else b""
        except (OSError, ValueError, EOFError):
            continue
        if code is not None:
            place = len(whole), len(code)
            index[name] = (source, bytecode, found.st_mtime_ns, found.st_size, *place)
            whole += code
    beside = f"{_place()}.{os.getpid()}"
    try:
        with open(beside, "wb") as file:
            file.write(marshal.dumps((_whose(), len(whole), index)) + whole)
        os.replace(beside, _place())
    except OSError:  # it will be slower, no more
        return


def _code(source: str, bytecode: str, found: os.stat_result) -> bytes | None:
    """What a module was compiled to; None if that was not done since its source has changed."""
    with open(bytecode, "rb") as file:
        data = file.read()
    if not _is_made_of(data, found):
        return None
    if marshal.loads(data[_HEADER:]).co_filename == source:
        return data[_HEADER:]
    with open(source, "rb") as file:  # it was compiled under another name
        return marshal.dumps(compile(file.read(), source, "exec", dont_inherit=True))


def _modules() -> Iterator[tuple[str, str]]:
    """Name and source of every module of PEF."""
    for folder, _, names in os.walk(_HERE, followlinks=True):
        parts = ["pef", *os.path.relpath(folder, _HERE).split(os.sep)]
        package = ".".join(part for part in parts if part != os.curdir)
        for file in names:
            stem, ending = os.path.splitext(file)
            source = os.path.join(folder, file)
            is_loaded_before = package == "pef" and stem in ("__init__", "__main__")
            if ending == ".py" and not is_loaded_before:
                name = package if stem == "__init__" else f"{package}.{stem}"
                yield name, source


def _is_found(name: str, source: str) -> bool:
    """Whether `_modules` finds a module, if it still exists."""
    return name.startswith(_PREFIX) and source.endswith(".py")


def _is_made_of(data: bytes, source: os.stat_result) -> bool:
    """Whether bytecode is that of a source as it is now, by its time and size."""
    from importlib.util import MAGIC_NUMBER

    stamp = (int(source.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little")
    size = (source.st_size & 0xFFFFFFFF).to_bytes(4, "little")
    return data[:_HEADER] == MAGIC_NUMBER + bytes(4) + stamp + size


def _is_current(entry: _Entry) -> bool:
    try:
        found = os.stat(entry[0])
    except OSError:
        return False
    return (found.st_mtime_ns, found.st_size) == entry[2:4]


def _place() -> str:
    name = f"bundle.{sys.implementation.cache_tag}.bin"
    return os.path.join(sys.pycache_prefix or os.path.join(_HERE, "__pycache__"), name)


def _whose() -> tuple[int, int, str]:
    """Bytecode is for one interpreter, and knows where its source lies."""
    return (sys.hexversion, sys.flags.optimize, _HERE)
