"""Items come out in order with their outcomes, and none is lost or late."""

import time

import pytest

from pef.replay.pipeline import Request, pipelined


def request(number):
    return None if number % 5 == 4 else Request([str(number), "1"], {})


def results(pairs):
    return [(number, outcome and outcome.result) for number, outcome in pairs]


def expected(numbers):
    return [(number, None if number % 5 == 4 else str(number + 1)) for number in numbers]


def test_every_item_comes_out_in_order_with_its_own_outcome(ordinary):
    replayer = ordinary("add")
    assert results(pipelined(replayer, range(500), request)) == expected(range(500))


def test_a_slow_source_holds_nothing_back(ordinary):
    replayer = ordinary("add")
    given = []

    def source():
        for number in range(4):
            time.sleep(0.05)
            given.append(number)
            yield number

    for number, _ in pipelined(replayer, source(), request):
        assert given[-1] == number


def test_a_source_is_not_run_far_ahead(ordinary):
    replayer = ordinary("add")
    given = []

    def source():
        for number in range(1000):
            given.append(number)
            yield number

    next(iter(pipelined(replayer, source(), request)))
    assert len(given) <= 66


@pytest.mark.parametrize("problem", [KeyboardInterrupt, RuntimeError])
def test_what_came_before_a_failure_comes_out_before_it(ordinary, problem):
    def source():
        yield from range(30)
        raise problem

    seen = []
    with pytest.raises(problem):
        for pair in pipelined(ordinary("add"), source(), request):
            seen.append(pair)
    assert results(seen) == expected(range(30))
