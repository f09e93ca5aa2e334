"""Calls that should return share a process; there only what is expected is believed."""

import pytest

from pef import explore
from pef.replay.wire import encode_calls

SHARING = """\
import os, signal, time
seen = []

def process(n):
    return os.getpid()

def remembers(n):
    seen.append(n)
    return len(seen)

def spoils_the_next(n):
    seen.append(n)
    if len(seen) == 2:
        {spoiled}
    return n

def goes_wrong(n):
    if n == 1:
        {spoiled}
    return n

def forks(n):
    os.fork()
    return n

def leaves_the_answer_to_a_fork(n):
    if os.fork():
        raise ValueError
    return n

def talks(n):
    print("out", n)
    os.write(2, b"err")
    return n

class Thing:
    pass

def thing(n):
    return Thing(), n
"""


@pytest.fixture
def sharing(replayer):
    def make(qualname, spoiled="pass", **options):
        return replayer(SHARING.format(spoiled=spoiled), qualname, **options)

    return make


def outcomes(replay, results):
    tickets = [replay.submit([str(n)], expected=result) for n, result in enumerate(results)]
    return [replay.result(ticket) for ticket in tickets]


def test_what_does_as_expected_shares_a_process(sharing):
    replay = sharing("process")
    first = replay.replay(["0"]).result
    assert replay.replay(["0"]).result != first, "alone, each call has a process of its own"
    replay = sharing("remembers")
    found = outcomes(replay, ["1", "2", "3"])
    assert [each.result for each in found] == ["1", "2", "3"]


def test_a_child_starts_afresh_after_so_many_calls(sharing):
    found = outcomes(sharing("remembers"), [str(n + 1) for n in range(256)] + ["1", "2"])
    assert [each.result for each in found] == [str(n + 1) for n in range(256)] + ["1", "2"]


def test_what_earlier_calls_left_behind_does_not_decide(sharing):
    found = outcomes(sharing("remembers"), ["1"] * 20)
    assert [each.result for each in found] == ["1"] * 20


@pytest.mark.parametrize(
    "spoiled",
    [
        "os._exit(0)",
        "os.kill(os.getpid(), signal.SIGSEGV)",
        "raise ValueError",
        "os.closerange(0, 99)",
        "time.sleep(60)",
    ],
)
def test_a_call_that_goes_wrong_among_others_is_made_again_alone(sharing, spoiled):
    found = outcomes(sharing("spoils_the_next", spoiled, timeout=20), list("01234"))
    assert [(each.status, each.result) for each in found] == [("returned", n) for n in "01234"]


def test_an_unexpected_result_is_what_a_process_of_its_own_says(sharing):
    found = outcomes(sharing("remembers"), ["7", "7"])
    assert [each.result for each in found] == ["1", "1"]


def test_the_answer_of_a_forked_process_is_not_taken_for_that_of_the_next_call(sharing):
    found = outcomes(sharing("forks"), list("0123456789"))
    assert [each.result for each in found] == list("0123456789")


def test_each_call_has_its_own_output(sharing):
    found = outcomes(sharing("talks"), list("012"))
    assert [(each.stdout, each.stderr) for each in found] == [(f"out {n}\n", "err") for n in "012"]


def test_addresses_are_not_expected_to_be_the_same(sharing):
    found = outcomes(sharing("thing"), [f"(<program.Thing object at 0x1>, {n})" for n in range(5)])
    assert all("Thing object at 0x" in each.result for each in found)


def test_two_explorations_at_once_do_not_hold_each_other_open():
    import time

    def same(x: int) -> int:
        return x

    first, second = explore(same), explore(same)
    started = time.monotonic()
    first.close()
    second.close()
    assert time.monotonic() - started < 3


def test_a_call_of_its_own_does_not_end_the_shared_process(sharing):
    replay = sharing("remembers")
    for number in range(1, 5):
        assert replay.replay(["0"], expected=str(number)).result == str(number)
        assert replay.replay(["0"]).result == "1"


def confirmed(replay, qualname, results):
    calls = [
        {"args": [str(n)], "kwargs": {}, "variables": {}, "result": result}
        for n, result in enumerate(results)
    ]
    ticket = replay.submit_all(encode_calls(calls), qualname)
    return replay.result(ticket).status == "confirmed"


def test_one_answer_is_given_for_many_calls(sharing):
    replay = sharing("thing")
    names = [str(n) for n in range(300)]
    assert confirmed(replay, "spoils_the_next", names)
    assert confirmed(replay, "talks", names)
    assert not confirmed(replay, "spoils_the_next", [*names[:-1], "0"])


@pytest.mark.parametrize(
    "spoiled", ["os._exit(0)", "raise ValueError", "os.closerange(3, 99)", "time.sleep(60)"]
)
def test_calls_of_which_one_goes_wrong_are_not_confirmed(sharing, spoiled):
    replay = sharing("goes_wrong", spoiled, timeout=20)
    assert not confirmed(replay, "goes_wrong", "0123")
    assert replay.replay(["0"]).result == "0", "and the next one is asked as ever"


def test_calls_that_are_confirmed_find_nothing_that_others_left(sharing):
    replay = sharing("remembers", "raise ValueError")
    assert confirmed(replay, "remembers", "11")
    for results in ("12", "1234", "1243", "2134", "1111"):
        assert not confirmed(replay, "remembers", results)
    assert not confirmed(replay, "spoils_the_next", "0123"), "they must be asked for one by one"
    assert confirmed(replay, "spoils_the_next", "01")


def test_a_forked_process_cannot_answer_for_another(sharing):
    replay = sharing("forks")
    confirmed(replay, "forks", "0123")
    assert not confirmed(replay, "leaves_the_answer_to_a_fork", "0123")
    assert confirmed(replay, "spoils_the_next", "0123")
