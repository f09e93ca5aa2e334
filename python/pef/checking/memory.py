"""What a run need not do again: keys from digests and options, lines as they are now.

Ties `digest`, `places` and `cache` together for one run. Findings are remembered as they were
found, before comments and options choose what is reported.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pef.checking.cache import Cache, Call, Stored
from pef.checking.discovery import Unit
from pef.checking.subjects import Subject

if TYPE_CHECKING:
    from pef.checking.digest import Project
    from pef.checking.places import Places

_COARSE_NS = 20_000_000
"""How far behind the clock the times of files may be."""

_VARIABLES = "variables"


class Memory:
    """The cache of a folder, seen from the project as it is now.

    Where nothing was ever kept, the project is not looked at before there is something to keep.
    """

    def __init__(
        self,
        folder: str,
        units: Iterable[Unit],
        search: Sequence[str],
        warn: Callable[[str], None],
    ) -> None:
        self._cache = Cache(folder, warn)
        self._folder = folder
        self._units = units
        self._search = search
        self._began_ns = time.time_ns()
        self._paths: dict[str, str] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known from earlier runs."""
        return self._cache.is_new

    def key(self, unit: Unit, function: Subject, settings: object) -> str:
        """Return what a result is stored under; `settings` is all that was asked, as its `repr`."""
        from pef.checking.hashing import hex_digest

        facts = (self._project.digest(unit.path, function.qualname), settings, self._environment)
        key = hex_digest(repr(facts))
        self._paths[key] = unit.path
        return key

    def known(self, keys: Iterable[str]) -> dict[str, Stored]:
        """Return the results of earlier runs, with the lines of today."""
        from pef.checking.places import LostPlaceError

        found = {}
        for key, stored in self._cache.lookup(keys).items():
            variables = stored.function.pop(_VARIABLES, {})
            if variables and _values(variables) != variables:
                continue
            try:
                found[key] = Stored(*self._places.attached(list(stored)))
            except LostPlaceError:
                continue
        return found

    def keep(
        self,
        key: str,
        name: str,
        findings: list[dict[str, Any]],
        function: dict[str, Any],
        calls: Iterable[tuple[list[str], dict[str, str], dict[str, str]]] = (),
        variables: Iterable[str] = (),
    ) -> None:
        """Remember the result of a function, and the calls that made it fail.

        It holds as long as those variables of the environment are what they are now.
        If a file was saved in the meantime, the result may be that of another text than the key.
        """
        if not self._project.is_as_read(self._paths[key], self._began_ns - _COARSE_NS):
            return
        detached = self._places.detached([findings, function])
        if variables:
            detached[1][_VARIABLES] = _values(variables)
        self._cache.store(key, name, Stored(*detached), [Call(*each) for each in calls])

    def together(self) -> AbstractContextManager[None]:
        """What is kept meanwhile is written at the end: a file that is opened often takes time."""
        return self._cache.together()

    def tried_first(self, name: str) -> list[Call]:
        """Return calls that made earlier versions of a function fail."""
        return self._cache.old_counterexamples(name)

    def tidy(self) -> None:
        """Note what was used, and drop what was not for long; for the end of a run."""
        self._cache.tidy()

    @cached_property
    def _project(self) -> Project:
        from pef.checking.digest import Project

        return Project(self._units, self._search)

    @cached_property
    def _places(self) -> Places:
        from pef.checking.places import Places

        return Places(self._project.outlines.values(), self._folder)

    @cached_property
    def _environment(self) -> str:
        from pef.checking.digest import environment

        return environment()


def _values(names: Iterable[str]) -> dict[str, str]:
    """What target code sees of some variables, as digests: a cache is no place for their text."""
    from pef.checking.hashing import hex_digest
    from pef.isolation.limits import scrubbed

    seen = scrubbed(os.environ)
    return {name: hex_digest(repr(seen.get(name))) for name in names}
