"""What runs must have been reached: plain Python, traced, is the oracle."""

import importlib
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from pef.checking.digest import Project
from pef.checking.discovery import discover

SHAPES = """
    from __future__ import annotations
    import abc, functools, operator
    from dataclasses import dataclass, field
    from enum import Enum
    from .tools import decorated as marked, Registry
    from . import tools

    class Shape(abc.ABC):
        kinds = []
        def __init_subclass__(cls, **options):
            super().__init_subclass__(**options)
            Shape.kinds.append(cls)
        @abc.abstractmethod
        def area(self): ...
        def describe(self): return f"{self!r} {self.area()}"
        def __repr__(self): return self.title
        @property
        def title(self): return type(self).__name__
        def __lt__(self, other): return self.area() < other.area()

    class Square(Shape):
        def __init__(self, side): self.side = side
        def area(self): return self.side ** 2

    class Unit(Square):
        def __init__(self): super().__init__(1)
        @classmethod
        def make(cls): return cls()
        @staticmethod
        def name(): return "unit"
        def __hidden(self): return inner_of(1)
        def shows_hidden(self): return self.__hidden()

    @dataclass(order=True)
    class Pair:
        left: int
        right: list = field(default_factory=lambda: fresh())
        def __post_init__(self): self.left = normal(self.left)

    class Color(Enum):
        RED = 1
        @classmethod
        def _missing_(cls, value): return fallback()

    def fallback(): return Color.RED
    def fresh(): return [base()]
    def base(): return 0
    def normal(x): return abs(x)

    class Reader:
        def __enter__(self): return self
        def __exit__(self, *problem): return closed()
        def __iter__(self): yield from numbers()
        def __getattr__(self, name): return guessed(name)
        def __call__(self): return called()
        def __bool__(self): return truth()
        def write(self, text): return written(text)
        def keys(self): return ["a"]
        def __getitem__(self, key): return item(key)

    def closed(): return False
    def numbers(): return [1, 2]
    def guessed(name): return name
    def called(): return 1
    def truth(): return True
    def written(text): return len(text)
    def item(key): return key

    class Positive:
        def __set_name__(self, owner, name): self.name = "_" + name
        def __get__(self, instance, owner): return getter(instance, self.name)
        def __set__(self, instance, value): setattr(instance, self.name, checked(value))

    def getter(instance, name): return vars(instance)[name]
    def checked(value): return value

    class Account:
        amount = Positive()
        def __init__(self, amount): self.amount = amount

    TABLE = {"a": lambda: first(), "b": functools.partial(tools.second, 1)}
    alias = tools.third

    def first(): return 1

    @marked
    def collected(x): return inner_of(x)

    def inner_of(x): return x

    @functools.lru_cache
    def cached(x): return inner_of(x)

    @functools.singledispatch
    def shown(x): return "any"

    @shown.register
    def shown_int(x: int): return "int"

    # The functions that are traced.

    def use_shapes():
        return [each.describe() for each in sorted([Square(2), Unit.make()])] + [Unit.name()]
    def use_subclasses(): return [kind.area for kind in Shape.kinds]
    def use_pair(): return Pair(-1) < Pair(2)
    def use_enum(): return Color(9)
    def use_reader():
        with Reader() as reader:
            print("x", file=reader)
            return list(reader), reader.anything, reader(), bool(reader), {**reader}
    def use_hidden(): return Unit().shows_hidden()
    def use_descriptor(): return Account(3).amount
    def use_table(key="a"): return [TABLE[each]() for each in TABLE]
    def use_alias(): return alias()
    def use_collected(): return [each(1) for each in Registry.all]
    def use_cached(): return cached(1)
    def use_dispatch(): return shown(1), shown("x")
    def use_getattr(): return getattr(Square(1), "area")()
    def use_any_getattr(name="ar"): return getattr(Square(1), name + "ea")()
    def use_operator(): return operator.attrgetter("title")(Square(1))
    def use_closure():
        def outer(): return inner_of(2)
        return (lambda: outer())()
    def use_late_import():
        from .late import arrived
        return arrived()
    def use_contract(x=1):
        '''
        :ensure: is_fine(returnv)
        '''
        return x
    def is_fine(x): return True
    async def coming(): return inner_of(3)
    def use_coroutine():
        try:
            coming().send(None)
        except StopIteration as result:
            return result.value
    def use_generator(): return list(produced())
    def produced():
        yield inner_of(1)
    def use_default(x=normal(-1)): return x
    def use_match(value=None):
        match value or Pair(1):
            case Pair(left=l): return normal(l)
"""
TOOLS = """
    class Registry:
        all = []
        @staticmethod
        def add(function): Registry.all.append(function)

    def decorated(function):
        Registry.add(function)
        return function

    def second(x): return helper(x)
    def third(): return helper(3)
    def helper(x): return x
"""
LATE = "def arrived(): return deep()\ndef deep(): return 1\n"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reach")
    (folder / "shapes_pkg").mkdir()
    for name, text in (("__init__", ""), ("shapes", SHAPES), ("tools", TOOLS), ("late", LATE)):
        (folder / f"shapes_pkg/{name}.py").write_text(dedent(text))
    sys.path.insert(0, str(folder))
    yield folder / "shapes_pkg", importlib.import_module("shapes_pkg.shapes")
    sys.path.remove(str(folder))


USES = [line.split("(")[0].split()[-1] for line in SHAPES.splitlines() if "def use_" in line]


@pytest.mark.parametrize("name", USES)
def test_every_function_that_runs_was_reached(package, name):
    folder, module = package
    units = discover([str(folder / "shapes.py")]).modules
    project = Project(units)
    found = project.reached(units[0].path, name)
    reached_lines = {
        (path, line)
        for path, piece in found
        for anchor in project.outlines[path].anchors
        if anchor.name.partition("#")[0] == piece
        for line in range(anchor.first, anchor.last + 1)
    }
    for file, line in traced(getattr(module, name), folder):
        code = Path(file).read_text().splitlines()[line - 1]
        assert (file, line) in reached_lines or "lambda" in code, code


def traced(function, folder):
    """Return file and line of every function of the package that runs."""
    started = set()

    def note(frame, event, argument):
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(folder)) and frame.f_code.co_name != "<module>":
            started.add((file, frame.f_code.co_firstlineno))

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    assert started
    return started


def test_a_function_reaches_little_of_what_it_does_not_use(package):
    folder, _ = package
    units = discover([str(folder / "shapes.py")]).modules
    reached = {name for _, name in Project(units).reached(units[0].path, "use_alias")}
    assert {"use_alias", "alias", "third", "helper"} <= reached
    assert not reached & {"Square.area", "Pair", "collected", "inner_of", "deep", "numbers"}
