"""What there is to analyse, found by parsing and without importing anything.

Words of the user become units (a module each) with their subjects (functions and methods). A word
that names nothing is the user's mistake and ends the run; a file that cannot be parsed is a problem
of that file, and the others go on.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence

from pef.checking.folders import Exclusions, is_test_file, python_files
from pef.checking.subjects import Subject, subjects
from pef.records import field, record
from pef.sources import decoded
from pef.targets import (
    Target,
    TargetError,
    check_name,
    module_name,
    shown_path,
    source_file,
)

Stamp = tuple[int, int, int] | None
"""Time, size and identity of a file; None if there is none."""


@record(frozen=True)
class Problem:
    """A file that cannot be analysed; line and column count from one."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


@record(frozen=True)
class Unit:
    """One module and what is to be analysed in it."""

    path: str
    shown: str
    """The file as the user would name it."""
    module_name: str
    root: str
    """The folder to have on `sys.path` so that `module_name` can be imported."""
    functions: tuple[Subject, ...]
    source: str = field(repr=False)
    tree: ast.Module = field(repr=False, compare=False)
    """The whole module, for those who look at more than its functions."""
    is_whole: bool = True
    """Whether these are all the functions that are analysed if the file is named."""
    stamp: Stamp = field(default=None, repr=False, compare=False)
    """Of the file, before it was read."""


@record(frozen=True)
class Discovery:
    """Everything that was found."""

    modules: list[Unit]
    problems: list[Problem]
    looked_at: int
    """How many files were found, those that are excluded or have no functions among them."""

    @property
    def nothing(self) -> str | None:
        """Say that no files were found, which is not what the user meant; None if some were."""
        if self.looked_at:
            return None
        return (
            "no Python files found; tests, hidden, ignored and vendored files "
            "are analysed only if named"
        )


def discover(
    words: Sequence[str],
    *,
    exclude: Sequence[str] = (),
    include_tests: bool = False,
    search: Sequence[str] | None = None,
) -> Discovery:
    """Find what the words mean: files, folders, packages, functions, methods, classes, lines.

    `exclude` are patterns as in `.gitignore`; what matches is left out even if it is named.
    `search` lists the folders in which dotted names are looked up. Raises `TargetError` for a word
    that names nothing.
    """
    finding = _Finding(Exclusions(exclude), include_tests, search)
    for word in words:
        finding.add(word)
    return finding.result()


class _Finding:
    """Collects per file what is wanted of it, so that overlapping words give each function once."""

    def __init__(
        self, exclusions: Exclusions, include_tests: bool, search: Sequence[str] | None
    ) -> None:
        self._exclusions = exclusions
        self._include_tests = include_tests
        self._search = search
        self._modules: dict[str, _Module | None] = {}
        self._problems: list[Problem] = []

    def result(self) -> Discovery:
        modules = [module for module in self._modules.values() if module is not None]
        units = [module.unit() for module in modules]
        return Discovery(
            [unit for unit in units if unit.functions], self._problems, len(self._modules)
        )

    def add(self, word: str) -> None:
        if os.path.isdir(word):
            self._add_folder(word)
        elif os.path.isfile(word):
            self._add_file(os.path.realpath(word), named=True)
        elif ":" in word:
            head, _, tail = word.rpartition(":")
            self._add_part(head, tail, word)
        else:
            path = source_file(word, self._search)
            folder, name = os.path.split(path)
            if name == "__init__.py":
                self._add_folder(folder)
            else:
                self._add_file(path, named=True)

    def _add_folder(self, folder: str) -> None:
        for file in python_files(folder, self._exclusions, self._include_tests):
            self._add_file(os.path.realpath(file), named=False)

    def _add_file(self, path: str, named: bool) -> None:
        module = self._module(path)
        if module is not None:
            wants_tests = named or self._include_tests or not is_test_file(path)
            module.want_all(wants_tests)

    def _add_part(self, head: str, tail: str, word: str) -> None:
        if not head or not tail:
            raise TargetError(f"'{word}' names nothing; write FILE, FILE:FUNC or FILE:LINE")
        module = self._module(source_file(head, self._search))
        if module is None:
            return
        if tail.isdecimal():
            module.want_line(int(tail))
        else:
            module.want_name(tail)

    def _module(self, path: str) -> _Module | None:
        if path not in self._modules:
            excluded = self._exclusions.have_any(path)
            self._modules[path] = None if excluded else self._read(path)
        return self._modules[path]

    def _read(self, path: str) -> _Module | None:
        shown, read_from = shown_path(path), stamp(path)
        try:
            source, tree = parsed(path)
        except OSError as problem:
            self._problems.append(Problem(shown, 1, 1, f"cannot read: {problem.strerror}"))
        except SyntaxError as problem:
            line, column = problem.lineno or 1, problem.offset or 1
            self._problems.append(Problem(shown, line, column, f"syntax error: {problem.msg}"))
        except (ValueError, RecursionError, MemoryError) as problem:
            self._problems.append(Problem(shown, 1, 1, f"cannot parse this file: {problem}"))
        else:
            return _Module(path, shown, source, tree, read_from)
        return None


class _Module:
    """A parsed file and the names that are wanted of it."""

    def __init__(
        self, path: str, shown: str, source: str, tree: ast.Module, read_from: Stamp
    ) -> None:
        self._stamp = read_from
        self._path = path
        self._shown = shown
        self._source = source
        self._tree = tree
        self._all = {each.qualname: each for each in subjects(tree, source)}
        self._wanted: set[str] = set()

    def unit(self) -> Unit:
        name = module_name(self._path)
        wanted = [each for each in self._all.values() if each.qualname in self._wanted]
        wanted.sort(key=lambda each: each.line)
        root = Target(self._path, name, "").root
        return Unit(
            self._path,
            self._shown,
            name,
            root,
            tuple(wanted),
            self._source,
            self._tree,
            is_whole=all(
                each.passed_over or each.qualname in self._wanted for each in self._all.values()
            ),
            stamp=self._stamp,
        )

    def want_all(self, tests: bool) -> None:
        for each in self._all.values():
            if not each.passed_over and (tests or not _is_test(each.qualname)):
                self._wanted.add(each.qualname)

    def want_line(self, line: int) -> None:
        around = [each for each in self._all.values() if each.first_line <= line <= each.end_line]
        if not around:
            raise TargetError(f"no function around line {line} of {self._shown}{self._near(line)}")
        innermost = max(around, key=lambda each: each.first_line)
        self._wanted.add(innermost.qualname)

    def want_name(self, name: str) -> None:
        inside = [q for q, each in self._all.items() if q.startswith(f"{name}.")]
        if name in self._all:
            self._wanted.add(name)
        elif inside:
            self._wanted.update(q for q in inside if not self._all[q].passed_over)
        elif self._has_class(name):
            raise TargetError(f"class '{name}' in {self._shown} defines no methods")
        else:
            check_name(self._tree, name, self._shown)
            self._all[name] = self._made_at_run_time(name)
            self._wanted.add(name)

    def _near(self, line: int) -> str:
        if not self._all:
            return "; the file defines none"
        nearest = min(self._all.values(), key=lambda each: abs(each.line - line))
        return f"; the nearest is {nearest.qualname} in line {nearest.line}"

    def _has_class(self, name: str) -> bool:
        return self._line_of_class(name.split(".")) is not None

    def _made_at_run_time(self, name: str) -> Subject:
        """Return a subject for a name without a `def`: inherited, assigned or imported."""
        *owners, _ = name.split(".")
        line = self._line_of_class(owners) or 1
        return Subject(
            name,
            line,
            end_line=line,
            first_line=line,
            is_async=False,
            is_generator=False,
            kind="method" if owners else "function",
            decorators=(),
        )

    def _line_of_class(self, parts: list[str]) -> int | None:
        line, body = None, self._tree.body
        for part in parts:
            node = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == part), None)
            if node is None:
                return None
            line, body = node.lineno, node.body
        return line


def parsed(path: str) -> tuple[str, ast.Module]:
    """Return the text of a file and its syntax tree."""
    import warnings

    with open(path, "rb") as file:
        content = file.read()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Parsing the bytes gives errors of encoding their line.
        tree = ast.parse(content, path)
        return decoded(content), tree


def stamp(path: str) -> Stamp:
    """Return what changes when a file does."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def changed_ns(path: str) -> int:
    """Return when a file was last changed or put there, which whoever did it cannot choose."""
    try:
        return os.stat(path).st_ctime_ns
    except OSError:
        return 0


def _is_test(qualname: str) -> bool:
    return any(part.startswith(("test", "Test")) for part in qualname.split("."))
