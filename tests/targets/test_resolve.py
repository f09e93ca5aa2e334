"""What a user types, and the function or the one clear line that follows."""

import os
import sys

import pytest

from pef.targets import Target, TargetError, resolve


def error_of(text, search=None):
    with pytest.raises(TargetError) as caught:
        resolve(text, search)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_function_in_a_file(here):
    path = here("demo.py", "def suma(a, b): return a + b\n")
    target = resolve("demo.py:suma")
    assert target == Target(str(path), "demo", "suma")
    assert target.root == str(path.parent)


def test_a_method_in_a_file(here):
    path = here("demo.py", "class C:\n    class D:\n        async def m(self): pass\n")
    assert resolve("demo.py:C.D.m") == Target(str(path), "demo", "C.D.m")


def test_a_file_in_a_package_has_its_dotted_name(here):
    here("src/pkg/__init__.py", "def top(): pass\n")
    here("src/pkg/sub/__init__.py")
    path = here("src/pkg/sub/mod.py", "def f(): pass\n")
    target = resolve("src/pkg/sub/mod.py:f")
    assert target == Target(str(path), "pkg.sub.mod", "f")
    assert os.path.basename(target.root) == "src"
    package = resolve("src/pkg/__init__.py:top")
    assert (package.module_name, os.path.basename(package.root)) == ("pkg", "src")


def test_a_dotted_name_is_found_without_importing_anything(here, monkeypatch):
    here("pkg/__init__.py", "raise AssertionError('imported')\n")
    path = here("pkg/mod.py", "def f(): pass\nraise AssertionError('imported')\n")
    assert resolve("pkg.mod:f") == Target(str(path), "pkg.mod", "f")
    assert "pkg" not in sys.modules
    assert resolve("mod:f", [str(path.parent)]).path == str(path)
    assert error_of("pkg.mod:f", []) == "no such file or module: pkg.mod"


def test_a_package_can_be_named_by_its_dotted_name(here):
    path = here("pkg/__init__.py", "def f(): pass\n")
    assert resolve("pkg:f") == Target(str(path), "pkg", "f")


def test_functions_inside_if_and_try_count(here):
    here(
        "demo.py",
        """
        if True:
            def a(): pass
        else:
            def b(): pass
        try:
            def c(): pass
        except ImportError:
            def d(): pass
        finally:
            def h(): pass
        with open("x"):
            class E:
                for _ in range(2):
                    def m(self): pass
        match 1:
            case 1:
                def g(): pass
        """,
    )
    for name in ("a", "b", "c", "d", "E.m", "g", "h"):
        assert resolve(f"demo.py:{name}").qualname == name


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("f = lambda x: x", "f"),
        ("f, g = make()", "g"),
        ("from other import f", "f"),
        ("from other import g as f", "f"),
        ("from other import *", "f"),
        ("def __getattr__(name): ...", "f"),
        ("class C(Base): pass", "C.inherited"),
        ("@decorated\nclass C: pass", "C.added"),
        ("import other", "other.f"),
        ("for f in range(3): pass", "f"),
    ],
)
def test_what_only_running_the_module_can_tell_is_left_to_find(here, source, name):
    here("demo.py", source + "\n")
    assert resolve(f"demo.py:{name}").qualname == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sumo", "no function 'sumo' in demo.py; did you mean 'suma'?"),
        ("Cola.pus", "no function 'Cola.pus' in demo.py; did you mean 'Cola.push'?"),
        ("zzz", "no function 'zzz' in demo.py; it has suma, Cola.push"),
        ("Zzz.m", "no function 'Zzz.m' in demo.py; it has suma, Cola.push"),
        ("suma.inner", "no function 'suma.inner' in demo.py; it has suma, Cola.push"),
        ("Cola", "'Cola' in demo.py is a class, not a function; name a method: Cola.push"),
    ],
)
def test_a_name_that_is_not_there_is_answered_with_one_that_is(here, name, message):
    here("demo.py", "def suma(): pass\nclass Cola:\n    def push(self): pass\n")
    assert error_of(f"demo.py:{name}") == message


def test_many_candidates_are_cut_short(here):
    here("demo.py", "".join(f"def name{i}(): pass\n" for i in range(9)))
    assert error_of("demo.py:zzz").endswith("it has name0, name1, name2, name3, name4, ...")


def test_a_file_without_functions_says_so(here):
    here("demo.py", "import os\n")
    assert error_of("demo.py:f") == "no function 'f' in demo.py; it defines none"


def test_a_missing_function_name_is_asked_for(here):
    here("demo.py", "def suma(): pass\n")
    expected = "no function named in 'demo.py'; write for example demo.py:suma"
    assert error_of("demo.py") == expected
    assert error_of("demo.py:") == expected
    assert error_of("") == error_of(":") == "name a function: FILE:FUNC"
    assert error_of(":f") == "no such file: :f"


def test_files_that_are_not_there(here):
    here("pkg/mod.py")
    assert error_of("nope.py:f") == "no such file: nope.py"
    assert error_of("a/nope:f") == "no such file: a/nope"
    assert error_of("not a name:f") == "no such file: not a name"
    assert error_of("nope.mod:f") == "no such file or module: nope.mod"
    assert error_of("nope") == "no such file or module: nope"
    assert error_of("pkg:f") == f"pkg is a directory; name a file in it: pkg{os.sep}FILE.py:FUNC"
    assert error_of("sys:exit") == "module 'sys' is not written in Python"


def test_a_syntax_error_is_named_with_its_place(here):
    here("demo.py", "def f():\n    return (1 +\n")
    message = error_of("demo.py:f")
    assert message.startswith("demo.py:2:")
    assert "syntax error" in message


def test_bytes_that_are_not_python_are_an_error_and_not_a_crash(here):
    path = here("demo.py")
    for content in (b"x = 1\0", b"\xff\xfe", b"# coding: nope\n", b"(" * 3000):
        path.write_bytes(content)
        assert error_of("demo.py:f").startswith("demo.py:")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_an_unreadable_file_is_named(here):
    here("demo.py", "def f(): pass\n").chmod(0)
    assert error_of("demo.py:f") == "cannot read demo.py: Permission denied"


def test_a_colon_in_a_directory_name_is_part_of_the_path(here):
    path = here("a:b/demo.py", "def f(): pass\n")
    assert resolve("a:b/demo.py:f").path == str(path)
