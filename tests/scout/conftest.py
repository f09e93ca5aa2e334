import importlib.util
import sys
from pathlib import Path

import pytest

from pef.contracts import read
from pef.scout import scout


@pytest.fixture(scope="session")
def planted():
    """The module of planted errors, apart from the tests: its words must not give answers away."""
    file = Path(__file__).with_name("planted.py")
    spec = importlib.util.spec_from_file_location("scout_planted", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["scout_planted"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["scout_planted"]


@pytest.fixture
def scouting():
    """A scouting that ends after a number of calls instead of seconds."""

    def make(function, *, calls=2_000, seed=0, **options):
        made = []
        file = function.__code__.co_filename
        made.append(
            scout(
                function,
                read(function),
                seconds=calls,
                seed=seed,
                project_files=lambda name: name == file,
                clock=lambda: float(made[0].calls),
                **options,
            )
        )
        return made[0]

    return make
