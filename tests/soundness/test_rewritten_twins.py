"""The Python versions of C modules are rewritten once, and again when something has changed."""

import os
import subprocess
import sys

import pytest

USE = """
import sys
import pef.rewrite.compiling as compiling

made = []
plain = compiling.compile_file

def noticed(source, filename, *args, **kwargs):
    made.append(filename)
    return plain(source, filename, *args, **kwargs)

compiling.compile_file = noticed
"""
PREPARE = "from pef.models.twins import {twin}\n{twin}.prepare()\n"
TELL = "print(len(made))\n"


def run(folder, code, **environment):
    variables = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder), **environment}
    if "PYTHONDONTWRITEBYTECODE" not in environment:
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", USE + code + TELL]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    return int(done.stdout)


def kept(folder):
    return sorted(folder.glob("rewritten.*.bin"))


@pytest.mark.parametrize("twin", ["dates", "decimals"])
def test_what_was_rewritten_is_there_for_the_next_process(tmp_path, twin):
    prepare = PREPARE.format(twin=twin)
    assert run(tmp_path, prepare) == 1
    [file] = kept(tmp_path)
    assert run(tmp_path, prepare) == 0
    file.write_bytes(file.read_bytes()[:1000])
    assert run(tmp_path, prepare) == 1, "half a file is none"
    assert run(tmp_path, prepare) == 0


def test_another_source_or_rewriter_is_rewritten_again_and_replaces_it(tmp_path):
    prepare = PREPARE.format(twin="dates")
    run(tmp_path, prepare)
    before = kept(tmp_path)
    changed = (
        "from pef.models.twins import dates, loading\n"
        "stamps = loading._stamps\n"
        "loading._stamps = lambda: [*stamps(), ('another.py', 1, 1)]\n"
        "dates.prepare()\n"
    )
    assert run(tmp_path, changed) == 1
    assert len(kept(tmp_path)) == 1
    assert kept(tmp_path) != before


def test_nothing_is_written_where_that_is_not_wanted(tmp_path):
    run(tmp_path, PREPARE.format(twin="dates"), PYTHONDONTWRITEBYTECODE="1")
    assert kept(tmp_path) == []


def test_the_process_that_explores_only_reads(tmp_path):
    explores = "from pef.models.twins.dates import _source, _with_base, rewritten\n"
    assert run(tmp_path, f"{explores}rewritten(_source(), 'datetime', _with_base)\n") == 1
    assert kept(tmp_path) == []
