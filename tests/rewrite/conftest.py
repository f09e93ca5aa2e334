"""Fixtures: the helpers of rewritten code, and programs that run plain and rewritten."""

import ast
import importlib.util
import itertools
import linecache
import sys
from pathlib import Path

import pytest

from pef.rewrite.compiling import compile_file

_spec = importlib.util.spec_from_file_location(
    "plain_helpers", Path(__file__).with_name("plain_helpers.py")
)
plain_helpers = importlib.util.module_from_spec(_spec)
sys.modules["plain_helpers"] = plain_helpers
_spec.loader.exec_module(plain_helpers)

_numbers = itertools.count()


@pytest.fixture(autouse=True)
def helpers():
    """The native helpers if the native module is built, else their plain stand-ins."""
    chosen = plain_helpers.choose()
    chosen.install_helpers()
    yield chosen
    chosen.uninstall_helpers()


@pytest.fixture
def run_both():
    """Runs a program plain and rewritten; returns both namespaces, or both exceptions."""

    def run(source):
        filename = f"<program {next(_numbers)}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        plain = compile(ast.parse(source, filename), filename, "exec", dont_inherit=True)
        return _outcome(plain), _outcome(compile_file(source, filename).code)

    return run


def _outcome(code):
    namespace = {"__name__": "program", "log": []}
    try:
        exec(code, namespace)
    except Exception as error:
        return error
    return namespace


@pytest.fixture
def agree(run_both):
    """Asserts that a program ends the same both ways: its `log`, or its exception and traceback."""

    def check(source):
        plain, rewritten = run_both(source)
        assert type(plain) is type(rewritten), (plain, rewritten)
        if isinstance(plain, Exception):
            assert _trace(plain) == _trace(rewritten)
            return plain
        assert plain["log"] == rewritten["log"]
        return rewritten["log"]

    return check


def _trace(error):
    """The exception, and for each frame its name and the exact source range that failed."""
    frames = []
    traceback = error.__traceback__.tb_next
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if hasattr(code, "co_positions"):
            place = list(code.co_positions())[traceback.tb_lasti // 2]
        else:
            place = traceback.tb_lineno
        if not code.co_filename.endswith("plain_helpers.py"):
            frames.append((code.co_name, place))
        traceback = traceback.tb_next
    return type(error), str(error), frames
