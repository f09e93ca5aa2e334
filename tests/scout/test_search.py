"""Runs of the scout: repeatable, quiet, bounded, and true to the contract."""

import os
import signal
import subprocess
import sys
import time

import pytest

ran = []


held = []


def fills_up(text: str) -> int:
    held.append(text)
    return 1 // (len(held) < 40 and text != "2020-01-01")


def fills_up_soon(text: str) -> int:
    held.append(text)
    return 1 // (len(held) < 4 and text != "2020-01-01")


def every_other_time(text: str) -> int:
    held.append(text)
    return 1 // (len(held) % 2)


def recorded(text: str, number: int) -> int:
    """:assume: number > 0, len(text) > 1"""
    ran.append((text, number))
    return 1 // len(text)


def broken_promise(number: int) -> int:
    """:ensure: returnv >= 0"""
    return number


def declared(text: str) -> int:
    """:raises: ValueError: True"""
    return int(text) + len(text[9])


def noisy(text: str) -> str:
    print(text)
    sys.stderr.write(text)
    return input()


def changes_its_argument(items: list[int]) -> None:
    items.append(1)
    assert len(items) < 50


def endless(number: int) -> None:
    while number == 0:
        try:
            time.sleep(0.001)
        except Exception:
            continue


def leaves(number: int) -> None:
    sys.exit(number)


def deep(number: int) -> int:
    return deep(number + 1)


def three(flag: bool, other: bool) -> None:
    """Has four inputs."""


def places(text: str) -> int:
    if text == "":
        raise KeyError(text)
    if text == " ":
        raise KeyError(text)
    return 0


def generator(number: int):
    yield 1
    yield 10 // number


async def later(number: int) -> int:
    return 10 // number


class Trap(list):
    def __iter__(self):
        raise RuntimeError("mining must run nobody's code")

    def __getitem__(self, index):
        raise RuntimeError("mining must run nobody's code")


TRAP = Trap(["sesame"])


def opens(text: str) -> int:
    return 1 // 0 if list.__contains__(TRAP, text) else 0


def sightings_in_a_new_process(name, calls, hash_seed):
    here = os.path.dirname(__file__)
    program = (
        f"import sys; sys.path.insert(0, {here!r})\n"
        "import planted, itertools\n"
        "from pef.contracts import read\n"
        "from pef.scout import scout\n"
        "ticks = itertools.count()\n"
        f"search = scout(planted.{name}, read(planted.{name}), seconds={calls}, seed=5,\n"
        "    project_files=lambda file: 'planted' in file, clock=lambda: float(next(ticks)))\n"
        "print([(each.args_source, each.calls) for each in search], search.seeds)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_the_same_seed_gives_the_same_sightings():
    one, other = (sightings_in_a_new_process("key_and_value", 6_000, "0") for _ in range(2))
    assert one == other
    assert "retries" in one


@pytest.mark.parametrize("name", ["five_fields", "nested"])
def test_the_hash_seed_changes_nothing(name):
    assert len({sightings_in_a_new_process(name, 1_500, seed) for seed in "12"}) == 1


def test_inputs_that_break_an_assumption_are_not_called(scouting):
    ran.clear()
    search = scouting(recorded, calls=500)
    assert list(search) == []
    assert ran
    assert all(number > 0 and len(text) > 1 for text, number in ran)
    assert search.excluded + len(ran) == search.calls


def test_a_broken_promise_is_a_sighting_without_an_exception(scouting):
    (sighting,) = scouting(broken_promise, calls=200)
    assert sighting.exception is None
    assert sighting.violated.text == "returnv >= 0"
    assert sighting.args_source == ["-1"]


def test_a_sighting_says_whether_the_exception_was_declared(scouting):
    sightings = {type(each.exception): each for each in scouting(declared, calls=500)}
    assert sightings[ValueError].violated is None
    assert sightings[IndexError].violated is not None


def test_causes_that_are_not_wanted_are_passed_over(scouting):
    search = scouting(
        declared, calls=500, wanted=lambda outcome: not isinstance(outcome.exception, ValueError)
    )
    assert [type(each.exception) for each in search] == [IndexError]


def test_each_place_is_seen_once(scouting):
    sightings = list(scouting(places, calls=300))
    assert [each.args_source for each in sightings] == [["''"], ["' '"]]
    assert sightings[0].place.line + 2 == sightings[1].place.line
    assert sightings[0].project_place == sightings[0].place


def test_what_earlier_calls_left_behind_is_no_sighting(scouting):
    held.clear()
    (seen,) = scouting(fills_up, restore=held.clear)
    assert seen.args_source == ["'2020-01-01'"]


def test_an_input_does_not_shrink_to_one_that_fails_for_earlier_calls(scouting):
    held.clear()
    (seen,) = scouting(fills_up_soon, restore=held.clear)
    assert seen.args_source == ["'2020-01-01'"]


def test_a_failure_that_comes_and_goes_is_told_some_day(scouting):
    held.clear()
    assert len(list(scouting(every_other_time, restore=lambda: None))) == 1


def test_calls_are_silent_and_read_nothing(scouting, capfd):
    streams = sys.stdout, sys.stderr, sys.stdin
    (sighting,) = scouting(noisy, calls=50)
    assert type(sighting.exception) is EOFError
    assert (sys.stdout, sys.stderr, sys.stdin) == streams
    assert capfd.readouterr() == ("", "")


def test_what_a_call_does_to_its_arguments_is_not_seen_by_the_next(scouting):
    assert list(scouting(changes_its_argument, calls=300)) == []


def test_a_call_that_takes_too_long_is_stopped_and_remembered(scouting):
    search = scouting(endless, calls=5)
    search._calls._watch._limit = 0.05
    assert list(search) == []
    assert [seed.values for seed in search.slow] == [(0,)]


def test_leaving_the_process_is_an_exception_like_any_other(scouting):
    sightings = list(scouting(leaves, calls=20))
    assert [type(each.exception) for each in sightings] == [SystemExit]


def test_endless_recursion_is_one_sighting(scouting):
    sightings = list(scouting(deep, calls=30))
    assert [type(each.exception) for each in sightings] == [RecursionError]


@pytest.mark.parametrize("function", [generator, later])
def test_generators_and_coroutines_are_run_to_their_end(scouting, function):
    (sighting,) = scouting(function, calls=30)
    assert type(sighting.exception) is ZeroDivisionError
    assert sighting.args_source == ["0"]


def test_the_search_ends_when_every_input_was_tried(scouting):
    search = scouting(three, calls=10_000)
    assert list(search) == []
    assert search.calls == 4
    assert search.ended == "every input was tried"


def test_the_search_ends_when_nothing_new_is_reached(scouting, monkeypatch):
    monkeypatch.setattr("pef.scout.search._PATIENCE", 100)
    search = scouting(broken_promise, calls=10_000, wanted=lambda outcome: False)
    assert list(search) == []
    assert search.ended == "nothing new was reached in the last 101 calls"


def test_handlers_and_tracers_are_as_before(scouting):
    handler, tracer = signal.getsignal(signal.SIGALRM), sys.gettrace()
    for _ in scouting(places, calls=50):
        assert signal.getsignal(signal.SIGALRM) == handler
        assert sys.gettrace() is tracer
        if sys.version_info >= (3, 12):
            assert "pef scout" not in map(sys.monitoring.get_tool, range(6))
    assert signal.getsignal(signal.SIGALRM) == handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_words_are_mined_without_running_code(scouting):
    (sighting,) = scouting(opens, calls=300)
    assert type(sighting.exception) is ZeroDivisionError
    assert sighting.args_source == ["'sesame'"]


def test_the_traceback_starts_in_the_function(scouting):
    sighting = next(iter(scouting(places, calls=10)))
    assert sighting.exception.__traceback__.tb_frame.f_code is places.__code__


def test_handlers_are_as_before_while_the_state_is_put_back(scouting):
    held.clear()
    before = signal.getsignal(signal.SIGALRM)
    found = []

    def restore():
        found.append(signal.getsignal(signal.SIGALRM))
        held.clear()

    list(scouting(fills_up, calls=200, restore=restore))
    assert found
    assert set(found) == {before}
