"""A replayer for a program given as text."""

import dataclasses
import importlib.util
from pathlib import Path

import pytest

from pef.replay.client import Replayer

_spec = importlib.util.spec_from_file_location(
    "replay_programs", Path(__file__).with_name("programs.py")
)
programs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(programs)


@dataclasses.dataclass(frozen=True)
class Target:
    path: Path
    module_name: str
    qualname: str


@pytest.fixture
def replayer(tmp_path):
    """Return a function that makes replayers and closes them at the end."""
    made = []

    def make(source, qualname, *, module="program", timeout=5.0, **options):
        path = tmp_path / f"{module}.py"
        path.write_text(source)
        target = Target(str(path), module, qualname)
        made.append(Replayer(target, [str(tmp_path)], timeout=timeout, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def ordinary(replayer):
    return lambda qualname, **options: replayer(programs.ORDINARY, qualname, **options)


@pytest.fixture
def faulty(replayer):
    return lambda qualname, **options: replayer(programs.FAULTS, qualname, **options)
