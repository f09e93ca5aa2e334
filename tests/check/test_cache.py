"""The cache keeps results, and is never the reason why a run fails."""

import json
import multiprocessing
import os
import sqlite3
import time

import pytest

from pef.checking.cache import Cache, Call, Stored

STORED = Stored([{"code": "PEF001", "line": 3}], {"verdict": "error", "é": "\ud800"})


@pytest.fixture
def warnings():
    return []


@pytest.fixture
def cache(tmp_path, warnings):
    """Return a function that opens the cache, as each run does."""
    return lambda: Cache(tmp_path / "cache", warnings.append)


def looked_up(cache, key):
    return cache.lookup([key]).get(key)


def test_what_is_stored_is_found_by_the_next_run(cache, warnings):
    cache().store("k", "m:f", STORED)
    assert looked_up(cache(), "k") == STORED
    assert looked_up(cache(), "other") is None
    assert warnings == []


def test_counterexamples_survive_versions_latest_first(cache):
    first = Call(["1"], {"b": "2"}, {})
    second = Call(["[]"], {}, {"LIMIT": "3"})
    cache().store("k1", "m:f", STORED, [first])
    time.sleep(0.01)
    cache().store("k2", "m:f", STORED, [second])
    assert cache().old_counterexamples("m:f") == [second, first]
    assert cache().old_counterexamples("m:g") == []


def test_what_is_stored_together_is_one_transaction(cache, tmp_path):
    filling = cache()
    with filling.together():
        filling.store("k1", "m:f", STORED, [Call(["1"], {}, {})])
        filling.store("k2", "m:g", STORED)
        assert not database(tmp_path).exists()
    assert looked_up(cache(), "k1") == looked_up(cache(), "k2") == STORED
    assert cache().old_counterexamples("m:f") == [Call(["1"], {}, {})]


def test_what_was_stored_before_an_interruption_is_kept(cache):
    filling = cache()
    with pytest.raises(KeyboardInterrupt), filling.together():
        filling.store("k", "m:f", STORED)
        raise KeyboardInterrupt
    assert looked_up(cache(), "k") == STORED
    filling.store("later", "m:f", STORED)
    assert looked_up(cache(), "later") == STORED


def test_the_folder_says_what_it_is(cache, tmp_path):
    cache().store("k", "m:f", STORED)
    assert (tmp_path / "cache/.gitignore").read_text() == "*\n"
    tag = (tmp_path / "cache/CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


def database(tmp_path):
    return tmp_path / "cache/results.sqlite"


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"x" * 900]
)
def test_a_damaged_cache_is_built_anew_with_one_warning(cache, warnings, tmp_path, content):
    cache().store("k", "m:f", STORED)
    database(tmp_path).write_bytes(content)
    damaged = cache()
    assert looked_up(damaged, "k") is None
    damaged.store("k", "m:f", STORED)
    assert looked_up(damaged, "k") == STORED
    [warning] = warnings
    assert "damaged" in warning and "built anew" in warning
    assert looked_up(cache(), "k") == STORED


def test_damage_during_a_run_is_no_error(cache, warnings, tmp_path):
    running = cache()
    running.store("k", "m:f", STORED)
    database(tmp_path).write_bytes(b"broken" * 1000)
    assert looked_up(running, "k") is None
    running.tidy()
    assert len(warnings) == 1
    assert looked_up(cache(), "k") is None
    assert len(warnings) == 1


def test_a_truncated_cache_is_no_error(cache, tmp_path):
    filled = cache()
    for n in range(50):
        filled.store(f"k{n}", "m:f", Stored([], {"text": "x" * 500}))
    content = database(tmp_path).read_bytes()
    for size in (0, 10, 100, 4096, 5000, len(content) // 2, len(content) - 1):
        database(tmp_path).write_bytes(content[:size])
        again = cache()
        again.lookup([f"k{n}" for n in range(50)])
        again.store("new", "m:f", STORED)
        assert looked_up(again, "new") == STORED


def test_a_cache_of_another_version_is_replaced_in_silence(cache, warnings, tmp_path):
    cache().store("k", "m:f", STORED)
    with sqlite3.connect(database(tmp_path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert looked_up(cache(), "k") is None
    cache().store("k", "m:f", STORED)
    assert looked_up(cache(), "k") == STORED
    assert warnings == []


def test_the_database_of_somebody_else_is_left_alone(cache, warnings, tmp_path):
    (tmp_path / "cache").mkdir()
    with sqlite3.connect(database(tmp_path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = database(tmp_path).read_bytes()
    foreign = cache()
    foreign.store("k", "m:f", STORED)
    foreign.tidy()
    assert looked_up(foreign, "k") is None
    assert database(tmp_path).read_bytes() == before
    [warning] = warnings
    assert "belongs to another program" in warning


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, warnings):
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file/cache", warnings.append)
    cache.store("k", "m:f", STORED, [Call([], {}, {})])
    cache.tidy()
    assert (looked_up(cache, "k"), cache.old_counterexamples("m:f")) == (None, [])
    assert len(warnings) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_no_error(cache, warnings, tmp_path):
    cache().store("k", "m:f", STORED)
    os.chmod(database(tmp_path), 0o444)
    os.chmod(tmp_path / "cache", 0o555)
    cache().store("k2", "m:f", STORED)
    assert len(warnings) == 1


def test_rows_we_did_not_write_are_skipped(cache, tmp_path):
    cache().store("k", "m:f", STORED, [Call([], {}, {})])
    with sqlite3.connect(database(tmp_path)) as connection:
        connection.execute("UPDATE results SET content = '{'")
        connection.execute("UPDATE counterexamples SET call = '[1]'")
    connection.close()
    assert looked_up(cache(), "k") is None
    assert cache().old_counterexamples("m:f") == []


def test_versions_of_a_function_are_limited_and_used_ones_stay(cache):
    filling = cache()
    for n in range(12):
        filling.store(f"k{n}", "m:f", STORED)
        time.sleep(0.002)
    filling.store("other", "m:g", STORED)
    again = cache()
    assert looked_up(again, "k0") == STORED
    again.tidy()
    kept = cache().lookup([*(f"k{n}" for n in range(12)), "other"])
    assert set(kept) == {"k0", *(f"k{n}" for n in range(5, 12)), "other"}


def test_what_was_not_used_for_long_is_dropped(cache, tmp_path):
    cache().store("old", "m:f", STORED)
    cache().store("new", "m:g", STORED)
    with sqlite3.connect(database(tmp_path)) as connection:
        connection.execute("UPDATE results SET used = used - 90 * 86400 WHERE key = 'old'")
    connection.close()
    cache().tidy()
    assert set(cache().lookup(["old", "new"])) == {"new"}


def test_no_file_stays_open_between_uses(cache, tmp_path):
    used = cache()
    used.store("k", "m:f", STORED)
    used.lookup(["k"])
    folder = f"/proc/{os.getpid()}/fd"
    if not os.path.isdir(folder):
        pytest.skip("no /proc")
    opened = [
        os.readlink(os.path.join(folder, fd)) for fd in os.listdir(folder) if _is_open(folder, fd)
    ]
    assert not any("results.sqlite" in name for name in opened)


def _is_open(folder, descriptor):
    return os.path.islink(os.path.join(folder, descriptor))


def _fill(folder, name, count):
    cache = Cache(folder, lambda warning: os._exit(9))
    for n in range(count):
        cache.store(f"{name}{n}", f"m:{name}", Stored([], {"n": n}), [Call([str(n)], {}, {})])
    cache.tidy()


def test_two_runs_at_once_are_both_right(tmp_path):
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_fill, args=(tmp_path / "c", name, 8)) for name in "abc"]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [run.exitcode for run in runs] == [0, 0, 0]
    keys = [f"{name}{n}" for name in "abc" for n in range(8)]
    assert set(Cache(tmp_path / "c", pytest.fail).lookup(keys)) == set(keys)


def test_a_killed_run_leaves_the_cache_intact(tmp_path):
    _fill(tmp_path / "c", "a", 3)
    context = multiprocessing.get_context("spawn")
    run = context.Process(target=_fill, args=(tmp_path / "c", "b", 100000))
    run.start()
    deadline = time.monotonic() + 30
    while not Cache(tmp_path / "c", pytest.fail).lookup(["b20"]):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    run.kill()
    run.join()
    cache = Cache(tmp_path / "c", pytest.fail)
    assert set(cache.lookup(["a0", "a1", "a2", "b20"])) == {"a0", "a1", "a2", "b20"}


def test_looking_up_a_hundred_functions_is_quick(cache):
    filled = cache()
    for n in range(100):
        filled.store(f"k{n}", f"m:f{n}", Stored([{"text": "x" * 2000}], {}))
    best = min(_seconds(lambda: cache().lookup([f"k{n}" for n in range(100)])) for _ in range(5))
    assert best < 0.02


def _seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def test_results_are_json_and_nothing_else(cache, tmp_path):
    cache().store("k", "m:f", STORED)
    with sqlite3.connect(database(tmp_path)) as connection:
        [(content,)] = connection.execute("SELECT content FROM results").fetchall()
    connection.close()
    assert json.loads(content) == [list(STORED.findings), STORED.function]


def answers(project, **environment):
    """Return, for each function, its verdict and whether it came from the cache."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        checked = project.check("m.py", cache=True)
    functions = checked.report["functions"]
    return {each["name"][2:]: (each["verdict"], each["cached"]) for each in functions}


AT_IMPORT = """
    import json, pathlib
    CFG = json.loads((pathlib.Path(__file__).parent / "cfg.json").read_text())

    def f(x: int) -> int:
        return x // CFG["k"]
"""
INSIDE = """
    import json, os

    def f(x: int) -> int:
        with open(os.path.join(os.path.dirname(__file__), "cfg.json")) as file:
            return x // json.load(file)["k"]

    def ordinary(x: int) -> int:
        return x + 1
"""
RESOURCE = """
    import pkgutil, json
    CFG = json.loads(pkgutil.get_data(__name__, "cfg.json"))

    def f(x: int) -> int:
        return x // CFG["k"]
"""


@pytest.mark.parametrize("source", [AT_IMPORT, INSIDE, RESOURCE])
def test_what_depends_on_a_data_file_is_not_kept(project, source):
    project.write(m=source)
    (project.folder / "cfg.json").write_text('{"k": 0}')
    assert answers(project)["f"] == ("error", False)
    (project.folder / "cfg.json").write_text('{"k": 5}')
    verdict, is_cached = answers(project)["f"]
    assert verdict != "error" and not is_cached


def test_another_function_of_its_module_is_kept(project):
    project.write(m=INSIDE)
    (project.folder / "cfg.json").write_text('{"k": 5}')
    assert not answers(project)["ordinary"][1]
    again = answers(project)
    assert (again["f"][1], again["ordinary"][1]) == (False, True)


@pytest.mark.parametrize(
    "test", ["os.path.exists('flag')", "'flag' in os.listdir()", "len(os.getcwd()) < 0"]
)
def test_what_looks_for_files_is_not_kept(project, test):
    project.write(m=f"import os\n\ndef f(x: int) -> int:\n    return 1 if {test} else 2\n")
    assert [answers(project)["f"][1] for _ in range(2)] == [False, False]


def test_a_file_read_before_a_crash_counts(project):
    project.write(
        m="""
        import os

        def f(x: int) -> int:
            if x == 7:
                with open(os.path.join(os.path.dirname(__file__), "cfg.json")) as file:
                    if file.read() == "0":
                        os.abort()
            return x
        """
    )
    (project.folder / "cfg.json").write_text("0")
    assert answers(project)["f"] == ("error", False)
    assert answers(project)["f"] == ("error", False)
    (project.folder / "cfg.json").write_text("1")
    verdict, is_cached = answers(project)["f"]
    assert verdict != "error" and not is_cached


def test_what_an_import_reads_from_the_environment_is_part_of_the_key(project):
    project.write(
        m="import os\nK = int(os.getenv('N', '1'))\n\ndef f(x: int):\n    return x // K\n"
    )
    assert answers(project, N="0")["f"] == ("error", False)
    assert answers(project, N="0", OTHER="1")["f"] == ("error", True)
    assert answers(project, N="5")["f"][0] != "error"
    assert answers(project)["f"][0] != "error"


@pytest.mark.parametrize(
    "value", ["os.environ['N']", "os.getenvb(b'N')", "dict(os.environ)['N']", "environ.get('N')"]
)
def test_a_function_that_reads_the_environment_is_not_kept(project, value):
    source = f"import os\nfrom os import environ\n\ndef f(x: int):\n    return x // int({value})\n"
    project.write(m=source)
    assert answers(project, N="0")["f"] == ("error", False)
    verdict, is_cached = answers(project, N="5")["f"]
    assert verdict != "error" and not is_cached


def test_an_import_that_reads_all_of_the_environment_is_not_kept(project):
    project.write(m="import os\nK = os.environ.copy()\n\ndef f(x: int):\n    return x / len(K)\n")
    assert [answers(project)["f"][1] for _ in range(2)] == [False, False]


ORDINARY = """
    import argparse, asyncio, collections, dataclasses, datetime, decimal, enum, functools, inspect
    import json, logging, os, pathlib, random, re, shutil, subprocess, tempfile, typing, uuid
    from importlib.metadata import version
    import beside

    ROOT = pathlib.Path(__file__).resolve().parent
    VERSION = version("pytest")

    def f(x: int) -> int:
        from late import LATE
        return 1 // (x + LATE + beside.ONE)

    def g(x: int) -> int:
        try:
            return 1 // x
        except ZeroDivisionError:
            logging.exception("none")
            return 0
"""


def test_ordinary_modules_are_kept_whatever_they_import(project):
    project.write(m=ORDINARY, beside="ONE = 1\n", late="LATE = 1\n")
    assert answers(project)["f"] == ("error", False)
    again = answers(project)
    assert again["f"] == ("error", True)
    assert again["g"][1]


def test_functions_that_note_their_callers_are_no_methods(project):
    project.write(
        m="""
        import os

        class Files:
            stat, folder = os.stat, os.getcwd

        def f(x: int) -> int:
            Files().stat("."), Files().folder()
            return x
        """
    )
    assert answers(project)["f"][0] != "error"
