"""From an imported module to the function object."""

import functools
import types

import pytest

from pef.targets import TargetError, find

SOURCE = """
import functools, math
def plain(x): return x
def wrap(g):
    @functools.wraps(g)
    def inner(*args): return g(*args)
    return inner
@wrap
def decorated(x): return x
def hide(g):
    def inner(*args): return g(*args)
    return inner
@hide
def hidden(x): return x
@functools.lru_cache
def cached(x): return x
class C:
    n = 3
    def method(self): pass
    @staticmethod
    def static(): pass
    @classmethod
    def of(cls): return cls
    @property
    def prop(self): pass
    @functools.cached_property
    def kept(self): pass
class D(C): pass
number = 3
sqrt = math.sqrt
"""


@pytest.fixture(scope="module")
def module():
    made = types.ModuleType("demo")
    made.__file__ = "/somewhere/demo.py"
    exec(SOURCE, vars(made))
    return made


@pytest.mark.parametrize("name", ["plain", "decorated", "cached"])
def test_functions_are_found(module, name):
    assert find(module, name) is getattr(module, name)


def test_methods_are_found_through_their_class(module):
    assert find(module, "C.method") is module.C.method
    assert find(module, "C.static") is module.C.static
    assert find(module, "D.method") is module.C.method
    assert find(module, "C.of")() is module.C


def test_a_property_is_the_function_that_reads_it(module):
    assert find(module, "C.prop") is module.C.prop.fget
    assert find(module, "C.kept") is vars(module.C)["kept"].func


def test_a_function_that_a_decorator_hides_is_found_inside(module):
    assert find(module, "hidden") is module.hidden
    assert module.hidden.__wrapped__.__qualname__ == "hidden"
    assert not hasattr(find(module, "plain"), "__wrapped__")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plan", "no function 'plan' in demo.py; did you mean 'plain'?"),
        ("C.nope", "no function 'C.nope' in demo.py"),
        ("C", "'C' in demo.py is a class, not a function; name a method: C.METHOD"),
        ("number", "'number' in demo.py is a int, not a Python function"),
        ("sqrt", "'sqrt' in demo.py is a builtin_function_or_method, not a Python function"),
    ],
)
def test_what_is_not_a_python_function_is_refused(module, name, message):
    with pytest.raises(TargetError) as caught:
        find(module, name)
    assert str(caught.value).startswith(message)


def test_a_partial_is_not_a_function(module):
    module.half = functools.partial(module.plain, 1)
    with pytest.raises(TargetError, match="is a partial"):
        find(module, "half")
