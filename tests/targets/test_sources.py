"""The text of source files is that which the interpreter and `linecache` read."""

import linecache
import subprocess
import sys
from importlib.util import decode_source

import pytest

from pef.sources import decoded, lines_of

CONTENTS = {
    "plain": b"a = 1\nb = 2\n",
    "no newline at the end": b"a = 1\nb = 2",
    "empty": b"",
    "empty lines": b"\n\na\n\n",
    "other newlines": b"a\r\nb\rc\n",
    "form feed": b"a\x0cb\n",
    "utf-8": "ä = 'ß\u2028'\n".encode(),
    "byte order mark": b"\xef\xbb\xbfa = 1\n",
    "latin-1": b"# -*- coding: latin-1 -*-\nx = '\xe4'\n",
    "in the second line": b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n'\xe4'\n",
    "the word later": b"a = 1\nb = 2\n# coding: latin-1\n",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_text_is_decoded_as_by_the_interpreter(name):
    assert decoded(CONTENTS[name]) == decode_source(CONTENTS[name])


def test_what_is_no_text_is_refused():
    with pytest.raises(UnicodeDecodeError):
        decoded(b"x = '\xe4'\n")


def lines_without_linecache(file):
    program = file.with_name("program.py")  # `python -c` may load `linecache`
    program.write_text(
        "import sys\n"
        "from pef.sources import lines_of\n"
        "print(ascii(lines_of(sys.argv[1])), 'tokenize' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, program, file], capture_output=True, text=True)
    return done.stdout.rstrip()


@pytest.mark.parametrize("name", ["plain", "no newline at the end", "empty lines", "latin-1"])
def test_lines_are_those_of_linecache(name, tmp_path):
    file = tmp_path / "m.py"
    file.write_bytes(CONTENTS[name])
    expected = tuple(line.rstrip("\n") for line in linecache.getlines(str(file)))
    assert lines_of(str(file)) == expected
    assert lines_without_linecache(file) == f"{ascii(expected)} {name == 'latin-1'}"


def test_a_file_that_is_not_there_has_no_lines(tmp_path):
    assert lines_of(str(tmp_path / "missing.py")) == ()


def test_what_was_typed_into_a_shell_has_lines(monkeypatch):
    monkeypatch.setitem(linecache.cache, "<shell>", (4, None, ["x = 1\n", "y\n"], "<shell>"))
    assert lines_of("<shell>") == ("x = 1", "y")
