"""Where options come from: command line, `PEF_*`, `[tool.pef]` of pyproject.toml, defaults.

In that order, the first that says something wins; `[[tool.pef.overrides]]` stands between the
environment and the rest of the file, for the files it names. A value that makes no sense is an
error wherever it stands, and so is a key of `[tool.pef]` that is none of ours. A value that makes
sense only to another command is not this command's business.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pef.cli.config import Entry, nearest_pyproject, read_table
from pef.cli.exits import UsageError
from pef.cli.options import CheckOptions, ExploreOptions, Override
from pef.cli.table import SETTINGS, Command, Setting, settings_of
from pef.cli.values import WrongValueError, patterns, switch
from pef.records import NamedTuple

if TYPE_CHECKING:
    from pef.checking.folders import Exclusions
    from pef.cli.arguments import Parser

__all__ = [
    "CheckOptions",
    "ExploreOptions",
    "add_to",
    "folder_around",
    "for_file",
    "gather",
    "gather_check",
]

_CACHE_FOLDER = ".pef_cache"


def add_to(parser: Parser, command: Command = "explore") -> None:
    """Give a command its settings as options, in groups, and `--config`."""
    for setting in settings_of(command):
        words, details = setting.as_option()
        parser.group(setting.group).add_argument(*words, **details)
    parser.add_argument(
        "--config", metavar="FILE", help="read [tool.pef] from FILE, not the nearest pyproject.toml"
    )


def gather(
    given: Mapping[str, object], near: str, environment: Mapping[str, str]
) -> ExploreOptions:
    """Return the options of `pef explore`: given, of the environment, of the nearest file."""
    config = _Config.of("explore", given.get("config"), near)
    return ExploreOptions(**{**config.values, **_nearer("explore", given, environment)})


def gather_check(
    given: Mapping[str, object], near: str, environment: Mapping[str, str]
) -> CheckOptions:
    """Return the options of `pef check`, with those of `[[tool.pef.overrides]]` beside them."""
    config = _Config.of("check", given.get("config"), near)
    decided = _nearer("check", given, environment)
    merged = {**config.values, **decided}
    merged.setdefault("cache_dir", os.path.join(config.folder, _CACHE_FOLDER))
    overrides = tuple(
        each._replace(values={k: v for k, v in each.values.items() if k not in decided})
        for each in config.overrides
    )
    return CheckOptions(**merged, config=config.path, overrides=overrides)


def for_file(options: CheckOptions, path: str | os.PathLike[str]) -> CheckOptions | None:
    """Return the options for one file; None if the configuration leaves it out.

    Of several overrides that name the file, the last one to say something wins.
    """
    file = os.path.abspath(path)
    for override in options.overrides:
        if _exclusions(override.patterns).have_any(file):
            if override.skip:
                return None
            options = options._replace(**override.values)
    return options


@cache
def _exclusions(patterns: tuple[str, ...]) -> Exclusions:
    from pef.checking.folders import Exclusions

    return Exclusions(patterns)


def folder_around(words: Sequence[str]) -> str:
    """Return the folder whose configuration speaks for the targets a user named."""
    folders = []
    for word in words:
        path = word if os.path.exists(word) else word.rpartition(":")[0]
        if os.path.exists(path):
            folders.append(path if os.path.isdir(path) else os.path.dirname(path))
    if not folders:
        return os.getcwd()
    return os.path.commonpath([os.path.abspath(folder) for folder in folders])


def _nearer(
    command: Command, given: Mapping[str, object], environment: Mapping[str, str]
) -> dict[str, Any]:
    """Return what the environment and the command line say."""
    merged: dict[str, Any] = {}
    for setting in settings_of(command):
        if setting.variable in environment:
            word = environment[setting.variable]
            merged.update(_shared(command, setting.name, word, setting.variable, ""))
        chosen = given.get(setting.attribute)
        if chosen is not None:
            value = _parsed(setting, chosen, f"--{setting.name}")
            merged[setting.attribute] = _placed(setting, value, "")
    return merged


class _Config(NamedTuple):
    """What a configuration file says to one command."""

    path: str | None
    folder: str
    values: dict[str, Any]
    overrides: list[Override]

    @classmethod
    def of(cls, command: Command, named: object, near: str) -> _Config:
        if named is not None and not os.path.isfile(str(named)):
            raise UsageError(f"no such file: {named}")
        path = str(named) if named else nearest_pyproject(near)
        if path is None:
            return cls(None, os.getcwd(), {}, [])
        path = os.path.abspath(path)
        folder = os.path.dirname(path)
        table = read_table(path)
        merged: dict[str, Any] = {}
        for entry in table.entries:
            merged.update(_entry(command, entry, folder, "[tool.pef]", SETTINGS))
        overrides = [_override(entries, folder) for entries in table.overrides]
        return cls(path, folder, merged, overrides)


def _override(entries: list[Entry], folder: str) -> Override:
    """Read one table of overrides; what it may set are the settings of a function."""
    allowed = [setting for setting in SETTINGS if setting.of_function]
    named: tuple[str, ...] = ()
    skip = False
    merged: dict[str, Any] = {}
    for entry in entries:
        if entry.key == "paths":
            named = _patterns(entry, folder)
        elif entry.key == "skip":
            skip = _read(switch, entry.value, f"{entry.place}: skip")
        else:
            merged.update(_entry("check", entry, folder, "[[tool.pef.overrides]]", allowed))
    if not named:
        place = f"{entries[0].place}: " if entries else ""
        raise UsageError(f"{place}[[tool.pef.overrides]] needs 'paths', a list of patterns")
    return Override(named, merged, skip)


def _patterns(entry: Entry, folder: str) -> tuple[str, ...]:
    from pef.checking.folders import absolute_pattern

    read: tuple[str, ...] = _read(patterns, entry.value, f"{entry.place}: paths")
    return tuple(absolute_pattern(pattern, folder) for pattern in read)


def _entry(
    command: Command, entry: Entry, folder: str, table: str, allowed: Iterable[Setting]
) -> dict[str, Any]:
    known = {setting.name for setting in allowed}
    if entry.key not in known:
        extra = {"paths", "skip"} if table.startswith("[[") else {"overrides"}
        from pef.cli.arguments import did_you_mean

        hint = did_you_mean(entry.key, known | extra)
        raise UsageError(f"{entry.place}: {table} has no option '{entry.key}'{hint}")
    return _shared(command, entry.key, entry.value, f"{entry.place}: {entry.key}", folder)


def _shared(command: Command, name: str, value: object, where: str, folder: str) -> dict[str, Any]:
    """Read a value that speaks to all commands; nothing if it makes sense only to others."""
    rows = [setting for setting in SETTINGS if setting.name == name]
    own_first = sorted(rows, key=lambda setting: command not in setting.commands)
    mistakes = []
    for setting in own_first:
        try:
            read = _parsed(setting, value, where)
        except UsageError as mistake:
            mistakes.append(mistake)
        else:
            ours = command in setting.commands
            return {setting.attribute: _placed(setting, read, folder)} if ours else {}
    raise mistakes[0]


def _parsed(setting: Setting, value: object, where: str) -> Any:
    return _read(setting.parse, value, where)


def _read(parse: Any, value: object, where: str) -> Any:
    try:
        return parse(value)
    except WrongValueError as expected:
        raise UsageError(f"{where} must be {expected}, not {value!r}") from None


def _placed(setting: Setting, value: Any, folder: str) -> Any:
    """Take what is about files as seen from a folder; without one, from the current folder."""
    if setting.paths == "file":
        if isinstance(value, tuple):
            return tuple(os.path.join(folder, path) for path in value)
        return os.path.join(folder, value)
    if setting.paths == "pattern":
        from pef.checking.folders import absolute_pattern

        return tuple(absolute_pattern(pattern, folder or os.getcwd()) for pattern in value)
    return value
