"""Random contracts: nothing is lost, moved or misread between the docstring and the clause."""

import ast
import textwrap

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pef.contracts import ContractError, read
from pef.contracts.placed import SourceText, place_literal

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")

ATOMS = st.one_of(
    st.sampled_from(["x", "y", "0", "1", "-3", "True", "None", "LIMIT", "...", "1.5", "2j"]),
    st.text("ab,:#[](){}'\" \\ñ中\t", max_size=6).map(repr),
    st.binary(max_size=3).map(repr),
)


def _larger(inner):
    two = st.tuples(inner, inner)
    operator = st.sampled_from(["+", "==", "<", "and", "or", "is", "in", "!=", "if 1 else", ","])
    return st.one_of(
        st.tuples(inner, operator, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda e: f"[{e}, *[{e}]]"),
        inner.map(lambda e: f"(lambda a, b={e}: (a, b, x))"),
        inner.map(lambda e: f"[i for i in [{e}] if i or y]"),
        two.map(lambda t: f"{{1: {t[0]}, 2: {t[1]}}}"),
        two.map(lambda t: f"[{t[0]}, {t[1]}][0:1]"),
        inner.map(lambda e: f"str({e})[::-1]"),
        inner.map(lambda e: f"(not {e})"),
        inner.map(lambda e: f"(w := {e})"),
    )


EXPRESSIONS = st.recursive(ATOMS, _larger, max_leaves=6)
SEPARATORS = st.sampled_from([",", ", ", " , ", ",\n        ", ",  # a, note: [\n      "])


def _spell(value: str, style: str) -> str:
    """A string literal for the value."""
    if style == "repr":
        return repr(value)
    if style == "pieces":
        half = len(value) // 2
        return f"({value[:half]!r}  # first\n     {value[half:]!r})"
    quotes = '"""'
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f"{quotes}{escaped}{quotes}"


STYLES = st.sampled_from(["repr", "pieces", "lines"])


def _source(docstring: str, style: str) -> str:
    return f"LIMIT = 10\ndef f(x: int, y: int):\n    {_spell(docstring, style)}\n"


def _is_expression(text: str) -> bool:
    try:
        compile(text, "<expression>", "eval")
    except SyntaxError:
        return False
    return True


def _shape(text: str) -> str:
    return ast.dump(ast.parse(f"({text})", mode="eval"))


def _truth(expression: str, arguments: dict):
    namespace = {"LIMIT": 10}
    exec(f"def f({', '.join(arguments)}): return bool(\n{expression}\n)", namespace)
    try:
        return namespace["f"](**arguments)
    except Exception as error:
        return type(error)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(EXPRESSIONS, min_size=1, max_size=4),
    st.lists(SEPARATORS, min_size=4, max_size=4),
    STYLES,
    st.integers(-2, 2),
    st.integers(-2, 2),
)
def test_clauses_are_exactly_the_expressions_that_were_written(
    load, expressions, separators, style, x, y
):
    assume(all(map(_is_expression, expressions)))
    body = expressions[0]
    for separator, expression in zip(separators, expressions[1:], strict=False):
        body += separator + expression
    contract = read(load(_source(f"Text.\n\n    :assume: {body}\n    ", style)))
    assert [_shape(clause.text) for clause in contract.assumes] == [
        _shape(each) for each in expressions
    ]
    arguments = {"x": x, "y": y}
    for clause, expression in zip(contract.assumes, expressions, strict=True):
        try:
            answer = clause.condition.evaluate(arguments)
        except Exception as error:
            answer = type(error)
        assert answer == _truth(expression, arguments)


@settings(max_examples=300, deadline=None)
@given(st.lists(EXPRESSIONS, min_size=1, max_size=3), EXPRESSIONS, STYLES, st.data())
def test_an_unknown_name_is_reported_where_it_stands(load, expressions, last, style, data):
    wrong = data.draw(st.sampled_from(["UNKNOWN", "(UNKNOWN)", "x + UNKNOWN(y)", "[UNKNOWN]"]))
    at = data.draw(st.integers(0, len(expressions)))
    expressions = [*expressions[:at], wrong, *expressions[at:]]
    assume(all(map(_is_expression, expressions)))
    separator = data.draw(SEPARATORS)
    source = _source(f"Text.\n\n    :ensure: {separator.join(expressions)}\n    ", style)
    # Split pieces may cut the name in two; then it starts in the first.
    assume(source.count("UNKNOWN") == 1)
    with pytest.raises(ContractError) as caught:
        read(load(source))
    before = source[: source.index("UNKNOWN")]
    assert caught.value.message == "unknown name 'UNKNOWN' in :ensure:"
    assert caught.value.line == before.count("\n") + 1
    assert caught.value.column == len(before) - before.rfind("\n")


PIECES = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=3), st.data())
def test_every_character_of_a_literal_is_found_again(pieces, data):
    literals = [
        data.draw(st.sampled_from([repr(piece), ascii(piece), f"'''{piece}'''", f'r"{piece}"']))
        for piece in pieces
    ]
    source = "(" + "  # note '\n ".join(literals) + ")"
    assume("\r" not in source and "\0" not in source)
    try:
        literal = ast.parse(source, mode="eval").body
    except SyntaxError:
        assume(False)
    assume(isinstance(literal, ast.Constant) and isinstance(literal.value, str))
    text = SourceText("file", tuple(source.split("\n")))
    start = literal.lineno, literal.col_offset
    placed = place_literal(text, literal.value, start, (literal.end_lineno, literal.end_col_offset))
    assert placed is not None
    for char, place in zip(placed.text, placed.places, strict=False):
        spelt = text.line(place.line)[place.column - 1 : place.column]
        assert spelt in (char, "\\") or (char == "\n" and spelt == "")
    assert list(placed.places) == sorted(placed.places, key=lambda at: (at.line, at.column))


@settings(max_examples=300, deadline=None)
@given(st.text("xy:,()[]{}'\"#\\ \n\t0=>+*raisetypmun.", max_size=40))
def test_any_text_is_a_contract_or_an_error_with_a_place(load, text):
    for keyword in (":assume:", ":ensure:", ":type:", ":raises:", "pre:", "post:", "post[x]:"):
        function = load(_source(f"{keyword} {text}", "repr"))
        try:
            read(function)
        except ContractError as error:
            assert error.line == 3
            assert 1 <= error.column <= len(error.source_line) + 1
            assert len(str(error).split("\n")) <= 4


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_prose_without_field_lines_is_never_a_contract(load, prose):
    starts = (":", "pre:", "post:", "post[", "pre[", "raises:", "Raise")
    assume(not any(line.strip().startswith(starts) for line in prose.split("\n")))
    contract = read(load(_source(textwrap.dedent(prose), "repr")))
    assert contract.assumes == contract.ensures == ()
    assert contract.raises is None
