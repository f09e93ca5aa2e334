"""Contracts that went wrong in any way are read, or refused with a place: nothing else happens.

Valid docstrings of every notation are cut, spliced and spoilt. `PEF_RANDOM_CONTRACTS=20000` looks
for longer than the tests do.
"""

from __future__ import annotations

import itertools
import linecache
import os
from types import FunctionType

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pef.contracts import ContractError, read

EXAMPLES = int(os.environ.get("PEF_RANDOM_CONTRACTS", "200"))
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")

DOCSTRINGS = [
    "Text.\n\n:type: x: [int, str], y: list[int]\n:assume: x > 0, len(y) == 2\n:ensure: returnv\n",
    ":types: x: int | None, y: dict[str, (int, bool)]\n:raises: KeyError: x in y, any: True\n",
    ":ensure: old(x) + final(y) == returnv, (lambda a, b={1: 'k'}: a[:b])(x, y)\n",
    "pre: x > 0\npost: __return__ == __old__.x\npost[y]: y != x\nraises: ValueError, KeyError\n",
    "Does it.\n\n:param x: a number\n:type x: int\n:raises ValueError: if bad\n:rtype: int\n",
    "Does it.\n\nArgs:\n    x (int): one\n    y (list): two\n\nRaises:\n    KeyError: always\n",
    "Does it.\n\nParameters\n----------\nx : int\n\nRaises\n------\nOSError\n    If bad.\n",
    ":invariant: self.x\n:assume: x == '\\\\' \\\n  and y == ':,#'\n:ensure: [i for i in y if i]\n",
]
SCRAPS = [
    *":,()[]{}'\"#\\ \n\t=|*@;`$?\0\r\f",
    *(
        "\n\n",
        "    ",
        '"""',
        "\\\n",
        "lambda",
        "yield x",
        "await x",
        "x := 1",
        "*x",
        "**x",
        "f'{x",
        "not ",
    ),
    *(":assume:", ":type:", ":raises:", "pre:", "post[", "returnv", "old(", "final(", "Raises:\n"),
    *("\ud800", "\u2028", "\ufeff", "é", "中", "𝒳", "\x7f", "0x", "1_", "1e999", "9" * 5000),
    *("(" * 300, "-" * 3000, "[" * 150 + "]" * 150, "x" + "+x" * 3000, "x.a" * 900, "not " * 2000),
]
_numbers = itertools.count()


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A docstring after a few accidents."""
    text = draw(st.sampled_from(DOCSTRINGS))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(start + 12, len(text))))
        other = draw(st.sampled_from(DOCSTRINGS))
        begin = draw(st.integers(0, len(other)))
        repaired = draw(
            st.one_of(
                st.just(""),
                st.sampled_from(SCRAPS),
                st.just(other[begin : begin + 20]),
                st.text(max_size=4),
            )
        )
        text = text[:start] + repaired + text[stop:]
    return text


def _documented(docstring: str) -> tuple[FunctionType, int]:
    """A function with this docstring, and how many lines its file has."""
    literal = ascii(docstring)
    source = f"def f(x: int, y: int):\n    {literal}\n    assert x\n    return y\n"
    file = f"<spoilt-{next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace: dict[str, object] = {"__name__": "spoilt"}
    exec(compile(source, file, "exec", dont_inherit=True), namespace)
    function = namespace["f"]
    assert isinstance(function, FunctionType)
    return function, source.count("\n")


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == 200,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(spoilt())
def test_spoilt_docstring_is_a_contract_or_an_error_with_a_place(docstring: str) -> None:
    function, lines = _documented(docstring)
    try:
        read(function)
    except ContractError as error:
        assert 1 <= error.line <= lines
        assert error.column >= 1
        assert 1 <= len(str(error).split("\n")) <= 4
    finally:
        linecache.cache.pop(function.__code__.co_filename, None)
