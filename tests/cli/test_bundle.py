"""The bundle of bytecode is faster than the files it is made of, and says nothing else."""

import os
import shutil
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import pef

PACKAGE = Path(pef.__file__).parent
BUNDLE = f"__pycache__/bundle.{sys.implementation.cache_tag}.bin"


@pytest.fixture
def package(tmp_path):
    """A copy of the package that nobody else uses."""
    place = tmp_path / "pef"
    shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    return place


def start(package, **environment):
    """Runs a small command, and returns its output and the modules that had files of their own."""
    variables = {**os.environ, "PYTHONPATH": str(package.parent), **environment}
    if "PYTHONDONTWRITEBYTECODE" not in environment:
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
    code = (
        "import atexit, sys; sys.argv = ['pef', 'explain', 'PEF001']\n"
        "from pef import cli\n"
        "own = lambda: [name for name, module in sys.modules.items() if name.startswith('pef.') and"
        " type(module.__spec__.loader).__module__ != 'pef.bundle']\n"
        "atexit.register(lambda: print(*own(), file=sys.stderr))\n"
        "cli.program()"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=True)
    return done.stdout, set(done.stderr.split())


BEFORE = {"pef.cli", "pef.cli.exits", "pef.bundle"}


def test_the_second_start_reads_one_file(package):
    first, own = start(package)
    assert own > BEFORE
    assert (package / BUNDLE).exists()
    second, own = start(package)
    assert own == BEFORE
    assert second == first


def test_a_module_that_has_changed_is_read_and_then_bundled_again(package):
    start(package)
    changed = package / "checking" / "explain" / "__init__.py"
    changed.write_text(changed.read_text() + "\nprint('changed')\n")
    for expected in (BEFORE | {"pef.checking.explain"}, BEFORE):
        said, own = start(package)
        assert said.startswith("changed\n")
        assert own == expected


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x00" * 100])
def test_a_bundle_that_is_none_is_replaced(package, damage):
    expected, _ = start(package)
    (package / BUNDLE).write_bytes(damage)
    said, own = start(package)
    assert said == expected
    assert own > BEFORE
    assert start(package)[1] == BEFORE


def test_half_a_bundle_is_replaced(package):
    expected, _ = start(package)
    whole = (package / BUNDLE).read_bytes()
    (package / BUNDLE).write_bytes(whole[: len(whole) // 2])
    assert start(package)[0] == expected
    assert start(package)[1] == BEFORE


def modules_in_c(package):
    code = (
        "from pef import bundle\n"
        "print(*(name for name, entry in bundle._opened()[0].items() if not entry[1]))"
    )
    variables = {**os.environ, "PYTHONPATH": str(package.parent)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=True)
    return done.stdout.split()


@pytest.mark.skipif(not hasattr(termios, "__file__"), reason="it is part of the interpreter")
def test_what_another_command_has_imported_stays_in_it(package):
    changed = package / "checking" / "explain" / "__init__.py"
    text = changed.read_text()
    changed.write_text(f"{text}\nimport termios\n")
    start(package)
    assert "termios" in modules_in_c(package)
    changed.write_text(text)
    assert start(package)[1] > BEFORE
    assert start(package)[1] == BEFORE
    assert "termios" in modules_in_c(package)


def test_a_package_that_was_moved_is_bundled_again(package):
    start(package)
    elsewhere = package.parent / "elsewhere"
    elsewhere.mkdir()
    moved = package.rename(elsewhere / "pef")
    assert start(moved)[1] > BEFORE
    assert start(moved)[1] == BEFORE


def test_nothing_is_written_where_no_bytecode_is_wanted(package):
    start(package, PYTHONDONTWRITEBYTECODE="1")
    assert not (package / BUNDLE).exists()
