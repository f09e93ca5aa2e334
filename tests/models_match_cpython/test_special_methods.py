"""What C code asks of objects of the target is asked of symbolic values too."""

import pytest


def source(method, body, expression):
    return f"""
import operator

class Box:
    def __init__(self, value):
        self.value = value
    def {method}(self):
        {body}

def f(x):
    return {expression}
"""


def test_the_truth_of_an_object_is_a_decision(explore):
    seen = explore(source("__bool__", "return self.value > 3", "1 if Box(x) else 2"))
    assert seen.results == {"1", "2"}
    assert seen.exhaustive


@pytest.mark.parametrize("body", ["return self.value", "return 1", "return None"])
def test_a_truth_that_is_no_bool_is_refused(explore, body):
    assert explore(source("__bool__", body, "bool(Box(x))")).raised == {"TypeError"}


@pytest.mark.parametrize(
    ("method", "expression"),
    [
        ("__len__", "1 if len(Box(x)) == 2 else 2"),
        ("__len__", "1 if Box(x) else 2"),
        ("__hash__", "1 if hash(Box(x)) == 2 else 2"),
        ("__hash__", "{Box(x): 1}.get(0)"),
        ("__index__", "[1, 2, 3][Box(x)]"),
        ("__index__", "range(Box(x)).stop"),
        ("__int__", "int(Box(x))"),
        ("__length_hint__", "operator.length_hint(Box(x))"),
    ],
)
def test_a_number_that_c_code_reads_is_pinned(explore, method, expression):
    seen = explore(source(method, "return self.value", expression), max_paths=8)
    assert seen.pins == {f"result of {method}()"}


@pytest.mark.parametrize(
    ("method", "body", "expression"),
    [
        ("__len__", "return -1", "len(Box(x))"),
        ("__len__", "return 2**70", "len(Box(x))"),
        ("__len__", "return 'a'", "len(Box(x))"),
        ("__hash__", "return 'a'", "hash(Box(x))"),
        ("__hash__", "return 2**70", "hash(Box(x))"),
        ("__hash__", "return -1", "hash(Box(x))"),
        ("__index__", "return 'a'", "[1][Box(x)]"),
        ("__int__", "return 'a'", "int(Box(x))"),
        ("__int__", "raise KeyError", "int(Box(x))"),
        ("__eq__", "pass", "hash(Box(x))"),
    ],
)
def test_plain_results_are_treated_as_by_cpython(explore, method, body, expression):
    seen = explore(source(method, body, expression))
    assert seen.paths == 1
    assert not seen.pins


def test_inherited_methods_are_asked_too(explore):
    seen = explore(
        """
        class Base:
            def __init__(self, value):
                self.value = value
            def __bool__(self):
                return self.value > 3

        class Derived(Base):
            pass

        made = Derived(0)

        def f(x):
            made.value = x
            return 1 if not made else 2
        """
    )
    assert seen.results == {"1", "2"}
    assert seen.exhaustive


def test_a_library_class_that_operators_reach_is_rewritten(explore):
    seen = explore(
        """
        from fractions import Fraction

        def f(x):
            return 1 if Fraction(1, 2) + x == Fraction(15, 2) else 2
        """,
        max_paths=12,
    )
    assert "1" in seen.results or "argument of math.gcd()" in seen.pins


ALIASES = """
class Box:
    def __init__(self, value):
        self.value = value
    def size(self):
        return self.value
    __len__ = size
    __bool__ = lambda self: self.value > 3

def f(x):
    return {}
"""

DECORATED = """
def more(function):
    def wrapper(self):
        return function(self) + self.value
    return wrapper

class Box:
    def __init__(self, value):
        self.value = value
    @more
    def __len__(self):
        return 1

def f(x):
    return 1 if len(Box(x)) == 8 else 2
"""


def test_special_methods_need_not_be_written_as_a_def(explore):
    assert explore(ALIASES.format("1 if Box(x) else 2")).results == {"1", "2"}
    assert explore(ALIASES.format("len(Box(x))"), max_paths=8).pins == {"result of __len__()"}
    assert explore(DECORATED, max_paths=8).pins == {"result of __len__()"}
