"""A call that touches nothing outside does the same again, and only such a call is said to."""

import pytest

from pef.isolation.quarters import Quarters

PROGRAM = """\
import os, random, re, time

def divides(n):
    return 1 // n

def looks_inside(n):
    namespace = {}
    exec("x = [n for n in range(3)]", namespace)
    return re.sub("a+", "b", "caat"), eval("x", namespace), divides.__code__.co_name

def opens(n):
    with open(__file__) as file:
        return len(file.read()) // n

def lists(n):
    return len(os.listdir(".")) // n

def draws(n):
    return random.random() // n

def asks_the_time(n):
    return time.time() // n

def tells_objects_apart(n):
    return id(object()) // n

def loads(n):
    import colorsys
    return 1 // n
"""
WITHIN = ("divides", "looks_inside")
OUTSIDE = ("opens", "lists", "draws", "asks_the_time", "tells_objects_apart", "loads")
THREAD = """\
import threading

def starts_a_thread(n):
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
"""


@pytest.fixture
def confined(replayer, tmp_path):
    def make(qualname, program=PROGRAM):
        (tmp_path / "own").mkdir(exist_ok=True)
        return replayer(program, qualname, quarters=Quarters(["all"], str(tmp_path / "own")))

    return make


@pytest.mark.parametrize("name", WITHIN)
@pytest.mark.parametrize("n", ["0", "1"])
def test_what_touches_nothing_outside_is_contained(confined, name, n):
    assert confined(name).replay([n]).contained


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("n", ["0", "1"])
def test_what_touches_something_outside_is_not(confined, name, n):
    assert not confined(name).replay([n]).contained


def test_what_starts_a_thread_is_not_contained(confined):
    assert not confined("starts_a_thread", THREAD).replay(["0"]).contained


def test_nothing_is_certain_where_nobody_looks(replayer):
    assert not replayer(PROGRAM, "divides").replay(["1"]).contained


def test_nothing_is_certain_beside_code_that_raises_no_events(confined):
    program = f"import sys\nsys.modules['_ssl'] = sys\n{PROGRAM}"
    assert not confined("divides", program).replay(["1"]).contained
