"""Which lines of a docstring are a contract, and where one clause ends and the next begins."""

import pytest

from pef.contracts import ClauseKind, TypeSource, read


def test_commas_separate_clauses_and_fields_of_one_kind_add_up(contract, texts):
    read_contract = contract(":assume: x > 0, y > 0\n:assume: x != y")
    assert texts(read_contract.assumes) == ["x > 0", "y > 0", "x != y"]


@pytest.mark.parametrize(
    "expression",
    [
        "'a, b: c # d' != str(x)",
        "(lambda a, b=1: a + b)(x, y) > 0",
        "[x, y, 3][0:2] == [x, y]",
        "{'k': x, 'l': y}['k'] == x",
        "all(a > b for a, b in [(2, 1), (4, 3)])",
        "(x, y) == (x, y)",
        "x if y else -x",
        "f'{x:>3},{y}' != ''",
        "'it\\'s' != x",
        "x < y < 10",
        "{x, y} <= {x, y, 1}",
        "not x or y",
        "(z := x + 1) > x",
    ],
)
def test_separators_inside_an_expression_do_not_split_it(contract, texts, expression):
    read_contract = contract(f":assume: x == x, {expression.replace(chr(92), chr(92) * 2)}, y == y")
    assert texts(read_contract.assumes) == ["x == x", expression, "y == y"]
    assert read_contract.violated_assume({"x": 1, "y": 2}) is None


def test_ensures_and_types_are_spellings_of_ensure_and_type(contract):
    read_contract = contract(":types: x: bool\n:ensures: returnv", "x")
    assert read_contract.parameters[0].alternatives == (bool,)
    assert [clause.kind for clause in read_contract.ensures] == [ClauseKind.ENSURE]


def test_a_field_goes_on_over_more_indented_lines(contract, texts):
    read_contract = contract(":assume: x > 0,\n    y > 0\n\n    and x < 9\nText, not a clause.")
    assert texts(read_contract.assumes) == ["x > 0", "y > 0 and x < 9"]


def test_equally_indented_text_is_not_part_of_a_field(contract, texts):
    assert texts(contract(":assume: x > 0\nor so it was said").assumes) == ["x > 0"]


def test_a_more_indented_contract_line_starts_its_own_field(contract, texts):
    read_contract = contract(":assume: x > 0\n    :ensure: returnv > 0")
    assert texts(read_contract.assumes) == ["x > 0"]
    assert texts(read_contract.ensures) == ["returnv > 0"]


def test_a_backslash_joins_lines_in_a_raw_docstring(load, texts):
    function = load(
        'def f(x: int):\n    r"""\n    :assume: x > 0 \\\n    and x < 9\n    more text\n    """\n'
    )
    assert texts(read(function).assumes) == ["x > 0 and x < 9"]


def test_a_backslash_joins_lines_in_a_plain_docstring(load, texts):
    function = load('def f(x: int):\n    """\n    :assume: x > 0 \\\n    and x < 9\n    """\n')
    (clause,) = read(function).assumes
    assert (clause.line, clause.column) == (3, 14)
    assert read(function).violated_assume({"x": 9}) is not None


def test_a_comment_ends_with_its_line(contract, texts):
    read_contract = contract(":assume: x > 0,  # positive, surely\n    y > 0  # so is y")
    assert texts(read_contract.assumes) == ["x > 0", "y > 0"]


def test_the_text_of_a_clause_is_one_line(contract, texts):
    read_contract = contract(":assume: x > 0 and  # first\n    y !=  0")
    assert texts(read_contract.assumes) == ["x > 0 and y != 0"]


def test_the_first_line_of_a_docstring_is_indented_like_its_quotes(load, texts):
    source = 'def f(x: int, y: int):\n    """:assume: x > 0,\n        y > 0\n    z > 0\n    """\n'
    assert texts(read(load(source)).assumes) == ["x > 0", "y > 0"]


def test_newline_escapes_separate_lines(load, texts):
    read_contract = read(load('def f(x: int):\n    ":assume: x > 0\\n  and x < 9\\ntext"\n'))
    assert texts(read_contract.assumes) == ["x > 0 and x < 9"]


@pytest.mark.parametrize(
    "line",
    [
        ":param x: the number",
        ":param int x: the number",
        ":return: the result",
        ":rtype: int",
        ":class:`Point` moves",
        ":meta private:",
        ":note: raise the flag",
        "see :assume: x >",
        ": : :",
        ":::",
    ],
)
def test_other_fields_and_roles_are_ignored(contract, line):
    read_contract = contract(line)
    assert not read_contract.assumes
    assert not read_contract.declares_exceptions


def test_a_function_without_docstring_has_no_clauses(load):
    read_contract = read(load("def f(x: int): return x\n"))
    assert read_contract.assumes == read_contract.ensures == ()
    assert read_contract.raises is None
    assert read_contract.parameters[0].source_of_type is TypeSource.HINT


def test_a_contract_can_follow_the_docstring_a_decorator_wrote(load, texts):
    function = load("def f(x: int):\n    'Text.'\nf.__doc__ = ':assume: x > 0'\n")
    assert texts(read(function).assumes) == ["x > 0"]


def test_only_the_current_docstring_counts(load):
    function = load("def f(x: int):\n    ':assume: x > 0'\nf.__doc__ = None\n")
    assert read(function).assumes == ()


def test_raises_entries_are_pairs_of_exception_and_condition(contract, texts):
    read_contract = contract(
        ":raises: ZeroDivisionError: y == 0, json.JSONDecodeError: {1: 2}[1] == 2,\n"
        "    any: (lambda: x)() > 0",
        prelude="import json",
    )
    import json

    exceptions = [entry.exception for entry in read_contract.raises]
    assert exceptions == [ZeroDivisionError, json.JSONDecodeError, None]
    assert texts(entry.clause for entry in read_contract.raises) == [
        "y == 0",
        "{1: 2}[1] == 2",
        "(lambda: x)() > 0",
    ]


def test_several_raises_fields_add_up_in_order(contract):
    read_contract = contract(":raises: KeyError: x > 0\n:raises: LookupError: True")
    assert [entry.exception for entry in read_contract.raises] == [KeyError, LookupError]
