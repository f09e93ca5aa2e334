"""Functions of which the source alone says that they cannot be analysed: no worker is started."""

from __future__ import annotations

import ast
import importlib
import textwrap

import pytest

from pef.checking.subjects import subjects
from pef.contracts.errors import ContractError, missing_type
from pef.contracts.reader import read

LIBRARY = (
    *("ast", "bdb", "calendar", "cmd", "code", "codeop", "colorsys", "compileall", "copy", "csv"),
    *("difflib", "dis", "filecmp", "fnmatch", "ftplib", "functools", "gettext", "glob", "heapq"),
    *("imaplib", "inspect", "locale", "mimetypes", "ntpath", "pdb", "pickle", "pickletools"),
    *("platform", "posixpath", "pprint", "pydoc", "random", "shlex", "shutil", "statistics"),
    *("string", "tempfile", "textwrap", "timeit", "tokenize", "traceback", "urllib.parse", "wave"),
)


def untyped(source):
    text = textwrap.dedent(source)
    return {each.qualname: each.untyped for each in subjects(ast.parse(text), text)}


@pytest.mark.parametrize("name", LIBRARY)
def test_what_is_said_without_asking_is_what_a_reader_of_contracts_says(name):
    module = importlib.import_module(name)
    with open(module.__file__, encoding="utf-8") as file:
        found = untyped(file.read())
    for function, parameter in found.items():
        if parameter:
            with pytest.raises(ContractError) as caught:
                read(getattr(module, function))
            assert caught.value.is_missing_type, function
            assert caught.value.message == missing_type(parameter)


def test_that_is_said_of_many():
    sources = (importlib.import_module(name).__file__ for name in LIBRARY)
    texts = (open(source, encoding="utf-8").read() for source in sources)  # noqa: SIM115
    assert sum(map(bool, (each for text in texts for each in untyped(text).values()))) > 100


@pytest.mark.parametrize(
    ("head", "parameter"),
    [
        ("f(a)", "a"),
        ("f(a, b=1)", "a"),
        ("f(a=1, *, b)", "b"),
        ("f(*args, b, **others)", "b"),
        ("f(a, /, b)", "a"),
        ("f(a: int)", ""),
        ("f(a, b: int)", ""),
        ("f(a) -> int", ""),
        ("f(a=1)", ""),
        ("f(*args, **others)", ""),
        ("f()", ""),
        ("f(returnv)", ""),
    ],
)
def test_only_a_parameter_without_type_and_default_in_a_def_without_types_counts(head, parameter):
    assert untyped(f"def {head}: return 1") == {"f": parameter}


@pytest.mark.parametrize(
    "source",
    [
        'def f(a):\n    ":type: a: int"\n    return a',
        "def f(a):\n    assert isinstance(a, int)\n    return a",
        "@decorated\ndef f(a): return a",
        "def f(a): return a\nf = typed(f)",
        "def f(a): return a\nf.__annotations__ = {'a': int}",
        "if fast:\n    def f(a): return a\nelse:\n    def f(a): return 2 * a",
        "class C:\n    def f(a): return a",
        "def f(a): return a\nfrom faster import f",
        "def f(a): return a\nfrom faster import *",
    ],
)
def test_where_something_may_give_a_type_it_is_asked_for(source):
    assert set(untyped(source).values()) == {""}


def test_the_report_is_the_same_and_the_module_is_imported_all_the_same(project):
    project.write(m="def f(a):\n    return a\n\ndef g(x: int) -> int:\n    return x + 1\n")
    functions = project.check("m.py").report["functions"]
    assert [(each["name"], each["verdict"], each["reasons"]) for each in functions] == [
        ("m:f", "not-analysed", ["parameter 'a' has no type"]),
        ("m:g", "proved", []),
    ]
    project.write(m="import nothing_of_that_name\n\ndef f(a):\n    return a\n")
    checked = project.check("m.py")
    assert checked.report["functions"][0]["verdict"] == "not-analysed"
    assert "cannot import it" in checked.report["functions"][0]["reasons"][0]


def test_with_guessed_types_it_is_analysed(project):
    project.write(m="def f(a):\n    return a + 1\n")
    assert project.check("m.py", "--guess-types").verdict("f") != "not-analysed"
