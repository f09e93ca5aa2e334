"""Functions loaded before PEF can run rewritten code, and get their own back."""

import dataclasses
import functools
import importlib
import linecache
import sys
import types

import pytest

from pef.rewrite.adopt import Adoptions, rewrite_function, why_plain

SOURCE = """
import functools

def simple(a, i): return a[i]

def outer(table, key):
    count = 0
    def inner(i, j=1):
        nonlocal count
        count += table[key][i] + j
        return count
    return inner

def decorate(f):
    @functools.wraps(f)
    def wrapper(*args): return f(*args), args[len(args) - 1]
    return wrapper

@decorate
def decorated(a, i): return a[i]

two = (lambda a, i: a[i]), (lambda a, i: a[-i])
same = [lambda a, i: a[i] for _ in range(2)]

class Base:
    def who(self, k): return ("base", k)

class C(Base):
    __secret = {1: "one"}
    def __init__(self, items): self.items = items
    def who(self, k): return super().who(self.items[k]), self.__secret[k]
    @property
    def first(self): return self.items[len(self.items) - len(self.items)]
    @first.setter
    def first(self, value): self.items[len(self.items) - len(self.items)] = value
    @staticmethod
    def static(a, i): return a[i]
    @classmethod
    def make(cls, a, i): return cls([a[i]])
    @functools.cached_property
    def last(self): return self.items[len(self.items) - 1]
    def numbers(self, n):
        for i in range(n): yield self.items[i]
    class Nested:
        def deep(self, a, i): return a[i]

def generated(): pass
exec("def generated(a, i): return a[i]")
"""


@pytest.fixture
def mod(tmp_path, monkeypatch):
    path = tmp_path / "loaded_before.py"
    path.write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    linecache.clearcache()
    yield importlib.import_module("loaded_before")
    del sys.modules["loaded_before"]


@pytest.fixture
def adoptions():
    made = Adoptions(lambda code, sites: None)
    yield made
    made.restore()


def uses_helper(function):
    return any(name.startswith("__pef_") for name in function.__code__.co_names)


def test_plain_function_is_adopted_and_restored(mod, adoptions):
    original = mod.simple.__code__
    assert adoptions.adopt(mod.simple)
    assert uses_helper(mod.simple)
    assert mod.simple("abc", 2) == "c"
    adoptions.restore()
    assert mod.simple.__code__ is original


def test_adopting_twice_keeps_the_original(mod, adoptions):
    original = mod.simple.__code__
    assert adoptions.adopt(mod.simple)
    assert adoptions.adopt(mod.simple)
    adoptions.restore()
    assert mod.simple.__code__ is original


def test_closure_keeps_its_cells(mod, adoptions):
    inner = mod.outer({"k": [10, 20]}, "k")
    assert inner(0) == 11
    assert adoptions.adopt(inner)
    assert uses_helper(inner)
    assert inner(1, j=0) == 31


def test_functions_made_by_an_adopted_function_are_rewritten(mod, adoptions):
    adoptions.adopt(mod.outer)
    inner = mod.outer({"k": [10, 20]}, "k")
    assert uses_helper(inner)
    assert inner(0) == 11


def test_decorated_function_and_its_wrapper_are_adopted_apart(mod, adoptions):
    assert adoptions.adopt(mod.decorated)
    assert not uses_helper(mod.decorated.__wrapped__)
    assert adoptions.adopt(mod.decorated.__wrapped__)
    assert mod.decorated("abc", 1) == ("b", 1)


def test_lambdas_on_one_line_are_told_apart(mod, adoptions):
    for function, expected in zip(mod.two, ("b", "c"), strict=True):
        assert adoptions.adopt(function)
        assert function("abc", 1) == expected


def test_copies_of_one_lambda_are_adopted(mod, adoptions):
    for function in mod.same:
        assert adoptions.adopt(function)
        assert function("abc", 1) == "b"


def test_class_is_adopted_through_its_descriptors(mod, adoptions):
    adoptions.adopt_class(mod.C)
    assert not adoptions.refused
    parts = [mod.C.who, mod.C.first.fget, mod.C.first.fset, mod.C.static, mod.C.make.__func__]
    parts += [vars(mod.C)["last"].func, mod.C.numbers]
    assert all(map(uses_helper, parts))
    c = mod.C([5, 1, 7])
    assert c.who(1) == (("base", 1), "one")
    c.first = 6
    assert (c.first, c.last, c.static("ab", 1), list(c.numbers(2))) == (6, 7, "b", [6, 1])
    assert mod.C.make([8, 9], 1).items == [9]


def test_what_other_modules_put_into_a_class_can_be_left_alone(mod, adoptions):
    point = dataclasses.dataclass(type("Point", (), {"__annotations__": {"x": int}}))
    point.who = mod.C.who
    adoptions.adopt_class(point, but_for={"dataclasses", "reprlib"})
    assert uses_helper(point.who)
    assert len(adoptions) == 1


def test_restoring_a_class_restores_every_part(mod, adoptions):
    adoptions.adopt_class(mod.C)
    assert len(adoptions) == 8
    adoptions.restore()
    assert len(adoptions) == 0
    assert not uses_helper(mod.C.who)
    assert not uses_helper(mod.C.first.fget)


def test_method_of_a_nested_class_is_adopted(mod, adoptions):
    assert adoptions.adopt(mod.C.Nested.deep)
    assert mod.C.Nested().deep("ab", 0) == "a"


def test_defaults_and_identity_are_kept(mod, adoptions):
    function = mod.simple
    function.__defaults__ = (1,)
    adoptions.adopt(function)
    assert mod.simple is function
    assert function("ab") == "b"


def test_every_part_of_the_code_is_announced(mod):
    codes = []
    code = rewrite_function(mod.outer, lambda code, sites: codes.append(code.co_name))
    assert code.co_name == "outer"
    assert codes == ["outer", "inner"]


def test_function_made_by_exec_is_refused_with_the_reason(mod, adoptions):
    assert not adoptions.adopt(mod.generated)
    assert "<string>" in adoptions.refused[mod.generated]
    assert "no source" in why_plain(mod.generated)


def test_function_whose_file_changed_is_refused(mod, adoptions, tmp_path):
    (tmp_path / "loaded_before.py").write_text(SOURCE.replace("return a[i]", "return a[i] + 1"))
    assert not adoptions.adopt(mod.simple)
    assert "does not contain the code" in adoptions.refused[mod.simple]


def test_function_whose_file_is_broken_is_refused(mod, adoptions, tmp_path):
    (tmp_path / "loaded_before.py").write_text("def (")
    assert not adoptions.adopt(mod.simple)
    assert "does not compile" in adoptions.refused[mod.simple]


def checked_by_pytest(a, i):
    assert i in a
    return a[i]


def test_function_with_asserts_that_pytest_rewrote_is_adopted(adoptions):
    assert any(name.startswith("@py") for name in checked_by_pytest.__code__.co_names)
    assert adoptions.adopt(checked_by_pytest)
    assert uses_helper(checked_by_pytest)
    assert checked_by_pytest([0, 1], 1) == 1


def test_other_functions_of_the_same_file_reuse_its_compilation(mod, adoptions, monkeypatch):
    adoptions.adopt(mod.simple)

    def again(source, filename):
        raise AssertionError("compiled twice")

    monkeypatch.setattr("pef.rewrite.adopt.compile_file", again)
    assert adoptions.adopt(mod.outer)


@pytest.mark.parametrize("name", ["functools", "textwrap", "os", "posixpath", "inspect"])
def test_standard_library_is_adopted(name, adoptions):
    module = importlib.import_module(name)
    functions = [
        value
        for value in vars(module).values()
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__
    ]
    adopted = [function for function in functions if adoptions.adopt(function)]
    assert len(adopted) >= 5
    assert adoptions.refused == {}
    assert functools.reduce(lambda a, b: a + b, [1, 2, 3]) == 6


def test_adopted_closure_variables_must_match(mod):
    def fake():
        return mod

    fake.__code__ = fake.__code__.replace(
        co_filename=mod.__file__, co_name="simple", co_firstlineno=4
    )
    assert rewrite_function(fake, lambda code, sites: None) is None
