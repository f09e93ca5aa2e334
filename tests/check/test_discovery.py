"""What a user names, and the modules and functions that follow; nothing is imported."""

import os
import sys
from textwrap import dedent

import pytest

from pef.checking.discovery import discover
from pef.targets import TargetError


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return a function that writes a file below the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(name, text="def f(): pass\n"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
        return path

    return write


def files(*words, **options):
    return [unit.shown for unit in discover(words, **options).modules]


def functions(*words, **options):
    return [each.qualname for unit in discover(words, **options).modules for each in unit.functions]


def subject(name, **options):
    [found] = discover([name], **options).modules[0].functions
    return found


def complaint(*words):
    with pytest.raises(TargetError) as caught:
        discover(words)
    assert "\n" not in str(caught.value)
    return str(caught.value)


MODULE = """
    from functools import cached_property
    from typing import TYPE_CHECKING, Protocol, overload

    def plain(a): return a

    async def later(a): return a

    def many(a):
        yield a

    async def many_later(a):
        yield a

    def outer(a):
        def inner(): yield 1
        class C:
            def method(self): pass
        return inner

    class A:
        def __init__(self): pass
        def __repr__(self): return ""
        def __add__(self, other): return self
        def __rsub__(self, other): return self
        def __getitem__(self, key): return key
        def __enter__(self): pass
        def method(self): pass
        def _private(self): pass
        @staticmethod
        def static(): pass
        @classmethod
        def of(cls): pass
        @property
        def prop(self): return 1
        @prop.setter
        def prop(self, value): pass
        @cached_property
        def cached(self): return 1
        class B:
            def deep(self): pass
        if True:
            def conditional(self): pass

    class P(Protocol):
        def wanted(self): ...

    class Q(P):
        @abc.abstractmethod
        def abstract(self): ...

    @overload
    def variants(a: int): ...
    @overload
    def variants(a: str): ...
    def variants(a): return a

    if TYPE_CHECKING:
        def unseen(): pass
    else:
        def seen(): pass

    try:
        def tried(): pass
    except ImportError:
        def caught(): pass

    def __getattr__(name): pass
    f = lambda x: x
"""


def test_every_function_that_can_be_called_by_name_is_found(here):
    here("m.py", MODULE)
    assert functions("m.py") == [
        *("plain", "later", "many", "many_later", "outer"),
        *("A.__init__", "A.__add__", "A.__rsub__", "A.__getitem__", "A.method", "A._private"),
        *("A.static", "A.of", "A.prop", "A.cached", "A.B.deep", "A.conditional"),
        *("variants", "seen", "tried", "caught"),
    ]


@pytest.mark.parametrize(
    ("name", "kind", "is_async", "is_generator"),
    [
        ("plain", "function", False, False),
        ("later", "function", True, False),
        ("many", "function", False, True),
        ("many_later", "function", True, True),
        ("outer", "function", False, False),
        ("A.method", "method", False, False),
        ("A.static", "static", False, False),
        ("A.of", "class", False, False),
        ("A.prop", "property", False, False),
        ("A.cached", "property", False, False),
        ("A.B.deep", "method", False, False),
    ],
)
def test_what_kind_of_function_it_is_is_known(here, name, kind, is_async, is_generator):
    here("m.py", MODULE)
    found = subject(f"m.py:{name}")
    assert (found.kind, found.is_async, found.is_generator) == (kind, is_async, is_generator)


def test_lines_and_decorators_are_known(here):
    here("m.py", "@a.b(1)\n@c\ndef f():\n    pass\n")
    found = subject("m.py")
    assert (found.first_line, found.line, found.end_line) == (1, 3, 4)
    assert found.decorators == ("a.b", "c")


def test_the_getter_of_a_property_is_meant(here):
    here("m.py", MODULE)
    lines = (here("m.py", MODULE)).read_text().splitlines()
    assert lines[subject("m.py:A.prop").line - 1].strip() == "def prop(self): return 1"


@pytest.mark.parametrize("name", ["A.__repr__", "P.wanted", "Q.abstract", "unseen", "__getattr__"])
def test_what_is_passed_over_is_analysed_if_it_is_named(here, name):
    here("m.py", MODULE)
    assert functions(f"m.py:{name}") == [name]


def test_a_class_means_its_methods_and_those_of_classes_in_it(here):
    here("m.py", "class A:\n def f(self): pass\n class B:\n  def g(self): pass\ndef h(): pass\n")
    assert functions("m.py:A") == ["A.f", "A.B.g"]
    assert functions("m.py:A.B") == ["A.B.g"]


def test_a_line_means_the_function_around_it(here):
    here(
        "m.py",
        """
        x = 1
        @decorated
        def f():
            def inner():
                pass
            return inner

        class A:
            def m(self):
                pass
        """,
    )
    assert [functions(f"m.py:{line}") for line in (3, 4, 6)] == [["f"]] * 3
    assert functions("m.py:11") == ["A.m"]
    assert complaint("m.py:2") == ("no function around line 2 of m.py; the nearest is f in line 4")


def test_a_name_that_only_exists_at_run_time_is_left_for_later(here):
    here("m.py", "class A(Base):\n    pass\n\nf = partial(g)\n")
    assert functions("m.py:A.inherited", "m.py:f") == ["A.inherited", "f"]


def test_words_that_overlap_give_each_function_once(here):
    here("pkg/__init__.py", "")
    here("pkg/m.py", "def f(): pass\ndef g(): pass\n")
    words = ["pkg/m.py:g", "pkg", "pkg/m.py", "pkg.m", "./pkg/../pkg/m.py:2"]
    assert functions(*words) == ["f", "g"]
    [unit] = discover(words).modules
    assert (unit.shown, unit.module_name, unit.root) == (
        os.path.join("pkg", "m.py"),
        "pkg.m",
        os.path.dirname(os.path.dirname(unit.path)),
    )


def test_a_dotted_name_is_a_module_a_package_or_a_function(here):
    here("src/pkg/__init__.py", "raise SystemExit\ndef top(): pass\n")
    here("src/pkg/m.py", "def f(): pass\n")
    assert functions("pkg", search=["src"]) == ["top", "f"]
    assert functions("pkg.m", search=["src"]) == ["f"]
    assert functions("pkg.m:f", search=["src"]) == ["f"]
    assert functions("pkg:top", search=["src"]) == ["top"]
    assert "pkg" not in sys.modules


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("nope.py", "no such file: nope.py"),
        ("nope", "no such file or module: nope"),
        ("m.py:g", "no function 'g' in m.py; it has f"),
        ("m.py:", "'m.py:' names nothing; write FILE, FILE:FUNC or FILE:LINE"),
        (":f", "':f' names nothing; write FILE, FILE:FUNC or FILE:LINE"),
        ("m.py:Empty", "class 'Empty' in m.py defines no methods"),
    ],
)
def test_a_word_that_names_nothing_is_one_clear_line(here, word, expected):
    here("m.py", "def f(): pass\nclass Empty: pass\n")
    assert complaint(word) == expected


def test_files_of_a_folder_come_in_order_and_each_once(here):
    for name in ("b.py", "a/z.py", "a/__init__.py", "a/b/c.py", "c.py", "note.txt", "x.pyi"):
        here(name)
    os.symlink("b.py", "also_b.py")
    expected = ["a/__init__.py", "a/b/c.py", "a/z.py", "b.py", "c.py"]
    assert files(".") == expected
    assert files(".", "c.py") == expected


@pytest.mark.parametrize(
    "name",
    [
        *(".hidden/m.py", ".m.py", "env/m.py", "lib/site-packages/m.py", "node_modules/m.py"),
        *("build/m.py", "dist/m.py", "vendor/m.py", "pip/_vendor/m.py", "third_party/m.py"),
        *("tests/m.py", "pkg/tests/m.py", "pkg/test_m.py", "m_test.py", "conftest.py"),
        *("setup.py", "docs/conf.py", "docs/source/conf.py", "__pycache__/m.py"),
    ],
)
def test_what_is_not_the_code_of_the_project_is_left_out(here, name):
    here("kept.py")
    here("env/pyvenv.cfg", "")
    here(name)
    assert files(".") == ["kept.py"]
    assert files(name) == [name]


def test_a_package_called_build_is_no_output(here):
    here("src/build/__init__.py")
    assert files(".") == ["src/build/__init__.py"]


def test_tests_are_analysed_if_asked_for(here):
    here("tests/test_m.py", "def test_f(): pass\ndef made(): pass\n")
    here("tests/deep/conftest.py")
    here("m.py")
    assert files(".", include_tests=True) == ["m.py", "tests/deep/conftest.py", "tests/test_m.py"]
    assert files("tests") == ["tests/deep/conftest.py", "tests/test_m.py"]
    assert functions("tests/test_m.py") == ["test_f", "made"]


def test_test_functions_of_other_files_are_functions(here):
    here("m.py", "def test_connection(host): pass\n")
    assert functions("m.py") == ["test_connection"]


def test_ignored_files_are_left_out_unless_named(here):
    here(".gitignore", "gen/\n*.out.py\n!keep.out.py\n")
    for name in ("gen/m.py", "a.out.py", "keep.out.py", "sub/gen/m.py", "sub/m.py"):
        here(name)
    here("sub/.gitignore", "!gen/\n")
    assert files(".") == ["keep.out.py", "sub/gen/m.py", "sub/m.py"]
    assert files("gen", "a.out.py") == ["gen/m.py", "a.out.py"]


def test_excluded_files_are_left_out_even_if_named(here):
    for name in ("a.py", "old/a.py", "src/old/b.py", "src/c.py"):
        here(name)
    assert files(".", exclude=["old"]) == ["a.py", "src/c.py"]
    assert files(".", exclude=["/".join([os.getcwd(), "old"])]) == [
        *("a.py", "src/c.py", "src/old/b.py")
    ]
    assert files("old/a.py", "a.py", "src/old", exclude=["old"]) == ["a.py"]
    assert files("src/c.py:f", exclude=["src/*.py"]) == []


def test_links_in_a_circle_end(here):
    here("a/m.py")
    os.symlink("..", "a/up")
    os.symlink("self", "self")
    assert files(".") == ["a/m.py"]


def test_a_file_that_cannot_be_parsed_is_a_problem_and_the_others_go_on(here):
    here("bad.py", "def f(:\n")
    here("good.py")
    here("nul.py").write_bytes(b"x = 1\0\n")
    here("latin.py").write_bytes(b"x = '\xe9'\n")
    found = discover(["."])
    assert [unit.shown for unit in found.modules] == ["good.py"]
    problems = {each.file: each for each in found.problems}
    assert list(problems) == ["bad.py", "latin.py", "nul.py"]
    assert (problems["bad.py"].line, problems["bad.py"].column) == (1, 7)
    assert str(problems["bad.py"]).startswith("bad.py:1:7: syntax error: ")


def test_it_is_known_whether_all_of_a_file_was_named(here):
    here("m.py", "class A:\n def f(self): pass\n def __repr__(self): return ''\ndef g(): pass\n")
    assert [discover([word]).modules[0].is_whole for word in ("m.py", "m.py:A", "m.py:4")] == [
        *(True, False, False)
    ]
    assert discover(["m.py:A", "m.py:g"]).modules[0].is_whole


def test_a_file_in_another_encoding_is_read(here):
    path = here("m.py")
    path.write_bytes(b"# coding: latin-1\ndef f(): return '\xe9'\n")
    assert "é" in discover(["m.py"]).modules[0].source


def test_a_folder_without_python_files_is_told(here):
    here("x/y.txt")
    here("x/tests/m.py")
    assert discover(["x"]).nothing.startswith("no Python files found; tests, hidden, ignored")


def test_files_without_functions_are_nothing_to_complain_about(here):
    here("pkg/__init__.py", "x = 1\n")
    here("old.py")
    for found in (discover(["pkg/__init__.py"]), discover(["old.py"], exclude=["old.py"])):
        assert (found.nothing, found.modules, found.problems) == (None, [], [])
