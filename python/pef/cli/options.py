"""What can be asked of each command, as plain values with their defaults."""

from __future__ import annotations

from typing import Any, Literal

from pef.records import NamedTuple

Strategy = Literal["depth-first", "breadth-first", "uncovered", "random", "interleaved"]
Color = Literal["auto", "always", "never"]
ExploreFormat = Literal["full", "json"]
CheckFormat = Literal["full", "concise", "json", "json-lines", "github", "gitlab", "junit", "sarif"]


class ExploreOptions(NamedTuple):
    """Everything that can be asked of an exploration."""

    depth: int = 10
    """Free decisions per path."""
    timeout: float | None = 60.0
    """Seconds for the whole function; None for no limit."""
    max_paths: int | None = None
    """Paths after which to stop; None for no limit."""
    strategy: Strategy = "depth-first"
    seed: int = 0
    """Makes the random strategies repeatable."""
    conditions: bool = False
    output_format: ExploreFormat = "full"
    color: Color = "auto"
    quiet: bool = False
    verbose: bool = False
    python_path: tuple[str, ...] = ()
    """Folders to import from, before all others."""
    query_log: str | None = None
    """File to write every solver query to, as SMT-LIB."""


class Override(NamedTuple):
    """One `[[tool.pef.overrides]]`: other values for some files."""

    patterns: tuple[str, ...]
    """As in `.gitignore`, absolute."""
    values: dict[str, Any]
    """By the names of `CheckOptions`; nothing that the command line or the environment decided."""
    skip: bool
    """Whether the files are left out."""


class CheckOptions(NamedTuple):
    """Everything that can be asked of `pef check`."""

    exclude: tuple[str, ...] = ()
    """Patterns as in `.gitignore`, absolute: files that are left out."""
    include_tests: bool = False
    python_path: tuple[str, ...] = ()
    """Folders to import from, before all others."""
    timeout: float = 10.0
    """Seconds for each function."""
    patience: float | None = None
    """Seconds without anything new after which a function is left; None for half the timeout."""
    depth: int | None = None
    """Free decisions per path; None for no limit."""
    max_paths: int | None = None
    """Paths of a function after which to stop; None for no limit."""
    strategy: Strategy = "interleaved"
    seed: int = 0
    """Makes the random strategies repeatable."""
    jobs: int | None = None
    """Functions analysed at the same time; None for one per core."""
    guess_types: bool = False
    """Whether parameters without a type are given candidates."""
    allow: tuple[str, ...] = ()
    """Side effects that the code may have, as `pef.isolation.policy` reads them."""
    fail_fast: bool = False
    """Whether the first error ends the run."""
    all_exceptions: bool = False
    """Whether exceptions that the project raises itself are errors."""
    select: tuple[str, ...] = ()
    """Codes or names of what is reported, or beginnings of them; empty for all."""
    ignore: tuple[str, ...] = ()
    """Codes or names of what is not reported, or beginnings of them."""
    allow_incomplete: bool = False
    """Whether functions that could not be analysed leave the exit code 0."""
    output_format: CheckFormat = "full"
    output_file: str | None = None
    color: Color = "auto"
    quiet: bool = False
    verbose: bool = False
    no_cache: bool = False
    cache_dir: str = ".pef_cache"
    """Beside the configuration file, if there is one."""
    config: str | None = None
    """The file that `[tool.pef]` was read from."""
    overrides: tuple[Override, ...] = ()

    def reports(self, code: str, name: str) -> bool:
        """Whether findings of a code are wanted.

        >>> CheckOptions(ignore=("PEF00", "timeout")).reports("PEF001", "index-out-of-range")
        False
        """
        chosen = not self.select or _any_begins(self.select, code, name)
        return chosen and not _any_begins(self.ignore, code, name)


def _any_begins(beginnings: tuple[str, ...], code: str, name: str) -> bool:
    return any(code.startswith(each.upper()) or name.startswith(each) for each in beginnings)
