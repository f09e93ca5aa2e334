"""A failing instruction is reported at the same line and column, through the same frames."""

import inspect
import textwrap
import traceback

import pytest

from pef.rewrite.compiling import compile_file, nested_codes

FAILURES = [
    "1 + f(0)(x)",
    "xs[i]",
    "0, xs[i], 1",
    "xs[i:'a']",
    "d[i][j]",
    "xs[i] = 1",
    "xs[i] += 1",
    "del xs[i]",
    "i in 5",
    "(i\n not in\n 5)",
    "len(\n  i,\n  j,\n)",
    "o.missing(i)",
    "o.fail(i)",
    "(o\n   .keep(i)\n   .fail(j))",
    "(o\n   .keep(i)\n   .missing\n   .fail(j))",
    "(o\n   .keep(i)\n   .fail(*[j]))",
    "(o\n   .keep(i)\n   .fail(j, k=1))",
    "(o\n   .keep(i)\n   .fail(**d))",
    "undefined(i)",
    "not bad",
    "x = not bad",
    "'%d' % xs",
    "i % d",
    "None(i)",
    "len(i)",
    "o.keep(i).keep(len(i))",
    "[y for y in xs if xs[y + 9]]",
    "(lambda y: xs[y])(9)",
    "f(xs[i], missing)",
    "d[i]()",
]

SETUP = """
class O:
    def keep(self, *a, **k): return self
    def fail(self, *a, **k): raise RuntimeError(a)
class Bad:
    def __bool__(self): raise RuntimeError("no truth")
def f(*a): return a
xs, i, j, d, o, bad, x = [1, 2], 9, 3, {9: None}, O(), Bad(), 0
"""


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("statement", FAILURES)
def test_failure_has_the_same_range(agree, statement):
    body = textwrap.indent(statement, " ")
    error = agree(f"{SETUP}\ndef run():\n{body}\nrun()\n")
    assert isinstance(error, Exception)


def test_traceback_text_is_the_same(run_both, helpers):
    if getattr(helpers, "__name__", "") == "plain_helpers":
        pytest.skip("only native helpers leave no frame")
    for statement in FAILURES:
        body = textwrap.indent(statement, " ")
        plain, rewritten = run_both(f"{SETUP}\ndef run():\n{body}\nrun()\n")
        texts = ["".join(traceback.format_exception(e)) for e in (plain, rewritten)]
        plain_text, rewritten_text = (
            text.partition("<program")[2].partition('"')[2] for text in texts
        )
        assert plain_text == rewritten_text.replace("<program", "<program")


FILES = [
    "_pydecimal",
    "argparse",
    "dataclasses",
    "difflib",
    "doctest",
    "enum",
    "fractions",
    "heapq",
]
FILES += ["inspect", "json.decoder", "pickle", "statistics", "tarfile", "typing", "unittest.mock"]


@pytest.mark.parametrize("name", FILES)
def test_code_objects_keep_their_shape_and_lines(name):
    module = __import__(name, fromlist=["x"])
    source, path = inspect.getsource(module), module.__file__
    plain = nested_codes(compile(source, path, "exec", dont_inherit=True))
    rewritten = nested_codes(compile_file(source, path).code)
    for one, other in zip(plain, rewritten, strict=True):
        assert shape(one) == shape(other)
        assert lines(one) == lines(other), one


def shape(code):
    is_function = code.co_flags & inspect.CO_OPTIMIZED
    # An inlined comprehension in a class body lists the globals it uses among its variables.
    variables = code.co_varnames if is_function else ()
    return (
        (code.co_name, code.co_firstlineno, code.co_flags, variables)
        + (code.co_freevars, code.co_cellvars)
        + (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    )


def lines(code):
    return {line for _, _, line in code.co_lines() if line is not None}
