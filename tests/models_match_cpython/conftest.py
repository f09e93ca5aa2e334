"""Exploring small programs, and comparing every path with plain CPython."""

import textwrap
from dataclasses import dataclass, field

import pytest


@dataclass
class Explored:
    results: set = field(default_factory=set)
    """`repr` of what the paths returned."""
    raised: set = field(default_factory=set)
    """Names of the exceptions."""
    pins: set = field(default_factory=set)
    """The reasons of all pins."""
    inputs: list = field(default_factory=list)
    paths: int = 0
    exhaustive: bool = False


@pytest.fixture(scope="session")
def engine():
    from pef.engine import Engine

    with Engine() as running:
        yield running


@pytest.fixture(scope="session")
def load(engine, tmp_path_factory):
    """Source text as the namespaces of a rewritten and a plain module."""
    from pef import models
    from pef.selftest.programs import load_plain, load_rewritten

    def load(source):
        rewritten = load_rewritten(source, tmp_path_factory.mktemp("target"))
        models.install()
        return rewritten, load_plain(source)

    return load


@pytest.fixture(scope="session")
def explore(load):
    """Explores `f` of a source text; fails if a path is not what CPython does."""
    from pef import _native
    from pef.path import plain
    from pef.selftest.comparing import INPUTS, same_value

    def explore(source, names="x", **limits):
        rewritten, original = load(textwrap.dedent(source))
        parameters = [(name, "positional", INPUTS.get(name, _native.input_int)()) for name in names]
        limits = {"depth": 30, "max_paths": 60, "timeout": 20.0, **limits}
        session = _native.Session(rewritten.f, parameters, **limits)
        seen = Explored()
        while (path := session.next_path()) is not None:
            seen.paths += 1
            seen.pins.update(pin[2] for pin in session.pins(path))
            if path.ending not in ("returned", "raised"):
                continue
            arguments = [plain(value) for _, value in path.arguments]
            seen.inputs.append(tuple(arguments))
            try:
                expected = original["f"](*arguments)
            except Exception as problem:
                here = path.exception
                assert (type(here), str(here)) == (type(problem), str(problem)), arguments
                seen.raised.add(type(problem).__name__)
            else:
                assert path.ending == "returned", (arguments, path.exception)
                assert same_value(plain(path.result), expected), (arguments, path.result, expected)
                seen.results.add(repr(expected))
        seen.exhaustive = session.summary()["exhaustive"]
        return seen

    return explore
