"""What happens when rewritten code calls something that is not rewritten."""

import pytest


def test_a_pin_names_the_c_function(explore):
    seen = explore("import math\ndef f(x):\n    return math.gamma(x % 50 + 1)\n", max_paths=3)
    assert seen.pins == {"argument of math.gamma()"}


def test_values_deep_in_containers_are_pinned(explore):
    seen = explore(
        """
        import marshal

        def f(x):
            return marshal.loads(marshal.dumps({"a": [([{"b": (x,)}],)]}))
        """,
        max_paths=3,
    )
    assert seen.pins == {"argument of marshal.dumps()"}


def test_a_container_that_holds_itself_is_searched_once(explore):
    seen = explore(
        """
        import math

        def f(x):
            items = [x]
            items.append(items)
            try:
                return math.fsum(items)
            except TypeError:
                return "not numbers"
        """,
        max_paths=3,
    )
    assert seen.results == {"'not numbers'"}


@pytest.mark.parametrize(
    "items",
    ["(v for v in [x])", "map(abs, [x])", "iter([x])", "{'a': x}.values()", "reversed([x])"],
)
def test_what_an_iterator_brings_is_pinned(explore, items):
    seen = explore(f"import array\ndef f(x):\n    return array.array('q', {items})\n", max_paths=10)
    assert {pin.partition("argument of ")[1] for pin in seen.pins} == {"argument of "}


def test_bools_are_real_bools_for_c_code(explore):
    seen = explore(
        "import json\ndef f(x):\n    return json.dumps({'big': x > 3, 'list': [x < 3]})\n"
    )
    assert len(seen.results) == 3
    assert not seen.pins


def test_a_callback_in_c_is_replaced_by_its_model(explore):
    seen = explore("def f(x):\n    return 1 if list(map(int, [x]))[0] == 7 else 2\n")
    assert seen.results == {"1", "2"}
    assert not seen.pins


def test_a_callback_without_a_model_pins(explore):
    source = "import math\ndef f(x):\n    return list(map(math.erf, [x]))[0] == 0.0\n"
    seen = explore(source, max_paths=4)
    assert seen.pins == {"argument of math.erf()"}


def test_a_partial_calls_the_model_of_its_function(explore):
    seen = explore(
        """
        from functools import partial

        def add(a, b):
            return a + b

        def f(x):
            if partial(add, x)(1) == 8:
                return "added"
            return "int" if partial(int)(x) == 3 else "other"
        """
    )
    assert len(seen.results) == 3
    assert not seen.pins


def test_classes_of_the_target_take_symbolic_values_whole(explore):
    seen = explore(
        """
        from dataclasses import dataclass, field
        from typing import NamedTuple
        from collections import namedtuple

        class Plain:
            def __init__(self, value):
                self.value = value

        class Items(list):
            pass

        class Problem(Exception):
            pass

        class Slotted:
            __slots__ = ("value",)
            def __new__(cls, value):
                made = super().__new__(cls)
                made.value = value
                return made

        @dataclass
        class Record:
            value: int
            others: list = field(default_factory=list)

        @dataclass(frozen=True)
        class Frozen:
            value: int

        class Pair(NamedTuple):
            value: int

        Old = namedtuple("Old", "value")

        def f(x):
            made = [Plain(x), Slotted(x), Record(x), Frozen(x), Pair(x), Old(value=x)]
            if sum(each.value for each in made) == 42:
                return "seven"
            return 1 if Items([x])[0] + Problem(x).args[0] == 18 else 2
        """
    )
    assert seen.results == {"'seven'", "1", "2"}
    assert not seen.pins


def test_a_subclass_of_int_pins_its_value(explore):
    seen = explore(
        """
        class Money(int):
            pass

        def f(x):
            return Money(x) == 7
        """,
        max_paths=4,
    )
    (reason,) = seen.pins
    assert reason.startswith("argument of ") and reason.endswith(".Money()")


def test_a_callable_object_of_the_target_is_no_c_function(explore):
    seen = explore(
        """
        class Adder:
            def __init__(self, step):
                self.step = step
            def __call__(self, value):
                return value + self.step

        def f(x):
            return 1 if Adder(x)(x) == 14 else 2
        """
    )
    assert seen.results == {"1", "2"}
    assert not seen.pins


def test_a_python_function_of_the_library_is_rewritten_when_called(explore):
    seen = explore(
        """
        import heapq

        def f(x):
            return 1 if heapq.nlargest(1, [x, 3])[0] == 7 else 2
        """
    )
    assert seen.results == {"1", "2"}
    assert not seen.pins


def test_a_library_function_that_meets_values_in_a_generator_is_rewritten(explore):
    seen = explore(
        """
        import statistics

        def f(x):
            return statistics.mode(v % 4 for v in [x, 1, 1]) == 1
        """,
        max_paths=10,
    )
    assert "True" in seen.results


def test_a_cache_is_asked_for_equal_arguments(explore):
    seen = explore(
        """
        from functools import lru_cache

        @lru_cache
        def double(v):
            return v * 2

        def f(x):
            return double(x) == 14
        """,
    )
    assert (seen.paths, seen.pins, seen.exhaustive) == (1, set(), True)


def test_sorting_by_a_getter_pins_nothing(explore):
    seen = explore(
        """
        from functools import cmp_to_key
        from operator import attrgetter, itemgetter

        def f(x, y):
            pairs = sorted([(x, 1), (y, 2)], key=itemgetter(0))
            others = sorted([x, y], key=cmp_to_key(lambda a, b: a - b))
            real = max([x, y], key=attrgetter("real"))
            return pairs[0][1], others[0] == x, real == x
        """,
        names="xy",
    )
    assert len(seen.results) >= 2
    assert not seen.pins
