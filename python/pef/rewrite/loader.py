"""The import hook: the modules under analysis are rewritten as they are imported.

Only source files below the given roots are touched. The standard library, installed packages and
virtual environments that happen to lie below a root are not part of the project and import as
usual; to rewrite one of them, name it (or a directory inside it) as a root.

Apart from its code a rewritten module is an ordinary one: `__file__`, `__spec__`, `__cached__`,
`inspect.getsource`, pickling and reloading work. Bytecode caches are neither read (they hold plain
code) nor written (they must stay plain).
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType, TracebackType

from pef.rewrite.compiling import OnCode, compile_file
from pef.rewrite.modules import load_file
from pef.rewrite.probes import Probes

_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Rewriter:
    """Rewrites the modules below some roots for as long as it is installed.

    >>> with Rewriter(["src"], on_code=engine.watch) as rewriter:  # doctest: +SKIP
    ...     module = rewriter.load_file("src/shop/cart.py")
    """

    def __init__(
        self,
        roots: Iterable[str | os.PathLike[str]],
        on_code: OnCode,
        probes: Probes | None = None,
        *,
        merging: bool = False,
    ) -> None:
        self._roots = [os.path.realpath(root) for root in roots]
        self._on_code = on_code
        self._probes = probes
        self._merging = merging
        self.left_plain: dict[str, str] = {}
        """Files that could not be rewritten, with the reason. They run as plain Python."""

    def install(self) -> None:
        """Puts the hook in front of all other importers."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def uninstall(self) -> None:
        """Removes the hook. Modules already rewritten stay."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def __enter__(self) -> Rewriter:
        self.install()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.uninstall()

    def load_file(self, path: str | os.PathLike[str]) -> ModuleType:
        """Imports `path`, rewritten, under its proper name; it need not lie below a root.

        A module that was loaded before is returned as it is: see `is_rewritten`.
        """
        if not self.covers(path):
            self._roots.append(os.path.realpath(path))
        self.install()
        return load_file(path, functools.partial(RewritingLoader, rewriter=self))

    def covers(self, path: str | os.PathLike[str]) -> bool:
        """Whether the source file `path` is to be rewritten."""
        file = os.path.realpath(path)
        return any(_belongs_to(file, root) for root in self._roots)

    def compile(self, source: bytes, filename: str) -> CodeType:
        """The rewritten code of a file; announces it and its parts."""
        compiled = compile_file(source, filename, self._probes, merging=self._merging)
        if compiled.plain_because is not None:
            self.left_plain[filename] = compiled.plain_because
        compiled.announce(self._on_code)
        return compiled.code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds what the other importers would find, with our loader if the file is covered."""
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                return self._with_rewriting(spec)
        return None

    def _with_rewriting(self, spec: ModuleSpec) -> ModuleSpec:
        # A subclass of the loader changes the code in its own way, which we must not undo.
        if type(spec.loader) is SourceFileLoader and spec.origin and self.covers(spec.origin):
            spec.loader = RewritingLoader(spec.name, spec.origin, rewriter=self)
        return spec


class RewritingLoader(SourceFileLoader):
    """Loads a source file as rewritten code."""

    def __init__(self, fullname: str, path: str, rewriter: Rewriter) -> None:
        super().__init__(fullname, path)
        self._rewriter = rewriter

    def get_code(self, fullname: str) -> CodeType:
        """The rewritten code; bypasses the bytecode cache in both directions."""
        path = self.get_filename(fullname)
        return self._rewriter.compile(self.get_data(path), path)


def is_rewritten(module: ModuleType) -> bool:
    """Whether `module` was loaded by a `Rewriter`."""
    return isinstance(getattr(module, "__loader__", None), RewritingLoader)


def is_standard(path: str | os.PathLike[str]) -> bool:
    """Whether a file is part of the standard library."""
    within = _folders_around(os.path.realpath(path))
    names = map(os.path.basename, within)
    return not _INSTALLED.intersection(names) and not _standard_library().isdisjoint(within)


def _belongs_to(file: str, root: str) -> bool:
    """Whether `file` is `root` or lies below it, with no foreign territory in between."""
    if file == root:
        return True
    around = _folders_around(file)
    if root not in around:
        return False
    return not any(map(_is_foreign, around[: around.index(root)]))


def _folders_around(path: str) -> list[str]:
    """The folders that a file is in, innermost first."""
    found = [os.path.dirname(path)]
    while (above := os.path.dirname(found[-1])) != found[-1]:
        found.append(above)
    return found


@functools.lru_cache(maxsize=4096)
def _is_foreign(directory: str) -> bool:
    return (
        os.path.basename(directory) in _INSTALLED
        or directory in _standard_library()
        or os.path.isfile(os.path.join(directory, "pyvenv.cfg"))
    )


@functools.lru_cache(maxsize=1)
def _standard_library() -> frozenset[str]:
    # What `sysconfig` says, without its cost.
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    binary = os.path.join(sys.base_exec_prefix, sys.platlibdir, version)
    return frozenset(map(os.path.realpath, (os.path.dirname(os.__file__), binary)))
