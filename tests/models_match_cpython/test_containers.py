"""Lists, dicts, sets: one decision per question, nothing pinned, nothing lost."""

import sys

import pytest


@pytest.mark.parametrize(
    "kind", [list, tuple, dict, set, frozenset], ids=lambda kind: kind.__name__
)
def test_every_public_method_has_a_row(kind):
    from pef.models.table import operations

    names = {row.name for row in operations() if row.type == kind.__name__}
    missing = {name for name in dir(kind) if not name.startswith("_")} - names
    assert not missing


@pytest.mark.parametrize(
    "kind", [list, tuple, dict, set, frozenset], ids=lambda kind: kind.__name__
)
def test_nine_in_ten_public_methods_are_not_pinned(kind):
    from pef.models.table import Treatment, operations

    public = [name for name in dir(kind) if not name.startswith("_")]
    treated = {
        row.name
        for row in operations()
        if row.type == kind.__name__ and row.treatment is not Treatment.PINNED
    }
    assert sum(name in treated for name in public) >= 0.9 * len(public)


# How many paths a user sees.


@pytest.mark.parametrize(
    ("source", "paths"),
    [
        ("[10, 20, 30][x:]", 4),
        ("[10, 20, 30][x:][:2]", 4),
        ("(1, 2)[:x]", 3),
        ("[1, 2, 3].insert(x, 5)", 5),
        ("{1: 2, 3: 4}.get(x)", 3),
        ("{1: 2, 3: 4}.get(x, 0) + 1 > 2", 3),
        ("1 if x in {1, 2} else 0", 2),
        ("len({x, 1})", 2),
        ("{x: 1}.get(1)", 2),
        ("len({x, 1, 2})", 3),
        ("{x} == {1}", 2),
        ("len({v: 1 for v in [x, 5]})", 2),
        ("[] * x", 2),
        ("{(x, 1): 2}.get((5, 1))", 2),
        ("{(x, 1): 2}.get((5, 2))", 1),
    ],
)
def test_questions_are_single_decisions(explore, source, paths):
    seen = explore(f"def f(x: int):\n    return {source}")
    assert (seen.paths, seen.pins, seen.exhaustive) == (paths, set(), True)


def test_a_key_found_once_is_known(explore):
    seen = explore(
        """
        def f(x: int):
            counts = {}
            counts[x] = counts.get(x, 0) + 1
            counts[x] = counts.get(x, 0) + 1
            return counts[x]
        """
    )
    assert seen.paths == 1
    assert seen.results == {"2"}
    assert seen.exhaustive


def test_two_keys_are_equal_or_not(explore):
    seen = explore(
        """
        def f(x: int, y: int):
            table = {x: 1}
            table[y] = 2
            return len(table)
        """,
        names="xy",
    )
    assert seen.results == {"1", "2"}
    assert seen.paths == 2
    assert seen.exhaustive


def test_the_order_of_insertion_is_kept(explore):
    seen = explore(
        """
        def f(x: int):
            table = {3: 'a', x: 'b', 5: 'c'}
            return list(table.values())
        """
    )
    assert seen.results == {"['b', 'c']", "['a', 'c']", "['a', 'b', 'c']"}
    assert not seen.pins


@pytest.mark.parametrize(
    "source",
    [
        "7 in {x: 1}",
        "7 in {x: 1}.keys()",
        "7 in {x}",
        "7 in frozenset([x])",
        "(7, 1) in {x: 1}.items()",
        "7 in {v for v in [x]}",
        "7 in {v: 1 for v in [x]}",
        "7 in {**{x: 1}}",
        "7 in {*[x]}",
        "7 in {x} | {1}",
        "7 in {1} | {x}",
        "7 in ({x} & {7, 8})",
        "7 in (frozenset([7, 8]) & {x})",
        "7 not in ({7} - {x})",
        "7 not in (frozenset([7]) - {x})",
        "7 in ({}.keys() | {x})",
        "7 in ({7: 0}.keys() & {x})",
        "7 not in ({7: 0}.keys() - {x})",
        "7 not in ({7: 0}.keys() ^ {x})",
        "7 in ({x} & {7: 0}.keys())",
        "(7, 1) not in ({7: 1}.items() - {(x, 1)})",
        "frozenset([7]) == {x}",
        "{7} == frozenset([x])",
        "{x} < {7, 8}",
        "{7, 8} > frozenset([x])",
        "7 in set({x})",
        "7 in frozenset({x})",
        "7 in {x}.copy()",
        "7 in {x: 1}.copy()",
        "7 in dict({x: 1})",
        "7 in ({x: 1} | {1: 2})",
        "{7: 1} == {x: 1}",
        "7 in {1}.union([x])",
        "7 in {1}.union({x})",
        "not {7}.isdisjoint({x})",
        "{x}.issubset({7})",
        "{7}.issuperset({x})",
        "7 in copy.copy({x: 1})",
        "7 in copy.deepcopy({x: 1})",
        "7 in copy.copy({x})",
        "7 in collections.Counter([x])",
        "collections.Counter([x])[7] == 1",
        "7 in collections.OrderedDict([(x, 1)])",
        "7 in collections.OrderedDict([(x, 1)]).keys()",
        "7 in collections.defaultdict(int, {x: 1})",
        "7 in dict.fromkeys([x])",
        "collections.defaultdict(int, {7: 1}) == {x: 1}",
        "{x: 1} == collections.defaultdict(int, {7: 1})",
        "collections.defaultdict(int, {x: 1}) == {7: 1}",
        "collections.OrderedDict({7: 1}) == {x: 1}",
        "collections.OrderedDict({x: 1}) == collections.OrderedDict({7: 1})",
        "7 in collections.ChainMap({x: 1})",
        "(x, 1) in {(7, 1)}",
        "{(x, 1): 2}.get((7, 1)) == 2",
        "{x: 1}.setdefault(7, 2) == 1",
        "{x: 1}.pop(7, None) == 1",
        "[1, 2, 3, 4, 5, 6, 7, 8][x:] == [8]",
        "[0] * x == [0] * 7",
        "list(itertools.islice([1] * 9, x)) == [1] * 7",
        "len(list(itertools.repeat(1, x))) == 7",
        "collections.deque([1], x).maxlen == 7",
        "collections.deque(range(9))[x] == 7",
        "operator.itemgetter(x)(list(range(9))) == 7",
        "operator.itemgetter(x)({7: 1, 0: 2}) == 1",
        "list(range(9)).pop(x) == 7",
        "[1, 2, 3, 4, 5, 6, 7, 1].index(1, x) == 7",
        "json.dumps({x: 1}) == '{\"7\": 1}'",
        "len(json.dumps({x: 1})) == 9",
        "str({x}) == '{7}'",
        "str({x: 1}) == '{7: 1}'",
        "functools.lru_cache(lambda v: v)(x) == 7",
    ],
)
def test_no_key_is_lost_in_silence(explore, source):
    """Either an input that makes the condition true is found, or a pin says why not."""
    imports = "import collections, copy, functools, itertools, json, operator\n"
    seen = explore(f"{imports}\ndef f(x: int):\n    return True if {source} else False")
    assert "True" in seen.results or seen.pins or not seen.exhaustive


@pytest.mark.parametrize(
    "source",
    [
        "7 in {x: 1}.keys()",
        "7 in (frozenset([7, 8]) & {x})",
        "7 in {v: 1 for v in [x]}",
        "{x} < {7, 8}",
        "7 in copy.deepcopy({x: 1})",
        "collections.Counter([x])[7] == 1",
        "7 in collections.OrderedDict([(x, 1)]).keys()",
        "{(x, 1): 2}.get((7, 1)) == 2",
        "sorted({x, 3})[1] == 7",
        "max({x, 3}) == 7",
    ],
)
def test_keys_are_found_without_a_pin(explore, source):
    imports = "import collections, copy\n"
    seen = explore(f"{imports}\ndef f(x: int):\n    return True if {source} else False")
    assert "True" in seen.results
    assert not seen.pins


def test_a_class_of_dicts_keeps_its_own_methods(explore):
    seen = explore(
        """
        class Loud(dict):
            def __setitem__(self, key, value):
                super().__setitem__(key, value * 2)
            def __getitem__(self, key):
                return super().__getitem__(key) + 1

        def f(x: int):
            table = Loud()
            table[x] = 5
            return table[7], type(table).__name__, isinstance(table, Loud)
        """
    )
    assert seen.results == {"(11, 'Loud', True)"}
    assert seen.raised == {"KeyError"}
    assert not seen.pins


def test_a_dict_that_changes_while_it_is_iterated_complains(explore):
    seen = explore(
        """
        def f(x: int):
            table = {x: 1}
            for key in table:
                table[7] = 2
            return len(table)
        """
    )
    assert seen.raised == {"RuntimeError"}
    assert seen.results == {"1"}


def test_lookups_of_strings_are_decided(explore):
    seen = explore(
        """
        def f(s: str):
            counts = {"a": 1, "b": 2}
            return counts.setdefault(s, 3)
        """,
        names="s",
    )
    assert seen.results == {"1", "2", "3"}
    assert seen.exhaustive


def test_after_a_run_the_containers_are_plain(load):
    from pef import _native
    from pef.selftest.comparing import INPUTS

    rewritten, _ = load("def f(x: int):\n    return {x: 1}, {x}, frozenset([x])\n")
    session = _native.Session(rewritten.f, [("x", "positional", INPUTS["x"]())])
    path = session.next_path()
    assert [type(each) for each in path.result] == [dict, set, frozenset]


def test_a_cached_function_runs_once_per_argument(explore):
    seen = explore(
        """
        import functools

        def f(x: int, y: int):
            calls = []

            @functools.cache
            def twice(value):
                calls.append(value)
                return value * 2

            return twice(x) + twice(y) == 2 * (x + y), len(calls)
        """,
        names="xy",
    )
    assert seen.results == {"(True, 1)", "(True, 2)"}
    assert not seen.pins


@pytest.mark.skipif(sys.version_info < (3, 12), reason="new in 3.12")
def test_batches_are_decided_as_they_are_drawn(explore):
    seen = explore(
        """
        import itertools

        def f(x: int):
            return len(list(itertools.batched([1, 2, 3], x)))
        """
    )
    assert seen.results == {"1", "2", "3"}
    assert seen.raised == {"OverflowError", "ValueError"}
