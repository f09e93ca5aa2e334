"""Which files matter to a check, and which of them have changed.

Looks at times and sizes a few times a second: that works on every system and file system, and for a
few hundred files costs less than a millisecond. Folders are looked at as well, since a new file
changes nothing but its folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from pef.checking.digest import Project
from pef.checking.discovery import Stamp, discover, stamp
from pef.checking.folders import Exclusions, python_files
from pef.cli.options import CheckOptions
from pef.targets import TargetError, source_file


class Watch:
    """The files that some targets are made of: their own, those they import, the settings."""

    def __init__(
        self, targets: Sequence[str], search: Sequence[str], options: CheckOptions
    ) -> None:
        self._targets = targets
        self._search = search
        self._options = options
        self._imported: set[str] = set()
        self._own = self._listed()
        self._stamps = self._taken()

    @property
    def files(self) -> set[str]:
        """The Python files that are watched."""
        return self._own | self._imported

    def include_imports(self) -> None:
        """Watch what the targets import, too; looks at all of it, so call it when there is time.

        Raises `TargetError` for a target that names nothing.
        """
        found = discover(
            self._targets,
            exclude=self._options.exclude,
            include_tests=self._options.include_tests,
            search=self._search,
        )
        project = Project(found.modules, self._search)
        self._imported = {str(path) for path in project.outlines} - self._own
        for path in self._imported:
            self._stamps.setdefault(path, stamp(path))

    def changes(self) -> list[str]:
        """Return the files that changed, came or went since the last call."""
        before = self._stamps
        if any(stamp(folder) != before.get(folder) for folder in self._folders()):
            self._own = self._listed()
        self._stamps = self._taken()
        paths = {*before, *self._stamps} - self._folders()
        changed = [path for path in paths if before.get(path) != self._stamps.get(path)]
        return sorted(path for path in changed if not os.path.isdir(path))

    def _taken(self) -> dict[str, Stamp]:
        folders = self._folders()
        ignoring = (os.path.join(folder, ".gitignore") for folder in folders)
        config = [self._options.config] if self._options.config else []
        return {path: stamp(path) for path in {*self.files, *folders, *ignoring, *config}}

    def _folders(self) -> set[str]:
        named = {os.path.realpath(each) for each in self._targets if os.path.isdir(each)}
        return named | {os.path.dirname(path) for path in self._own}

    def _listed(self) -> set[str]:
        exclusions = Exclusions(self._options.exclude)
        found: set[str] = set()
        for word in self._targets:
            if os.path.isdir(word):
                found.update(python_files(word, exclusions, self._options.include_tests))
            else:
                found.update(self._file_of(word))
        return found

    def _file_of(self, word: str) -> Iterable[str]:
        head = word if os.path.exists(word) else word.rpartition(":")[0] or word
        try:
            return [str(source_file(head, self._search))]
        except TargetError:
            return [os.path.realpath(head)] if head.endswith(".py") else []
