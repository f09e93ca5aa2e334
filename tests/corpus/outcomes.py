"""Runs test modules of CPython's own `test` package and prints the outcome of every test.

    python outcomes.py plain SECONDS test_bisect test_json
    python outcomes.py rewritten SECONDS test_bisect test_json

In the rewritten mode the test modules and the standard library below them (`selection.LIBRARY`)
run as rewritten code; what the interpreter had loaded before this script could say so is adopted
function by function. Each test module runs in a fork, so that none can disturb the next.

One line of JSON per module on the real stdout; whatever the tests print is thrown away.
"""

import json
import os
import re
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import FunctionType

from selection import LIBRARY


class Recorder(unittest.TestResult):
    """Notes the words that describe each test: usually one, more if subtests fail."""

    def __init__(self):
        super().__init__()
        self.outcomes = {}

    def _note(self, test, outcome):
        self.outcomes.setdefault(test.id(), []).append(outcome)

    def addSuccess(self, test):
        self._note(test, "passed")

    def addFailure(self, test, error):
        self._note(test, f"failed: {_first_line(error)}")

    def addError(self, test, error):
        self._note(test, f"error: {_first_line(error)}")

    def addSkip(self, test, reason):
        self._note(test, "skipped")

    def addExpectedFailure(self, test, error):
        self._note(test, "failed as expected")

    def addUnexpectedSuccess(self, test):
        self._note(test, "passed unexpectedly")

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self._note(test, f"subtest: {_first_line(error)}")


def _first_line(error):
    message = re.sub("0x[0-9a-f]+", "0x", str(error[1])).partition("\n")[0]
    return f"{error[0].__name__}: {message[:300]}"


def rewrite(modules):
    """Sets up rewriting; returns the list that every rewritten code object is added to."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rewrite"))
    import sysconfig

    import plain_helpers

    from pef.rewrite.adopt import Adoptions
    from pef.rewrite.loader import Rewriter

    plain_helpers.choose().install_helpers()
    library = Path(sysconfig.get_path("stdlib"))
    tests = [library / "test" / module for module in modules]
    roots = [library / name for name in LIBRARY] + tests
    roots += [test.with_suffix(".py") for test in tests]
    codes = []
    rewriter = Rewriter(roots, lambda code, sites: codes.append(code))
    adoptions = Adoptions(lambda code, sites: codes.append(code))
    for loaded in list(sys.modules.values()):
        file = getattr(loaded, "__file__", None)
        if file and rewriter.covers(file):
            adopt_module(adoptions, loaded)
    rewriter.install()
    return codes


def adopt_module(adoptions, module):
    for value in list(vars(module).values()):
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, FunctionType):
            adoptions.adopt(value)
        elif isinstance(value, type):
            adoptions.adopt_class(value)


def run(module, codes):
    recorder = Recorder()
    before = len(codes)
    result = {"module": module, "outcomes": recorder.outcomes}
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        try:
            unittest.defaultTestLoader.loadTestsFromName(f"test.{module}").run(recorder)
        except unittest.SkipTest as skip:
            result["skipped"] = str(skip)
        os.chdir("/")
    result["rewritten"] = len(codes) - before
    return result


def run_in_fork(module, codes, seconds):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setsid()
        with os.fdopen(writer, "w") as channel:
            json.dump(run(module, codes), channel)
        os._exit(0)  # a test may have left threads behind; they do not matter any more
    os.close(writer)
    text = _read(reader, time.monotonic() + seconds)
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    broken = f"no result, wait status {status}"
    return {"module": module, "outcomes": {}, "rewritten": 0, "broken": broken}


def _read(reader, deadline):
    """Everything the child writes, or nothing if it takes too long."""
    import select

    chunks = []
    with os.fdopen(reader, "rb") as channel:
        while time.monotonic() < deadline:
            ready, _, _ = select.select([channel], [], [], 0.5)
            if not ready:
                continue
            chunk = os.read(channel.fileno(), 1 << 16)
            if not chunk:
                return b"".join(chunks)
            chunks.append(chunk)
    return b""


def main():
    mode, seconds, *modules = sys.argv[1:]
    channel = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(silence, standard)
    from test import support

    support.use_resources = []
    support.verbose = 0
    codes = rewrite(modules) if mode == "rewritten" else []
    for module in modules:
        channel.write(json.dumps(run_in_fork(module, codes, float(seconds))) + "\n")
        channel.flush()


if __name__ == "__main__":
    main()
