"""PEP 316 docstrings mean what CrossHair takes them to mean."""

import pytest

from pef.contracts import ClauseKind, ContractError, UndeclaredException, read


def judge(contract, function, **arguments):
    """What a call with these arguments breaks."""
    if contract.violated_assume(arguments) is not None:
        return "excluded"
    entry = contract.enter(arguments)
    try:
        result = function(**arguments)
    except Exception as error:
        return contract.violated_raises(entry, error)
    return contract.violated_ensure(entry, result)


def test_one_line_is_enough(load):
    function = load('def f(x: int):\n    """ post: _ > x """\n    return x + (x != 3)\n')
    contract = read(function)
    assert judge(contract, function, x=2) is None
    broken = judge(contract, function, x=3)
    assert (broken.kind, broken.text, broken.line) == (ClauseKind.ENSURE, "_ > x", 2)
    assert broken.shown == "post: _ > x"


def test_several_conditions_add_up(contract, texts):
    read_contract = contract("pre: x > 0\npre: y > 0\npost: _ > 0\npost: __return__ > 1")
    assert texts(read_contract.assumes) == ["x > 0", "y > 0"]
    assert texts(read_contract.ensures) == ["_ > 0", "__return__ > 1"]


def test_a_keyword_alone_introduces_one_expression_per_line(contract, texts):
    read_contract = contract("pre:\n    x > 0\n\n    (y >\n        0)\npost: True")
    assert texts(read_contract.assumes) == ["x > 0", "y > 0"]
    assert texts(read_contract.ensures) == ["True"]


def test_an_expression_goes_on_over_more_indented_lines(contract, texts):
    assert texts(contract("pre: (x >\n      0)\n").assumes) == ["x > 0"]


def test_a_parameter_means_its_value_at_exit_and_old_the_one_at_entry(load):
    source = (
        "def f(items: list):\n"
        '    """\n    post: len(items) == len(__old__.items) + 1\n    """\n'
        "    items.append(1)\n"
    )
    function = load(source)
    contract = read(function)
    assert judge(contract, function, items=[]) is None
    assert judge(contract, lambda items: items.clear(), items=[1]).text.startswith("len(items)")


def test_identity_with_the_old_value_survives_a_change(load):
    source = 'def f(a: list):\n    """ post: _ is __old__.a """\n    a.append(1)\n    return a\n'
    function = load(source)
    assert judge(read(function), function, a=[]) is None


@pytest.mark.parametrize(
    ("brackets", "broken"),
    [("", None), ("[a, b]", None), ("[a]", "b is not changed"), ("[]", "a is not changed")],
)
def test_brackets_name_the_arguments_that_may_change(load, brackets, broken):
    source = (
        f'def f(a: list, b: list):\n    """ post{brackets}: True """\n'
        "    a.append(1)\n    b.append(2)\n"
    )
    function = load(source)
    found = judge(read(function), function, a=[], b=[])
    assert (found and found.text) == broken


def test_an_object_that_was_left_alone_is_unchanged_even_without_eq(load):
    function = load('def f(a: object):\n    """ post[]: True """\n')
    assert judge(read(function), function, a=object()) is None


def test_without_raises_every_exception_breaks_the_contract(load):
    function = load('def f(x: int):\n    """ post: True """\n    assert x\n    return 1 // x\n')
    contract = read(function)
    assert contract.closed and contract.raises == ()
    for error in (AssertionError(), ZeroDivisionError()):
        broken = contract.violated_raises(contract.enter({"x": 0}), error)
        assert isinstance(broken, UndeclaredException)
        assert (broken.line, broken.column) == (2, 9)


def test_raises_names_what_is_allowed(contract):
    read_contract = contract("post: True\nraises: KeyError, ValueError")
    entry = read_contract.enter({"x": 0, "y": 0})
    assert read_contract.violated_raises(entry, KeyError()) is None
    assert read_contract.allows(UnicodeDecodeError("utf-8", b"", 0, 1, "x"))
    assert read_contract.violated_raises(entry, IndexError()) is not None


def test_a_name_bound_in_the_expression_is_not_the_parameter(load):
    source = 'def f(x: list):\n    """ post: all(x > 0 for x in __old__.x) """\n    x.clear()\n'
    function = load(source)
    assert judge(read(function), function, x=[1]) is None
    assert judge(read(function), function, x=[0]) is not None


def test_a_parameter_may_be_called_underscore(load):
    function = load('def f(_: int):\n    """ post: _ == 1 """\n    return 5\n')
    assert judge(read(function), function, _=1) is None


@pytest.mark.parametrize(
    "text",
    [
        "post: the text that follows",
        "pre: what comes first",
    ],
)
def test_the_documentation_of_a_parameter_of_that_name_is_no_contract(load, text):
    function = load(f'def f(pre: str, post: str):\n    """Text.\n\n    {text}\n    """\n')
    assert not read(function).says_something


@pytest.mark.parametrize("text", ["raises: ValueError if x is negative", "raises:"])
def test_a_sentence_about_exceptions_is_no_contract(contract, text):
    assert not contract(text).declares_exceptions


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("post: x >", 14, "the expression is not complete"),
        ("pre: x > 0, y > 0", 17, "expected one expression"),
        ("pre: nope > 0", 10, "unknown name 'nope' in pre:"),
        ("pre: __return__ > 0", 10, "'__return__' is only known in post:"),
        ("pre: __old__.x > 0", 10, "'__old__' is only known in post:"),
        ("post: __old__ > 0", 11, "'__old__' alone means nothing"),
        ("post: __old__.z > 0", 11, "there is no parameter 'z'"),
        ("post[z]: True", 10, "'f' has no parameter 'z'"),
        ("pre[x]: True", 9, "'pre' takes no brackets"),
        ("post:", 5, "'post:' is empty"),
        ("post: True\nraises: Nope", 13, "unknown exception 'Nope'"),
        ("post: old(x) == 1", 11, "unknown name 'old' in post:"),
    ],
)
def test_a_malformed_line_is_an_error_with_its_place(contract_error, text, column, message):
    error = contract_error(text)
    assert (error.message, error.column) == (message, column)
    assert isinstance(error, ContractError) and error.source_line
