"""Help fits a screen; a mistake is one line on stderr and exit code 2."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pef
from pef.cli import _COMMANDS, main

ROOT = Path(__file__).parents[2]


def run(*words, cwd=ROOT, **environment):
    return subprocess.run(
        [sys.executable, "-m", "pef", *words],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def complaint(capsys, *words):
    """Return the one line a mistake is answered with."""
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pef: error: ")
    assert err.count("\n") == 1 and err.endswith("\n")
    return err[len("pef: error: ") : -1]


@pytest.mark.parametrize(
    "words", [["--help"], *([command, "--help"] for command in _COMMANDS), ["check", "-h"]]
)
def test_help_fits_a_screen_and_ends_with_an_example(words):
    done = run(*words, COLUMNS="80")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0].startswith("usage: pef ")
    assert len(lines) <= 40 and max(map(len, lines)) <= 96
    assert lines[-2] == "example:" and lines[-1].startswith("  pef ")


def test_every_command_is_in_the_general_help(capsys):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    listed = shown.partition("commands:")[2].partition("options:")[0]
    assert tuple(re.findall(r"^  (\w+) ", listed, re.MULTILINE)) == _COMMANDS


def test_no_command_shows_the_help_and_is_a_mistake(capsys):
    assert main([]) == 2
    assert capsys.readouterr().out.startswith("usage:")


def test_the_version_is_that_of_the_workspace(capsys):
    assert main(["--version"]) == 0
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)[1]
    assert capsys.readouterr().out == f"pef {version}\n"
    assert pef.__version__ == version


def test_an_unknown_command_is_named_with_the_nearest_one(capsys):
    assert complaint(capsys, "explroe") == (
        "unknown command 'explroe' (did you mean 'explore'?); see pef --help"
    )


def test_an_unknown_option_is_named_with_the_nearest_one(capsys):
    assert complaint(capsys, "explore", "x.py:f", "--detph=3") == (
        "unknown option '--detph' (did you mean '--depth'?); see pef explore --help"
    )
    assert complaint(capsys, "--verison").startswith("unknown option '--verison'")


def test_an_abbreviated_option_is_refused(capsys):
    assert "unknown option '--dep'" in complaint(capsys, "explore", "x.py:f", "--dep", "3")


def test_one_argument_too_many_is_named(capsys):
    assert "unexpected argument 'y.py:g'" in complaint(capsys, "explore", "x.py:f", "y.py:g")


def test_a_missing_target_is_named(capsys):
    assert "FILE:FUNC" in complaint(capsys, "explore")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--depth", "x"], "--depth must be a whole number from 0, not 'x'"),
        (["--depth", "-1"], "--depth must be a whole number from 0, not '-1'"),
        (["--timeout", "0"], "--timeout must be a number of seconds above 0, not '0'"),
        (["--timeout", "nan"], "--timeout must be a number of seconds above 0, not 'nan'"),
        (["--color", "pink"], "--color must be one of auto, always, never, not 'pink'"),
        (["--output-format", "xml"], "--output-format must be one of full, json, not 'xml'"),
        (["--config", "no/such.toml"], "no such file: no/such.toml"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(capsys, words, expected):
    assert complaint(capsys, "explore", "x.py:f", *words) == expected


def test_start_up_stays_light():
    """`pef --help` may load nothing that is slow; time itself would be a flaky measure."""
    check = (
        "import sys\n"
        "from pef.cli import main\n"
        "before = set(sys.modules)\n"
        "main(['--help'])\n"
        "heavy = {'argparse', 'dataclasses', 'inspect', 'typing', 'json', 'ctypes', 'z3', 'ast'}\n"
        "mine = {m for m in sys.modules if m.startswith('pef')}\n"
        "print(sorted(heavy & set(sys.modules)), sorted(mine))\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", check],
        env={**os.environ, "PYTHONPATH": str(Path(pef.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[] ['pef', 'pef.cli', 'pef.cli.exits']"
