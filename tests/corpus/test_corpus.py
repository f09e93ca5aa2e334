"""CPython's own tests have the same outcome, test by test, whether they are rewritten or not.

The acceptance test of `pef.rewrite`: with the tests, the standard library they exercise runs
rewritten too. By default the modules of `selection.QUICK`; all of them (some 300) with

    PEF_CORPUS=full pytest tests/corpus
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SECONDS_PER_MODULE = "120"

_spec = importlib.util.spec_from_file_location("selection", HERE / "selection.py")
selection = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(selection)

try:
    MODULES = selection.full() if os.environ.get("PEF_CORPUS") == "full" else selection.quick()
except ModuleNotFoundError:  # some distributions leave the test package out
    MODULES = []


class Pair:
    """A plain and a rewritten run of some test modules, side by side."""

    def __init__(self, modules):
        self._results = {}
        self._runs = [self._start(mode, modules) for mode in ("plain", "rewritten")]

    @staticmethod
    def _start(mode, modules):
        command = [sys.executable, str(HERE / "outcomes.py"), mode, SECONDS_PER_MODULE, *modules]
        path = os.pathsep.join(filter(None, [_package_root(), os.environ.get("PYTHONPATH")]))
        # Some tests compare the order of sets; both runs must hash alike.
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
        return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)

    def results(self, module):
        """What the two runs say about `module`; they answer in the order of the modules."""
        while module not in self._results:
            lines = [run.stdout.readline() for run in self._runs]
            assert all(lines), "a run ended early"
            plain, rewritten = map(json.loads, lines)
            assert plain["module"] == rewritten["module"]
            self._results[plain["module"]] = plain, rewritten
        return self._results[module]

    def close(self):
        for run in self._runs:
            run.kill()
            run.communicate()


def _package_root():
    import pef.rewrite

    return str(Path(pef.rewrite.__file__).parents[2])


@pytest.fixture(scope="module")
def runs(request):
    chosen = {item.callspec.params.get("module") for item in request.session.items if is_ours(item)}
    pair = Pair([module for module in MODULES if module in chosen])
    yield pair
    pair.close()


def is_ours(item):
    return hasattr(item, "callspec") and item.path == Path(__file__)


def differences(plain, rewritten):
    one, other = plain["outcomes"], rewritten["outcomes"]
    return {
        test: (one.get(test), other.get(test))
        for test in {**one, **other}
        if one.get(test) != other.get(test) and selection.is_comparable(test)
    }


@pytest.mark.skipif(not MODULES, reason="this interpreter comes without its test package")
@pytest.mark.parametrize("module", MODULES)
def test_outcomes_are_the_same(module, runs):
    plain, rewritten = runs.results(module)
    if "broken" in plain:
        pytest.skip(f"plain run: {plain['broken']}")
    if "skipped" in plain:
        pytest.skip(plain["skipped"])
    assert rewritten["rewritten"] > 0, "nothing was rewritten"
    found = differences(plain, rewritten)
    if found or "broken" in rewritten:
        # A test that is not the same twice proves nothing; what differs again, differs.
        again = Pair([module])
        second = differences(*again.results(module))
        again.close()
        found = {test: found[test] for test in found if test in second}
        assert "broken" not in again.results(module)[1]
    assert not found


@pytest.mark.skipif(not MODULES, reason="this interpreter comes without its test package")
def test_corpus_is_large(runs):
    """Guards the guard: a corpus that shrank to nothing would pass too."""
    if len(runs._results) < len(MODULES):
        pytest.skip("only a part of the corpus was selected")
    tests = sum(len(plain["outcomes"]) for plain, _ in runs._results.values())
    assert len(MODULES) >= 60
    assert tests >= 4000
