"""Modules below a root are imported rewritten, and are ordinary modules in every other way."""

import dataclasses
import importlib
import inspect
import linecache
import pickle
import sys
import traceback
from pathlib import Path

import pytest

from pef.rewrite import modules
from pef.rewrite.loader import Rewriter, is_rewritten
from pef.rewrite.modules import ModuleNameTakenError, load_file, module_name


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A directory on sys.path; modules imported from it are forgotten afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]
    linecache.clearcache()


@pytest.fixture
def codes():
    return []


@pytest.fixture
def rewriter(project, codes):
    with Rewriter([project], lambda code, sites: codes.append((code, sites))) as installed:
        yield installed


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def uses_helper(function):
    return any(name.startswith("__pef_") for name in function.__code__.co_names)


def test_module_below_a_root_is_rewritten(project, rewriter):
    write(project / "shop" / "__init__.py", "")
    write(project / "shop" / "cart.py", "def f(a, i): return a[i]\n")
    cart = importlib.import_module("shop.cart")
    assert uses_helper(cart.f)
    assert cart.f("abc", 1) == "b"
    assert is_rewritten(cart)


def test_module_elsewhere_is_plain(tmp_path, project, codes):
    write(project / "plain.py", "def f(a, i): return a[i]\n")
    with Rewriter([tmp_path / "other"], lambda code, sites: codes.append(code)):
        plain = importlib.import_module("plain")
    assert not uses_helper(plain.f)
    assert not is_rewritten(plain)
    assert not codes


@pytest.mark.parametrize("foreign", ["lib/site-packages", "usr/dist-packages", "venv/lib"])
def test_installed_packages_below_a_root_are_plain(project, rewriter, foreign):
    write(project / "venv" / "pyvenv.cfg", "")
    file = write(project / foreign / "pkg.py", "")
    assert not rewriter.covers(file)
    assert Rewriter([file.parent], print).covers(file)


def test_standard_library_is_covered_only_if_named():
    library = Path(inspect.__file__).parent
    assert not Rewriter([library.parents[1]], print).covers(library / "json" / "decoder.py")
    assert Rewriter([library / "json"], print).covers(library / "json" / "decoder.py")
    assert Rewriter([library / "bisect.py"], print).covers(library / "bisect.py")


def test_every_code_object_is_announced_with_the_sites_of_its_file(project, rewriter, codes):
    source = "def f():\n    if x: pass\n    return lambda: 1\nclass C:\n    def m(self): pass\n"
    write(project / "mod.py", source)
    importlib.import_module("mod")
    names = {code.co_name for code, _ in codes}
    assert {"<module>", "f", "<lambda>", "C", "m"} <= names
    assert len({id(sites) for _, sites in codes}) == 1
    assert codes[0][1].lookup(2, 7, 2, 8) == ("if", 2, 7)


def test_attributes_of_the_module_are_the_usual_ones(project, rewriter):
    path = write(project / "mod.py", "x = 1\n")
    mod = importlib.import_module("mod")
    assert mod.__file__ == str(path)
    assert mod.__spec__.origin == str(path)
    assert mod.__spec__.name == mod.__name__ == "mod"
    assert mod.__cached__ == importlib.util.cache_from_source(str(path))
    assert "__pef_sel__" not in vars(mod)


def test_bytecode_cache_is_neither_read_nor_written(project, codes):
    path = write(project / "mod.py", "def f(a, i): return a[i]\n")
    import py_compile

    cached = Path(py_compile.compile(str(path), doraise=True))
    before = cached.read_bytes()
    with Rewriter([project], lambda code, sites: None):
        assert uses_helper(importlib.import_module("mod").f)
    assert cached.read_bytes() == before
    del sys.modules["mod"]
    assert not uses_helper(importlib.import_module("mod").f)


def test_no_bytecode_is_cached_for_rewritten_modules(project, rewriter):
    write(project / "fresh.py", "x = 1\n")
    importlib.import_module("fresh")
    assert not (project / "__pycache__").exists()


def test_source_and_traceback_show_what_the_author_wrote(project, rewriter):
    source = "def f(a, i):\n    return a[i]  # here\n"
    write(project / "mod.py", source)
    mod = importlib.import_module("mod")
    assert inspect.getsource(mod.f) == source
    assert inspect.getsource(mod) == source
    with pytest.raises(IndexError) as caught:
        mod.f([], 3)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [(frame.name, frame.line) for frame in frames][1:] == [("f", "return a[i]  # here")]


def test_functions_classes_and_instances_pickle(project, rewriter):
    source = """
import dataclasses, enum
def f(x): return x
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: "list[int]" = dataclasses.field(default_factory=list)
class Color(enum.Enum):
    RED = 1
"""
    write(project / "mod.py", source)
    mod = importlib.import_module("mod")
    for value in (mod.f, mod.Point, mod.Point(1, [2]), mod.Color.RED):
        assert pickle.loads(pickle.dumps(value)) == value
    assert [field.type for field in dataclasses.fields(mod.Point)] == [int, "list[int]"]


def test_reload_rewrites_again(project, rewriter):
    path = write(project / "mod.py", "def f(a, i): return a[i]\n")
    mod = importlib.import_module("mod")
    path.write_text("def f(a, i): return a[i], 2\n")
    importlib.reload(mod)
    assert uses_helper(mod.f)
    assert mod.f("x", 0) == ("x", 2)


def test_declared_encoding_is_respected(project, rewriter):
    (project / "latin.py").write_bytes("# coding: latin-1\ntext = 'é'\n".encode("latin-1"))
    assert importlib.import_module("latin").text == "é"


def test_syntax_error_is_the_one_of_cpython(project, rewriter):
    path = write(project / "broken.py", "x = 1\nreturn x[1\n")
    with pytest.raises(SyntaxError) as caught:
        importlib.import_module("broken")
    assert (caught.value.filename, caught.value.lineno) == (str(path), 2)


def test_late_syntax_error_is_the_one_of_cpython(project, rewriter):
    path = write(project / "broken.py", "x = 1\nreturn f(x)\n")
    with pytest.raises(SyntaxError, match="'return' outside function") as caught:
        importlib.import_module("broken")
    assert (caught.value.filename, caught.value.lineno) == (str(path), 2)


def test_uninstalled_hook_rewrites_nothing(project, rewriter):
    rewriter.uninstall()
    write(project / "mod.py", "def f(a, i): return a[i]\n")
    assert not uses_helper(importlib.import_module("mod").f)


def test_file_too_deep_to_rewrite_runs_plain_and_is_listed(project, rewriter, monkeypatch):
    def too_deep(tree, merging):
        raise RecursionError

    monkeypatch.setattr("pef.rewrite.compiling.transform_module", too_deep)
    path = write(project / "deep.py", "def f(a, i): return a[i]\n")
    assert importlib.import_module("deep").f("ab", 1) == "b"
    assert "nested too deeply" in rewriter.left_plain[str(path)]


# Names.


def test_lone_file_is_named_after_its_stem(tmp_path):
    path = write(tmp_path / "tool.py", "")
    assert module_name(path) == modules.ModuleName(str(tmp_path), "tool")


def test_file_in_a_package_has_its_dotted_name(tmp_path):
    write(tmp_path / "a" / "__init__.py", "")
    init = write(tmp_path / "a" / "b" / "__init__.py", "")
    path = write(tmp_path / "a" / "b" / "c.py", "")
    assert module_name(path) == modules.ModuleName(str(tmp_path), "a.b.c")
    assert module_name(init) == modules.ModuleName(str(tmp_path), "a.b")


def test_load_file_imports_under_the_proper_name(tmp_path, project, codes):
    write(tmp_path / "src" / "pkg" / "__init__.py", "")
    write(tmp_path / "src" / "pkg" / "near.py", "def g(a, i): return a[i]\n")
    path = write(tmp_path / "src" / "pkg" / "mod.py", "from .near import g\n")
    rewriter = Rewriter([tmp_path / "src"], lambda code, sites: codes.append(code))
    try:
        loaded = rewriter.load_file(path)
    finally:
        rewriter.uninstall()
    assert loaded.__name__ == "pkg.mod"
    assert sys.modules["pkg.mod"] is loaded
    assert uses_helper(loaded.g)
    assert rewriter.load_file(path) is loaded
    rewriter.uninstall()


def test_load_file_covers_a_file_outside_the_roots(project, codes):
    path = write(project / "alone.py", "def f(a, i): return a[i]\n")
    rewriter = Rewriter([], lambda code, sites: codes.append(code))
    try:
        assert uses_helper(rewriter.load_file(path).f)
    finally:
        rewriter.uninstall()
    assert codes


def test_plain_load_file_does_not_rewrite(project):
    path = write(project / "alone.py", "def f(a, i): return a[i]\n")
    assert not uses_helper(load_file(path).f)


def test_file_named_like_a_standard_module_is_loaded_aside(project, rewriter):
    import queue

    path = write(project / "queue.py", "def f(a, i): return a[i]\n")
    loaded = rewriter.load_file(path)
    assert uses_helper(loaded.f)
    assert sys.modules["queue"] is queue
    assert sys.modules[loaded.__name__] is loaded
    assert pickle.loads(pickle.dumps(loaded.f)) is loaded.f
    assert rewriter.load_file(path) is loaded


def test_file_whose_name_is_no_identifier_is_loaded(project, rewriter):
    assert rewriter.load_file(write(project / "my-tool.v2.py", "x = 1\n")).x == 1
    assert rewriter.load_file(write(project / "my-tool.py", "x = 2\n")).x == 2


def test_two_lone_files_of_one_name_are_two_modules(project, rewriter):
    one = rewriter.load_file(write(project / "a" / "tool.py", "x = 1\n"))
    two = rewriter.load_file(write(project / "b" / "tool.py", "x = 2\n"))
    assert (one.x, two.x) == (1, 2)


def test_package_name_that_is_taken_is_an_error(project, rewriter):
    for place in ("a", "b"):
        write(project / place / "pkg" / "__init__.py", "")
        write(project / place / "pkg" / "mod.py", "")
    rewriter.load_file(project / "a" / "pkg" / "mod.py")
    with pytest.raises(ModuleNameTakenError, match=r"as pkg\.mod"):
        rewriter.load_file(project / "b" / "pkg" / "mod.py")


def test_failing_module_leaves_no_trace(project, rewriter):
    path = write(project / "queue.py", "1 / 0\n")
    known = set(sys.modules)
    with pytest.raises(ZeroDivisionError):
        rewriter.load_file(path)
    assert set(sys.modules) == known
