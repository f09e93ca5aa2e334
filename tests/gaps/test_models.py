"""Symbolic values that are still read in silence. Each of these must fail."""

import pytest

from pef.selftest.programs import load_rewritten


@pytest.fixture
def explore(tmp_path):
    from pef import _native
    from pef.engine import Engine

    def explore(source):
        with Engine():
            module = load_rewritten(source, tmp_path)
            session = _native.Session(
                module.f,
                [("x", "positional", _native.input_int())],
                depth=30,
                max_paths=40,
                timeout=10.0,
            )
            results, pins = [], []
            while (path := session.next_path()) is not None:
                results.append(path.result)
                pins += session.pins(path)
        return results, pins

    return explore


@pytest.mark.xfail(
    raises=AssertionError,
    reason="C code searches a range by its length, which it takes from __len__",
)
def test_bisect_over_a_symbolic_range_follows_its_length(explore):
    results, pins = explore(
        """
import bisect

def f(x):
    return 1 if bisect.bisect(range(x), 5) == 3 else 2
"""
    )
    assert 1 in results or pins


@pytest.mark.xfail(
    raises=AssertionError, reason="an operator of a library object made by library code runs plain"
)
def test_an_operator_of_an_object_the_library_made_is_rewritten(explore, tmp_path, monkeypatch):
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "far_away.py").write_text(
        "class Weight:\n"
        "    def __add__(self, other):\n"
        "        return [0] + [1] * bytes([other % 256])[0]\n"
        "def make():\n"
        "    return Weight()\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    results, pins = explore(
        """
import far_away

def f(x):
    return 1 if len(far_away.make() + x) == 8 else 2
"""
    )
    assert 1 in results or pins


@pytest.mark.xfail(raises=AssertionError, reason="code given to eval() is compiled as it is")
def test_code_given_to_eval_is_rewritten(explore):
    results, pins = explore(
        """
def f(x):
    return 1 if eval("bytes([x % 256])[0]") == 7 else 2
"""
    )
    assert 1 in results or pins


@pytest.mark.xfail(
    raises=AssertionError, reason="a special method set from outside its class is not seen"
)
def test_a_special_method_set_from_outside(explore):
    results, pins = explore(
        """
class Box:
    def __init__(self, value):
        self.value = value

Box.__len__ = lambda self: self.value

def f(x):
    return 1 if len(Box(x)) == 7 else 2
"""
    )
    assert 1 in results or pins


@pytest.mark.xfail(raises=AssertionError, reason="an attribute of a C type reads what it is given")
def test_an_attribute_of_a_c_type_is_set(explore):
    results, pins = explore(
        """
def f(x):
    error = UnicodeDecodeError("utf-8", b"abc", 0, 1, "why")
    error.start = x % 3
    return 1 if error.start == 2 else 2
"""
    )
    assert 1 in results or pins
