"""Rows 21 to 23: chance, solvers and lying objects."""

import pytest

LOOKS = {
    "random": "random.randint(0, 10**9)",
    "Random": "random.Random().getrandbits(30)",
    "SystemRandom": "random.SystemRandom().getrandbits(30)",
    "secrets": "secrets.randbits(30)",
    "urandom": "int.from_bytes(os.urandom(4), 'big')",
    "getrandom": "int.from_bytes(os.getrandom(4), 'big')",
    "uuid1": "uuid.uuid1().int",
    "uuid4": "uuid.uuid4().int",
    "time": "time.time_ns()",
    "monotonic": "time.monotonic_ns()",
    "perf_counter": "time.perf_counter_ns()",
    "process_time": "time.process_time_ns()",
    "clock_gettime": "time.clock_gettime_ns(time.CLOCK_REALTIME)",
    "localtime": "time.localtime().tm_year",
    "strftime": "int(time.strftime('%Y'))",
    "now": "datetime.datetime.now().microsecond",
    "now in a zone": "datetime.datetime.now(datetime.timezone.utc).microsecond",
    "datetime.today": "datetime.datetime.today().microsecond",
    "date.today": "datetime.date.today().toordinal()",
}
CHANCE, CLOCK = "random numbers are always the same", "the clock is set"


@pytest.mark.row(21)
def test_chance_and_clock_are_the_same_in_every_run_and_replay(bench):
    functions = "".join(
        f"""
        def f{number}(x: int) -> int:
            if x == {look}:
                return [1][1]
            return 0
        """
        for number, look in enumerate(LOOKS.values())
    )
    checked = bench.check(f"""
        import datetime, os, random, secrets, time, uuid
        {functions}
    """)
    for number, name in enumerate(LOOKS):
        found = [each for each, _, _ in checked.of(f"f{number}")]
        # Whoever pastes the call has neither this clock nor these dice.
        assert found == ["flaky"], name
        reasons = checked.function(f"f{number}")["reasons"]
        assert {CHANCE, CLOCK} & set(reasons), name


@pytest.mark.row(21)
def test_that_holds_for_modules_that_are_imported_in_the_midst_of_a_run(bench):
    looks = [LOOKS[each] for each in ("random", "Random", "SystemRandom", "now", "date.today")]
    functions = "".join(
        f"""
        def f{number}(x: int) -> int:
            import {look.partition(".")[0].partition("(")[0]}

            if x == {look}:
                return [1][1]
            return 0
        """
        for number, look in enumerate(looks)
    )
    checked = bench.check(functions)
    for number, look in enumerate(looks):
        assert [each for each, _, _ in checked.of(f"f{number}")] == ["flaky"], look


@pytest.mark.row(21)
def test_who_sleeps_sees_that_time_has_passed(bench):
    checked = bench.check("""
        import datetime, time

        def f(x: int) -> int:
            clock, steady, now = time.time(), time.monotonic(), datetime.datetime.now()
            time.sleep(0.05)
            assert time.time() - clock >= 0.05
            assert time.monotonic() - steady >= 0.05
            assert datetime.datetime.now() - now >= datetime.timedelta(seconds=0.05)
            return x

        def g(x: int) -> int:
            import asyncio

            async def wait():
                await asyncio.sleep(0.05)
                return x

            return asyncio.run(wait())
    """)
    assert checked.of("f") == checked.of("g") == []


@pytest.mark.row(21)
def test_environment_and_folder_are_put_back_after_each_run(bench):
    checked = bench.check("""
        import locale, os

        def f(x: int) -> int:
            assert "SEEN" not in os.environ and os.path.exists("m.py")
            assert os.environ["TZ"] == "UTC" and os.environ["LC_ALL"] == "C.UTF-8"
            os.environ["SEEN"] = "1"
            os.chdir("/")
            if x > 3:
                return 1
            return 0
    """)
    assert checked.of("f") == []
    assert checked.function("f")["paths"] == 2


@pytest.mark.row(21)
def test_sets_have_the_same_order_in_every_check(bench):
    bench.write("""
        def f(x: int) -> str:
            order = ",".join({"one", "two", "three", "four", "five", "six", "seven"})
            if x == 3:
                return {}[order]
            return order
    """)
    words = ("m.py", "--no-cache", "--output-format", "concise")
    environment = {"PYTHONHASHSEED": ""}
    told = [bench.start(*words, env=environment).communicate(timeout=60)[0] for _ in range(3)]
    first = {each.splitlines()[0] for each in told}  # the last line has the time it took
    assert len(first) == 1
    assert b"KeyError" in first.pop()


@pytest.mark.row(21)
def test_what_differs_each_time_is_flaky(bench):
    checked = bench.check("""
        import os

        def f(key: str) -> int:
            if os.getpid() % 2:
                return int(key)
            return ord(key)
    """)
    found = checked.of("f")
    assert {name for name, _, _ in found} == {"flaky"}
    assert all("; the same call again: " in message for _, _, message in found)
    assert checked.function("f")["verdict"] == "error"


@pytest.mark.row(21)
@pytest.mark.parametrize(
    "look, reason",
    [
        ("os.getpid()", "the number of the process differs each time"),
        ("id(object())", "addresses of objects differ each time"),
        ("os.times().elapsed", "processor time and load differ each time"),
        ("os.getloadavg()", "processor time and load differ each time"),
        ("sys.getallocatedblocks()", "the number of objects in memory differs each time"),
        ("gc.get_count()", "the number of objects in memory differs each time"),
        ("gc.get_objects(generation=0)", "the number of objects in memory differs each time"),
    ],
)
def test_code_that_looks_at_what_differs_each_time_is_not_proved(bench, look, reason):
    checked = bench.check(f"""
        import gc, os, sys

        def f(x: int) -> int:
            return x if {look} else 0
    """)
    assert checked.of("f") == []
    assert checked.function("f")["verdict"] == "no-error-found"
    assert checked.function("f")["reasons"] == [reason]


@pytest.mark.row(21)
@pytest.mark.parametrize(
    "look",
    [
        "time.gmtime(x * 86400).tm_mday == 6",
        "time.ctime(x * 86400).startswith('Tue Jan  6')",
        "time.strftime('%d', (2024, 1, x + 1, 0, 0, 0, 0, 1, 0)) == '06'",
        "random.Random(x).randrange(10) == 3",
    ],
)
def test_what_clocks_and_chance_are_given_is_not_lost(bench, look):
    checked = bench.check(f"""
        import random, time

        def f(x: int) -> int:
            \"\"\":assume: 0 <= x <= 9\"\"\"
            return 1 // 0 if {look} else 0
    """)
    assert [code for code, *_ in checked.of("f")] == ["division-by-zero"]


@pytest.mark.row(22)
def test_what_the_solver_cannot_decide_stays_open_and_the_budget_holds(bench):
    checked = bench.check(
        """
        def f(a: int, b: int, c: int) -> int:
            if a > 1 and b > 1 and c > 1 and a * a * a + b * b * b == c * c * c:
                return 1 // 0
            return 0
        """,
        *("--timeout", "4"),
    )
    assert checked.of("f") == []
    assert checked.function("f")["verdict"] == "no-error-found"
    assert checked.function("f")["seconds"] <= 1.2 * 4


@pytest.mark.row(23)
def test_objects_that_lie_about_themselves_are_judged_by_the_replay(bench):
    checked = bench.check("""
        class Liar:
            def __init__(self, x: int) -> None:
                self.x = x

            def __repr__(self) -> str:
                raise RuntimeError("no")

            def __eq__(self, other: object) -> bool:
                raise RuntimeError("no")

            __hash__ = None

        def f(liar: Liar) -> int:
            return 1 // liar.x
    """)
    checked.fails(("division-by-zero", "f(Liar(0))"))


@pytest.mark.row(23)
def test_what_cannot_be_made_again_or_sent_costs_only_its_path(bench):
    checked = bench.check("""
        import threading

        class Unpicklable:
            def __init__(self, x: int) -> None:
                self.x = x
                self.lock = threading.Lock()

            def __reduce__(self):
                raise TypeError("no")

            def __hash__(self) -> int:
                raise ValueError("no")

        def f(thing: Unpicklable) -> Unpicklable:
            if thing.x == 3:
                {thing: 1}
            return thing
    """)
    assert checked.of("f") == []
    assert checked.function("f")["verdict"] == "proved"


@pytest.mark.row(21)
def test_a_failure_that_needs_no_particular_time_or_chance_is_an_error(bench):
    checked = bench.check("""
        import datetime, random

        def year(x: int) -> int:
            return datetime.datetime.now().year // x

        def dice(x: int) -> int:
            return random.randint(1, 6) // x
    """)
    for name in ("year", "dice"):
        assert [each for each, _, _ in checked.of(name)] == ["division-by-zero"], name
