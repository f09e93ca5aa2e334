"""The process of a check holds the engine, and is plain: replays are forked from it."""

import subprocess
import sys
import textwrap

SLOTS = """
    import builtins, ctypes

    TYPES = [int, bool, float, complex, str, bytes, bytearray, memoryview, list, tuple, range]
    TYPES += [dict, set, frozenset]
    TABLES = {96: 36, 104: 10, 112: 3}  # numbers, sequences, mappings: how many functions each has
    COMPARISON = 200

    def words(address, count):
        return list((ctypes.c_size_t * count).from_address(address))

    def slots():
        found = {}
        for kind in TYPES:
            [found[kind, "compare"]] = words(id(kind) + COMPARISON, 1)
            for offset, count in TABLES.items():
                [table] = words(id(kind) + offset, 1)
                found[kind, offset] = words(table, count) if table else None
        return found

    def surroundings():
        import sys
        return set(dir(builtins)), sys.gettrace(), sys.getprofile(), sys.excepthook, builtins.open

    before, around = slots(), surroundings()
"""


def run(code):
    whole = textwrap.dedent(SLOTS) + textwrap.dedent(code)
    subprocess.run([sys.executable, "-c", whole], check=True, timeout=60)


def test_loading_the_engine_changes_nothing():
    run("""
        from pef.checking.server import warm_up
        warm_up()
        from pef import _native
        assert not _native.is_awake()
        assert slots() == before
        assert surroundings() == around
    """)


def test_waking_it_does():
    run("""
        from pef.checking.server import warm_up
        warm_up()
        from pef import _native
        _native.awaken()
        assert _native.is_awake()
        changed = {kind for (kind, _), value in slots().items() if value != before[kind, _]}
        assert changed == {*TYPES}
    """)


def test_rewritten_code_never_runs_asleep():
    run("""
        from pef import _native
        from pef.engine import Engine
        assert not _native.is_awake()
        with Engine():
            assert _native.is_awake()
    """)


def test_classes_made_while_it_slept_are_heeded():
    run("""
        import collections
        from pef.checking.server import warm_up
        warm_up()
        Point = collections.namedtuple("Point", "x y")
        from pef import _native
        _native.awaken()
        for kind in (Point, tuple):
            [table] = words(id(kind) + 112, 1)
            subscript = words(table, 2)[1]
            assert subscript != before[tuple, 112][1]
    """)
