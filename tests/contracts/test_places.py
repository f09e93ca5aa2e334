"""However a docstring is spelt in the file, its clauses know where they stand."""

import pytest

from pef.contracts import ContractError, read

SPELLINGS = {
    "plain": 'def f(x: int):\n    """Text.\n\n    :assume: WRONG > 0\n    """\n',
    "raw": 'def f(x: int):\n    r"""Text \\d.\n\n    :assume: WRONG > 0\n    """\n',
    "one line": 'def f(x: int): ":assume: WRONG > 0"\n',
    "single quotes": "def f(x: int):\n    ':assume: WRONG > 0'\n",
    "first line": 'def f(x: int):\n    """:assume: WRONG > 0\n    """\n',
    "escapes before": "def f(x: int):\n"
    '    "\\x41\\101\\7\\u0041\\U00000041\\N{BULLET}\\q\\n:assume: WRONG"\n',
    "escaped quotes": "def f(x: int):\n    ':assume: \\'\\\\n\\' != WRONG'\n",
    "line joined": 'def f(x: int):\n    """Text\n    :assume: x > 0 and \\\n      WRONG\n    """\n',
    "opening joined": 'def f(x: int):\n    """\\\n    :assume: WRONG\n    """\n',
    "concatenated": "def f(x: int):\n"
    '    ("Text.\\n"  # note\n\n     r":assume: x > 0 "\n  "and WRONG")\n',
    "concatenated by backslash": 'def f(x: int):\n    "Text.\\n" \\\n    ":assume: WRONG"\n',
    "tabs": 'def f(x: int):\n\t"""Text.\n\n\t:assume: x > 0,\n\t\tWRONG\n\t"""\n',
    "non-ASCII": 'def f(x: int):\n    """Ünï.\n    :assume: "中é" != x, WRONG\n    """\n',
    "decorated": "import functools\n@functools.lru_cache\n@functools.wraps(print)\ndef g(): 0\n"
    'def same(g): return g\n@same\n@same\ndef f(x: int):\n    """:assume: WRONG"""\n',
    "async": 'async def f(x: int):\n    """:assume: WRONG"""\n',
    "after another of its name": 'def f(x: int): 0\ndef f(x: int):\n    """:assume: WRONG"""\n',
    "raw with quote escape": "def f(x: int):\n    r'''\\''' is one\n    :assume: WRONG'''\n",
    "unicode prefix": "def f(x: int):\n    u':assume: WRONG'\n",
    "form feed": 'x = 1\n\x0c\ndef f(x: int):\n    """:assume: WRONG"""\n',
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize("name", SPELLINGS)
def test_an_error_points_at_the_wrong_name_itself(load, name):
    source = SPELLINGS[name]
    with pytest.raises(ContractError) as caught:
        read(load(source))
    before = source[: source.index("WRONG")]
    line = before.count("\n") + 1
    assert (caught.value.line, caught.value.column) == (
        line,
        len(before) - (before.rfind("\n") + 1) + 1,
    )
    assert "WRONG" in caught.value.source_line


def test_windows_line_ends_do_not_move_places(tmp_path, monkeypatch):
    file = tmp_path / "crlf_module.py"
    file.write_bytes(
        b'def f(x: int):\r\n    """Text.\r\n\r\n    :assume: x > 0, nope\r\n    """\r\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    import crlf_module

    with pytest.raises(ContractError) as caught:
        read(crlf_module.f)
    assert (caught.value.line, caught.value.column) == (4, 21)


def test_without_a_source_file_the_docstring_itself_is_shown():
    namespace = {}
    exec('\n\ndef f(x: int):\n    """Text.\n\n    :assume: x > nope\n    """', namespace)
    with pytest.raises(ContractError) as caught:
        read(namespace["f"])
    error = caught.value
    assert error.file == "<string>"
    assert error.source_line.strip() == ":assume: x > nope"
    assert str(error).split("\n")[2].index("^") == error.source_line.index("nope")


def test_a_file_that_changed_since_import_is_not_trusted(tmp_path, monkeypatch):
    file = tmp_path / "changed_module.py"
    file.write_text('def f(x: int):\n    """:assume: x > 0"""\n')
    monkeypatch.syspath_prepend(tmp_path)
    import changed_module

    file.write_text('def f(x: int):\n    """:assume: x < 0"""\n')
    assert [clause.text for clause in read(changed_module.f).assumes] == ["x > 0"]
    file.write_text("def f(x: int:\n")
    assert [clause.text for clause in read(changed_module.f).assumes] == ["x > 0"]


def test_a_clause_knows_its_file_line_and_column(load):
    function = load('def f(x: int):\n    """Text.\n    :assume: x > 0,\n       (x < 9)\n    """\n')
    first, second = read(function).assumes
    assert (first.line, first.column) == (3, 14)
    assert (second.line, second.column, second.text) == (4, 9, "x < 9")
    assert first.file == function.__code__.co_filename


def test_a_traceback_through_a_clause_shows_the_docstring_line(load):
    import traceback

    function = load('def f(x: int):\n    """Text.\n\n    :assume: 1 // x\n    """\n')
    (clause,) = read(function).assumes
    with pytest.raises(ZeroDivisionError) as caught:
        clause.condition.evaluate({"x": 0})
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.lineno, frame.line, frame.name) == (4, ":assume: 1 // x", "<assume>")


def test_every_instruction_of_a_clause_stands_inside_the_docstring(load):
    function = load(
        'def f(x: int, l: list):\n    """Text.\n\n    :ensure: all(i > old(x) for i in l),\n'
        "        (lambda a: a)(x)\n    :raises: KeyError: x > 1\n"
        '    """\n'
    )
    codes = list(read(function).codes())
    names = {code.co_name for code in codes}
    assert {"<ensure>", "<raises>", "<old>", "<lambda>"} <= names
    for code in codes:
        assert {line for *_, line in code.co_lines() if line is not None} <= {4, 5, 6}
