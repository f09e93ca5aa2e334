"""What counts as new."""

import os
import sys
import textwrap

import pytest

from pef.scout.coverage import Interest, Tracing, coverage


def branching(number):
    if number > 3:
        number -= 1
    try:
        return 10 // number
    except ZeroDivisionError:
        return text(number)


def text(number):
    return textwrap.dedent(str(number))


def loop(number):
    while number:
        number -= 1


@pytest.fixture(params=["tracing", "cheapest"])
def watch(request):
    reached = []
    make = Tracing if request.param == "tracing" else coverage
    watching = make(Interest(lambda file: file == __file__), lambda code, _: reached.append(code))

    def run(function, *arguments):
        watching.start()
        try:
            function(*arguments)
        finally:
            news = watching.stop()
        return [code.co_name for code in news]

    run.reached = reached
    yield run
    watching.rest()


def test_a_way_is_new_once(watch):
    assert "branching" in watch(branching, 1)
    assert watch(branching, 2) == []
    assert "branching" in watch(branching, 5)
    assert watch(branching, 6) == []


def test_an_exception_is_news_of_the_function_it_passes(watch):
    watch(branching, 1)
    assert {"branching", "text", "dedent"} <= set(watch(branching, 0))
    assert watch(branching, 0) == []


def test_functions_are_announced_when_first_reached(watch):
    watch(branching, 1)
    assert branching.__code__ in watch.reached
    assert text.__code__ not in watch.reached
    watch(branching, 0)
    assert watch.reached.count(text.__code__) == 1
    assert watch.reached.count(branching.__code__) == 1


def test_a_long_loop_ends(watch):
    assert "loop" in watch(loop, 100_000)
    assert watch(loop, 100_000) == []


def test_a_tracer_that_was_there_is_put_back():
    def mine(frame, event, argument):
        return None

    watching = Tracing(Interest(lambda file: False), lambda code, frame: None)
    before = sys.gettrace()
    sys.settrace(mine)
    try:
        watching.start()
        watching.stop()
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)


def test_the_project_and_its_libraries_are_of_interest_but_no_plumbing():
    interest = Interest(lambda file: file == "<cell>")
    assert interest("<cell>")
    assert not interest("<string>")
    assert interest("/somewhere/site-packages/toml/decoder.py")
    assert interest(textwrap.__file__)
    assert not interest(os.path.join(os.path.dirname(os.__file__), "enum.py"))
    assert not interest(sys.modules["pef.scout.coverage"].__file__)
