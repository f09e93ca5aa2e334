"""Where options come from: command line, `PEF_*`, `[tool.pef]` of pyproject.toml, defaults.

In that order, the first that says something wins. One table describes every setting, so that a
name means the same in all places: `--max-paths 5`, `PEF_MAX_PATHS=5`, `max-paths = 5`. A value that
makes no sense is an error wherever it stands, and so is a key of `[tool.pef]` that is none of ours.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_args

from pef.cli.arguments import Parser, did_you_mean
from pef.cli.exits import UsageError

Strategy = Literal["depth-first", "breadth-first", "uncovered", "random", "interleaved"]
OutputFormat = Literal["full", "json"]
Color = Literal["auto", "always", "never"]


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
    output_format: OutputFormat = "full"
    color: Color = "auto"
    quiet: bool = False
    verbose: bool = False
    python_path: tuple[str, ...] = ()
    """Folders to import from, before all others."""
    query_log: str | None = None
    """File to write every solver query to, as SMT-LIB."""


class _WrongValueError(Exception):
    """A value that makes no sense; the text says what would."""


def _natural(value: object) -> int:
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise _WrongValueError("a whole number from 0")


def _seconds(value: object) -> float:
    try:
        number = float(value) if isinstance(value, (str, int, float)) else -1.0
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 < number < float("inf"):
        raise _WrongValueError("a number of seconds above 0")
    return number


def _one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    def parse(value: object) -> str:
        if value not in choices:
            raise _WrongValueError(f"one of {', '.join(choices)}")
        return str(value)

    return parse


def _switch(value: object) -> bool:
    words = {
        "1": True,
        "true": True,
        "yes": True,
        "0": False,
        "false": False,
        "no": False,
        "": False,
    }
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    raise _WrongValueError("true or false")


def _text(value: object) -> str:
    if isinstance(value, str) and value:
        return value
    raise _WrongValueError("some text")


def _folders(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(folder for folder in value.split(os.pathsep) if folder)
    if isinstance(value, list) and all(isinstance(folder, str) for folder in value):
        return tuple(value)
    raise _WrongValueError("a list of folders")


class Setting(NamedTuple):
    """One option, wherever it is written."""

    name: str
    parse: Callable[[object], object]
    help: str
    metavar: str = ""
    short: tuple[str, ...] = ()
    flags: Mapping[str, Any] = {}
    is_path: bool = False

    @property
    def attribute(self) -> str:
        """Its name in `ExploreOptions`."""
        return self.name.replace("-", "_")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return f"PEF_{self.attribute.upper()}"


_ON: Mapping[str, Any] = {"action": "store_const", "const": True}

SETTINGS = (
    Setting("depth", _natural, "free decisions per path (default 10)", "N", ("-d",)),
    Setting("timeout", _seconds, "stop after S seconds (default 60)", "S"),
    Setting("max-paths", _natural, "stop after N paths", "N"),
    Setting(
        "strategy",
        _one_of(get_args(Strategy)),
        "depth-first (default), breadth-first, uncovered, random or interleaved",
        "NAME",
    ),
    Setting("seed", _natural, "seed of the random strategies (default 0)", "N"),
    Setting("conditions", _switch, "show the path condition of each path", flags=_ON),
    Setting("output-format", _one_of(get_args(OutputFormat)), "full (default) or json", "FORMAT"),
    Setting("color", _one_of(get_args(Color)), "auto (default), always or never", "WHEN"),
    Setting("quiet", _switch, "show only the summary", short=("-q",), flags=_ON),
    Setting("verbose", _switch, "show coverage and time as well", short=("-v",), flags=_ON),
    Setting(
        "python-path",
        _folders,
        "import from DIR first; may be repeated",
        "DIR",
        flags={"action": "append"},
        is_path=True,
    ),
    Setting("query-log", _text, "write every solver query to FILE", "FILE", is_path=True),
)


def add_to(parser: Parser) -> None:
    """Give a command all settings as options, and `--config`."""
    for setting in SETTINGS:
        flags = dict(setting.flags)
        if setting.metavar:
            flags["metavar"] = setting.metavar
        parser.add_argument(*setting.short, f"--{setting.name}", help=setting.help, **flags)
    parser.add_argument(
        "--config", metavar="FILE", help="read [tool.pef] from FILE, not the nearest pyproject.toml"
    )


def gather(
    given: Mapping[str, object], near: str, environment: Mapping[str, str]
) -> ExploreOptions:
    """Merge what was given with the environment and the configuration nearest to a folder."""
    config = given.get("config")
    merged = _from_config(str(config) if config else None, near)
    for setting in SETTINGS:
        if setting.variable in environment:
            value = environment[setting.variable]
            merged[setting.attribute] = _parsed(setting, value, setting.variable)
        chosen = given.get(setting.attribute)
        if chosen is not None:
            merged[setting.attribute] = _parsed(setting, chosen, f"--{setting.name}")
    return ExploreOptions(**merged)


def _parsed(setting: Setting, value: object, where: str) -> Any:
    try:
        return setting.parse(value)
    except _WrongValueError as expected:
        raise UsageError(f"{where} must be {expected}, not {value!r}") from None


def _from_config(named: str | None, near: str) -> dict[str, Any]:
    if named is not None and not os.path.isfile(named):
        raise UsageError(f"no such file: {named}")
    path = named or _nearest_pyproject(near)
    if path is None:
        return {}
    from pef.cli.config import read_table

    known = {setting.name: setting for setting in SETTINGS}
    merged: dict[str, Any] = {}
    for entry in read_table(path):
        if entry.key not in known:
            hint = did_you_mean(entry.key, known)
            raise UsageError(f"{entry.place}: [tool.pef] has no option '{entry.key}'{hint}")
        setting = known[entry.key]
        value = _parsed(setting, entry.value, f"{entry.place}: {entry.key}")
        merged[setting.attribute] = _beside(path, value) if setting.is_path else value
    return merged


def _nearest_pyproject(folder: str) -> str | None:
    folder = os.path.abspath(folder)
    while True:
        candidate = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(candidate):
            return candidate
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _beside(config: str, value: Any) -> Any:
    """Paths in a file are relative to that file."""
    folder = os.path.dirname(os.path.abspath(config))
    if isinstance(value, tuple):
        return tuple(os.path.join(folder, path) for path in value)
    return os.path.join(folder, value)
