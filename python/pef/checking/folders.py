"""The Python files of a folder that are the project's own code.

What git ignores, what is hidden, installed, built, vendored or a test is not: whoever wants it
analysed names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from pef.checking.ignored import Pattern, Rules, patterns_of, rules_for

_FOREIGN_FOLDERS = frozenset(
    {"__pycache__", "site-packages", "node_modules", "vendor", "_vendor", "third_party"}
)
_OUTPUT_FOLDERS = frozenset({"build", "dist"})
"""Unless they are packages."""
_TEST_FOLDERS = frozenset({"tests", "test"})
_DOCUMENTATION_FOLDERS = frozenset({"docs", "doc"})


class Exclusions:
    """The user's own patterns: what matches is never analysed, not even when it is named.

    Patterns are those of `.gitignore`, relative to the current folder unless they are absolute.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        absolute = [absolute_pattern(pattern, os.getcwd()) for pattern in patterns]
        self._patterns: tuple[Pattern, ...] = patterns_of(absolute)

    def have(self, path: str, is_folder: bool) -> bool:
        """Whether an absolute path matches, by itself."""
        return bool(self._patterns) and Rules("/", self._patterns).ignores(path, is_folder)

    def have_any(self, path: str) -> bool:
        """Whether a file matches, or a folder it is in."""
        if not self._patterns:
            return False
        folder = os.path.dirname(path)
        while not self.have(folder, is_folder=True):
            parent = os.path.dirname(folder)
            if parent == folder:
                return self.have(path, is_folder=False)
            folder = parent
        return True


def absolute_pattern(pattern: str, folder: str) -> str:
    """Return a pattern that means from the root what the given one means in a folder.

    >>> absolute_pattern("generated", "/home/me")
    '/home/me/**/generated'
    >>> absolute_pattern("src/*.py", "/home/me")
    '/home/me/src/*.py'
    """
    negation = "!" if pattern.startswith("!") else ""
    pattern = pattern[len(negation) :]
    if os.path.isabs(pattern):
        return negation + pattern
    pattern = pattern.removeprefix("./")
    start = "".join(f"\\{char}" if char in "*?[\\" else char for char in folder.rstrip("/"))
    middle = "/" if "/" in pattern.rstrip("/") else "/**/"
    return f"{negation}{start}{middle}{pattern}"


def python_files(folder: str, exclusions: Exclusions, include_tests: bool) -> Iterator[str]:
    """Yield the files under a folder, in the order of their names.

    Links to folders are not followed: their files are found where they are, and loops end.
    """
    folder = os.path.realpath(folder)
    wants_tests = include_tests or os.path.basename(folder) in _TEST_FOLDERS
    yield from _under(folder, rules_for(folder), exclusions, wants_tests)


def _under(folder: str, rules: Rules, exclusions: Exclusions, tests: bool) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        if is_folder:
            if _is_foreign_folder(entry.path, entry.name):
                continue
            if entry.name in _TEST_FOLDERS and not tests:
                continue
        elif not _is_source(entry) or (is_test_file(entry.path) and not tests):
            continue
        if rules.ignores(entry.path, is_folder) or exclusions.have(entry.path, is_folder):
            continue
        if is_folder:
            yield from _under(entry.path, rules.within(entry.path), exclusions, tests)
        else:
            yield entry.path


def is_test_file(path: str) -> bool:
    """Whether a file is a test by its own name."""
    name = os.path.basename(path)
    return name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py")


def _is_foreign_folder(path: str, name: str) -> bool:
    if name.startswith(".") or name in _FOREIGN_FOLDERS or name.endswith(".egg-info"):
        return True
    if name in _OUTPUT_FOLDERS and not os.path.isfile(os.path.join(path, "__init__.py")):
        return True
    return os.path.isfile(os.path.join(path, "pyvenv.cfg"))


def _is_source(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    if not name.endswith(".py") or name.startswith(".") or name == "setup.py":
        return False
    if name == "conf.py" and _DOCUMENTATION_FOLDERS & set(entry.path.split(os.sep)[-3:-1]):
        return False
    return entry.is_file()
