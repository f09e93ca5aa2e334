"""A wrong contract is reported at the column where it is wrong.

Each case shows the docstring lines, a caret under the expected column, and the start of the
message.
"""

import pytest

from pef.contracts import ContractError, read

CASES = [
    """
    :assume: x > nope
                 ^ unknown name 'nope' in :assume:
    """,
    """
    :assume: x > 0, (lambda a: a + b)(x)
                                   ^ unknown name 'b'
    """,
    """
    :assume: [i for i in range(x)] == [i]
                                       ^ unknown name 'i'
    """,
    """
    :assume: (lambda: (w := x))() > w
                                    ^ unknown name 'w'
    """,
    """
    :assume: x > 0,
        y > 0 and z > 0
                  ^ unknown name 'z'
    """,
    """
    :assume: 'ñandú 中文' != str(nope)
                               ^ unknown name 'nope'
    """,
    """
    :assume: x >
                ^ the expression is not complete
    """,
    """
    :assume: len([x
                ^ '(' was never closed
    """,
    """
    :assume: len(x
                  ^ the expression is not complete
    """,
    """
    :assume: x > 0)
                  ^ unmatched ')'
    """,
    """
    :assume: x, y]
                 ^ unmatched ']'
    """,
    """
    :assume: x) + (y
              ^ unmatched ')'
    """,
    """
    :assume: x], [y
              ^ unmatched ']'
    """,
    """
    :assume: x > 0, y = 3
                    ^ invalid syntax
    """,
    """
    :assume: x > 0, 'abc
                    ^ unterminated string literal
    """,
    """
    :assume: x > 0,
                  ^ nothing follows this ','
    """,
    """
    :assume: *x
             ^ '*' cannot be used here
    """,
    """
    :assume: x for x in y
             ^ expected expressions separated by commas
    """,
    """
    :assume: x > 0, (yield x)
                     ^ a contract cannot use 'yield' or 'await'
    """,
    """
    :assume: (x := 3) > 0
              ^ a contract cannot assign to 'x'
    """,
    """
    :assume: returnv > 0
             ^ 'returnv' is only known in :ensure:
    """,
    """
    :assume: x > old(x)
                 ^ 'old()' is only known in :ensure:
    """,
    """
    :raises: ValueError: final(x) > 0
                         ^ 'final()' is only known in :ensure:
    """,
    """
    :ensure: old(returnv) > 0
                 ^ old() cannot use 'returnv'
    """,
    """
    :ensure: all(old(i) for i in range(3))
                     ^ old() cannot use 'i'
    """,
    """
    :ensure: old(x, y) > 0
             ^ 'old()' takes exactly one expression
    """,
    """
    :ensure: old(final(x)) > 0
                 ^ old() and final() cannot be nested
    """,
    """
    :assume:
    ^ ':assume:' is empty
    """,
    """
    :asume: x > 0
     ^ unknown field ':asume:'
    """,
    """
    :Assume: x > 0
     ^ unknown field ':Assume:'
    """,
    """
    :assumes: x > 0
     ^ unknown field ':assumes:'
    """,
    """
    :assume x > 0
           ^ expected ':' after ':assume'
    """,
    """
    :ensure returnv: x
           ^ expected ':' after ':ensure'
    """,
    """
    :raises ValueError if bad
           ^ ':raises' lacks its second ':'
    """,
    """
    :raises: ValueError
             ^ expected 'Exception: condition'
    """,
    """
    :raises: ValueError: x, y > 0
                                ^ ':' expected after the name
    """,
    """
    :raises: ValueErr: True
             ^ unknown exception 'ValueErr'
    """,
    """
    :raises: KeyError: True, os.Nope: x
                             ^ unknown exception 'os.Nope'
    """,
    """
    :raises: KeyError: True, int: x
                             ^ 'int' is not an exception class
    """,
    """
    :raises: KeyError: x, KeyError: y
                          ^ 'KeyError' already has an entry
    """,
    """
    :raises: KeyError: x, 'a': y
                          ^ expected the name of an exception
    """,
    """
    :raises: KeyError: x > nope
                           ^ unknown name 'nope' in :raises:
    """,
    """
    :raises: **x
               ^ '**' cannot be used here
    """,
    """
    :type: x: int, z: int
                   ^ 'f' has no parameter 'z'
    """,
    """
    :type: x: int, x: str
                   ^ parameter 'x' already has a type
    """,
    """
    :type: x: int
    :type: x: str
           ^ parameter 'x' already has a type
    """,
    """
    :type: x: [int, itn]
                    ^ unknown type 'itn'
    """,
    """
    :type: x: dict[str, list[itn]]
                             ^ unknown type 'itn'
    """,
    """
    :type: x: os.Nope
              ^ unknown type 'os.Nope'
    """,
    """
    :type: x: 'list[itn]'
              ^ unknown type 'itn'
    """,
    """
    :type: x: 3
              ^ '3' is not a type
    """,
    """
    :type: x: os
              ^ 'os' is not a type
    """,
    """
    :type: x: int[str]
              ^ 'int[str]' is not a type
    """,
    """
    :type: x: []
              ^ a list of alternatives cannot be empty
    """,
    """
    :type: x
           ^ expected 'parameter: type'
    """,
    """
    :type: x.y: int
           ^ expected the name of a parameter
    """,
    """
    :type: x: int y: int
              ^ invalid syntax
    """,
    """
    :type z: int
          ^ 'f' has no parameter 'z'
    """,
    """
    :raises int: sometimes
            ^ 'int' is not an exception class
    """,
]


def _case(text):
    """The docstring lines without the caret line; the caret's line, column and message."""
    lines = text.strip("\n").split("\n")[:-1]
    at = next(row for row, line in enumerate(lines) if line.lstrip().startswith("^ "))
    column = lines[at].index("^")
    return lines[:at] + lines[at + 1 :], at - 1, column, lines[at][column + 2 :]


QUOTES = ['"""', "r'''", "'''"]


@pytest.mark.parametrize("quotes", QUOTES)
@pytest.mark.parametrize("text", CASES)
def test_the_caret_stands_under_what_is_wrong(load, text, quotes):
    lines, row, column, message = _case(text)
    source = ["import os", "def f(x: int, y: int):", f"    {quotes}Text."]
    source += [*lines, f"    {quotes[-3:]}", ""]
    with pytest.raises(ContractError) as caught:
        read(load("\n".join(source)))
    error = caught.value
    assert error.message.startswith(message)
    assert (error.line, error.column) == (row + 4, column + 1)
    assert error.source_line == source[row + 3]


def test_an_error_is_at_most_four_lines_like_a_compiler_writes_them(contract_error):
    error = contract_error(":ensure: retrnv > 0")
    assert str(error).split("\n") == [
        f"{error.file}:5:14: error: unknown name 'retrnv' in :ensure:",
        "    :ensure: retrnv > 0",
        "             ^",
        "hint: did you mean 'returnv'?",
    ]


def test_the_caret_keeps_tabs_and_counts_wide_characters_twice():
    tabs = ContractError("m", "f.py", 1, 3, "\t\tx")
    wide = ContractError("m", "f.py", 1, 3, "中é́x")
    assert str(tabs).split("\n")[2] == "\t\t^"
    assert str(wide).split("\n")[2] == "   ^"


def test_a_file_below_the_current_directory_is_named_as_a_user_would_type_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inside = ContractError("m", str(tmp_path / "pkg" / "demo.py"), 5, 15)
    outside = ContractError("m", "/elsewhere/demo.py", 5, 15)
    assert str(inside) == "pkg/demo.py:5:15: error: m"
    assert str(outside) == "/elsewhere/demo.py:5:15: error: m"


def test_errors_survive_pickling(contract_error):
    import pickle

    error = contract_error(":assume: x > nope")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_very_deep_expression_is_an_error_and_not_a_crash(contract_error):
    error = contract_error(":assume: " + "(" * 5000 + "x" + ")" * 5000)
    assert (error.line, error.file[0]) == (5, "<")


def test_suggestions_are_of_the_right_kind(contract_error):
    assert contract_error(":type: x: itn").hint == "did you mean 'int'?"
    assert contract_error(":raises: ValueErr: x").hint == "did you mean 'ValueError'?"
    assert contract_error(":type: longname: int", "long_name").hint == "did you mean 'long_name'?"
