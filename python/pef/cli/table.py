"""The table of settings: what each is called, how it is read, which commands know it.

One name means one thing: `--max-paths 5`, `PEF_MAX_PATHS=5` and `max-paths = 5` come from one row.
A setting that reads or defaults differently in two commands has a row for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from pef.cli import values
from pef.cli.options import CheckFormat, Color, ExploreFormat, Strategy
from pef.records import NamedTuple

Command = Literal["explore", "check"]
_BOTH: tuple[Command, ...] = ("explore", "check")
_EXPLORE: tuple[Command, ...] = ("explore",)
_CHECK: tuple[Command, ...] = ("check",)


class Setting(NamedTuple):
    """One option, wherever it is written."""

    name: str
    parse: Callable[[object], object]
    help: str
    metavar: str = ""
    """What stands for its value in the help; a switch has none."""
    short: str = ""
    commands: tuple[Command, ...] = _BOTH
    paths: Literal["", "file", "pattern"] = ""
    """How a value is made absolute, if it is about files."""
    of_function: bool = False
    """Whether an override may set it."""
    group: str = ""

    @property
    def attribute(self) -> str:
        """Its name in the options of a command."""
        return self.name.replace("-", "_")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return f"PEF_{self.attribute.upper()}"

    @property
    def may_be_repeated(self) -> bool:
        """Whether its value is a list."""
        return self.parse in (
            values.folders,
            values.patterns,
            values.codes,
            values.permissions,
        )

    @property
    def words(self) -> list[str]:
        """What it is called on the command line."""
        return [*([self.short] if self.short else []), f"--{self.name}"]

    def as_option(self) -> tuple[list[str], Mapping[str, Any]]:
        """Return what argparse wants to know."""
        if not self.metavar:
            return self.words, {"action": "store_const", "const": True, "help": self.help}
        action = "append" if self.may_be_repeated else "store"
        return self.words, {"action": action, "metavar": self.metavar, "help": self.help}


def _group(title: str, *settings: Setting) -> list[Setting]:
    return [setting._replace(group=title) for setting in settings]


_strategy = values.one_of(get_args(Strategy))
_color = values.one_of(get_args(Color))
_explore_format = values.one_of(get_args(ExploreFormat))
_check_format = values.one_of(get_args(CheckFormat))

# fmt: off
SETTINGS: tuple[Setting, ...] = (
    *_group(
        "targets",
        Setting("exclude", values.patterns, "leave out files, as a line of .gitignore would",
                "PATTERN", commands=_CHECK, paths="pattern"),
        Setting("include-tests", values.switch, "analyse tests as well", commands=_CHECK),
        Setting("python-path", values.folders, "import from DIR first; may be repeated", "DIR",
                paths="file"),
        Setting("allow", values.permissions,
                "let the code: write:PATH, net:HOST, subprocess or all; repeatable",
                "EFFECT", commands=_CHECK, of_function=True),
    ),
    *_group(
        "search",
        Setting("timeout", values.seconds, "stop after S seconds (default 60)", "S",
                commands=_EXPLORE),
        Setting("timeout", values.seconds, "leave a function after S seconds (default 10)", "S",
                commands=_CHECK, of_function=True),
        Setting("patience", values.seconds, "leave it after S seconds without news (default: half)",
                "S", commands=_CHECK, of_function=True),
        Setting("depth", values.natural, "free decisions per path (default 10)", "N", "-d",
                commands=_EXPLORE),
        Setting("depth", values.natural, "free decisions per path (default: no limit)", "N", "-d",
                commands=_CHECK, of_function=True),
        Setting("max-paths", values.natural, "stop after N paths", "N", of_function=True),
        Setting("strategy", _strategy,
                "depth-first (default), breadth-first, uncovered, random or interleaved", "NAME",
                commands=_EXPLORE),
        Setting("strategy", _strategy,
                "depth-first, breadth-first, uncovered, random, interleaved (default)", "NAME",
                commands=_CHECK, of_function=True),
        Setting("seed", values.natural, "seed of the random strategies (default 0)", "N",
                of_function=True),
        Setting("jobs", values.jobs, "processes at the same time (default auto: one per core)", "N",
                "-j", commands=_CHECK),
        Setting("guess-types", values.switch, "try candidates for parameters without a type",
                commands=_CHECK, of_function=True),
    ),
    *_group(
        "findings",
        Setting("fail-fast", values.switch, "stop at the first error", short="-x",
                commands=_CHECK),
        Setting("all-exceptions", values.switch, "report what the project raises on purpose, too",
                commands=_CHECK, of_function=True),
        Setting("select", values.codes, "report only these codes or names, or what begins so",
                "CODES", commands=_CHECK, of_function=True),
        Setting("ignore", values.codes, "do not report these", "CODES",
                commands=_CHECK, of_function=True),
        Setting("allow-incomplete", values.switch, "exit with 0 if all that is wrong is open work",
                commands=_CHECK),
    ),
    *_group(
        "output",
        Setting("conditions", values.switch, "show the path condition of each path",
                commands=_EXPLORE),
        Setting("output-format", _explore_format, "full (default) or json", "FORMAT",
                commands=_EXPLORE),
        Setting("output-format", _check_format,
                "full, concise, json, json-lines, github, gitlab, junit or sarif", "FORMAT",
                commands=_CHECK),
        Setting("output-file", values.text, "write the report to FILE", "FILE",
                commands=_CHECK, paths="file"),
        Setting("color", _color, "auto (default), always or never", "WHEN"),
        Setting("quiet", values.switch, "show only the summary", short="-q", commands=_EXPLORE),
        Setting("quiet", values.switch, "show only the findings, a line each", short="-q",
                commands=_CHECK),
        Setting("verbose", values.switch, "show coverage and time as well", short="-v",
                commands=_EXPLORE),
        Setting("verbose", values.switch, "show every function and how it went", short="-v",
                commands=_CHECK),
    ),
    *_group(
        "options",
        Setting("no-cache", values.switch, "analyse everything anew and remember nothing",
                commands=_CHECK),
        Setting("cache-dir", values.text, "default: .pef_cache beside pyproject.toml", "DIR",
                commands=_CHECK, paths="file"),
        Setting("query-log", values.text, "write every solver query to FILE", "FILE",
                commands=_EXPLORE, paths="file"),
    ),
)
# fmt: on


def settings_of(command: Command) -> list[Setting]:
    """Return the settings a command knows."""
    return [setting for setting in SETTINGS if command in setting.commands]
