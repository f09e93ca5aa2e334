"""Where functions stand in their files, and that a file is gone through once."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import linecache

from hypothesis import example, given
from hypothesis import strategies as st

from pef.contracts import source

_MODULE = '''\
def first(x: int) -> int:
    """About the first."""
    return x


def decorated(function):
    return function


@decorated
@decorated
def second(x: int) -> int:
    """About the second."""

    def first(y):
        return y

    return first(x)


if True:

    def first(x: int) -> int:
        """About the last first."""
        return x + 1
'''


def _imported(tmp_path, text=_MODULE):
    file = tmp_path / "placed.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("placed", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_function_is_found_by_its_name_and_first_line(tmp_path):
    module = _imported(tmp_path)
    last, second = source.locate(module.first), source.locate(module.second)
    assert (last.node.lineno, last.docstring.text) == (23, "About the last first.")
    assert (second.node.lineno, second.first_line) == (12, 10)
    inner = source.locate(next(_functions_within(module.second)))
    assert (inner.node.lineno, inner.docstring) == (15, None)


def _functions_within(function):
    from types import CodeType, FunctionType

    for constant in function.__code__.co_consts:
        if isinstance(constant, CodeType):
            yield FunctionType(constant, {})


def test_a_file_that_is_remembered_is_parsed_once(tmp_path, monkeypatch):
    module = _imported(tmp_path)
    parsed = []
    parse = ast.parse
    monkeypatch.setattr(ast, "parse", lambda *words: parsed.append(words) or parse(*words))
    source.parse_source.cache_clear()
    source.remember(module.__file__)
    assert len(parsed) == 1
    monkeypatch.setattr(ast, "walk", lambda node: 1 / 0)
    assert source.locate(module.first).node is not None
    assert source.locate(module.second).node is not None
    assert len(parsed) == 1


def test_a_file_that_has_changed_is_parsed_again(tmp_path):
    module = _imported(tmp_path)
    source.remember(module.__file__)
    (tmp_path / "placed.py").write_text("\n\n" + _MODULE)
    linecache.checkcache()
    assert source.locate(module.first).node is None
    source.remember(str(tmp_path / "missing.py"))
    (tmp_path / "placed.py").write_text("def first(:")
    linecache.checkcache()
    source.remember(module.__file__)
    assert source.locate(module.first).node is None


@given(st.text(" \t\na:", max_size=40))
@example("One.\n\n    Two.\n      Three.\n  \n    ")
@example("\n        \n  One.\n\tTwo.")
def test_a_docstring_is_cleaned_as_inspect_does_it(docstring):
    assert source._cleaned(docstring) == inspect.cleandoc(docstring)
