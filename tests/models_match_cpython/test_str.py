"""`str`: every operation does what CPython does, and common ones ask as little as they can."""

import sys

import pytest

from pef.models.table import operations

ROWS = list(dict.fromkeys(row.name for row in operations() if row.type == "str"))


@pytest.mark.parametrize("name", ROWS)
def test_every_path_agrees_with_cpython(name, engine):
    from pef.selftest.report import compare_rows, select

    for case in compare_rows(select([f"str.{name}"])):
        assert case.paths, case.program.case
        assert not case.mismatches, case.program.case


@pytest.mark.parametrize(
    "condition",
    [
        "s.strip() == 'x'",
        "s.isdigit()",
        "s.startswith(('ab', 'cd'))",
        "s.endswith(t)",
        "s.find('ab') == 3",
        "s.replace('a', 'b') == 'bb'",
        "s.ljust(4, '.') == 'ab..'",
        "s.zfill(4) == '-007'",
        "s[1:-1] == 'ab'",
        "s.rfind('/') > s.find('.')",
        "'-' in s[2:]",
        "s.upper() == 'AB'",
        "s.lower() == 'ab'",
        "len(s.upper()) == len(s)",
        "s.swapcase() == 'aB'",
        "s.capitalize() == 'Ab'",
        "s.replace('-', '') == 'ab'",
    ],
)
def test_a_condition_is_two_paths(explore, condition):
    seen = explore(f"def f(s, t):\n    return 1 if {condition} else 0\n", "st")
    assert (seen.paths, seen.results, seen.pins) == (2, {"0", "1"}, set())
    assert seen.exhaustive


@pytest.mark.parametrize(
    "condition",
    [
        "s.title() == 'Ab Cd'",
        "s.split('=') == ['a', 'b']",
        "s.split() == ['a', 'b']",
        "s.partition('=') == ('k', '=', 'v')",
        "s.splitlines() == ['a', 'b']",
        "s.count('a') == 3",
        "s[::-1] == 'cba'",
        "','.join(reversed(s.split(','))) == 'b,a'",
        "s.translate({97: 'xy'}) == 'xyz'",
        "s.expandtabs(4) == 'a   b'",
        "s.center(5, '*') == '*abc*'",
        "sorted(s) == ['a', 'b']",
        "s.casefold() == 'ss' and s != 'ss'",
        "s.lower() == 'o\\u03c2' and s.isupper()",
        "(s * 3).count('ab') == 3 and s[0] == 'b'",
        "''.join(c for c in s if c.isalpha()) == 'ab' and len(s) == 3",
        "s.removeprefix('ab') == 'c' and len(s) == 3",
        "len(s.strip()) == 1 and len(s) == 3 and s.isprintable()",
    ],
)
def test_the_input_is_found_without_pins(explore, condition):
    source = f"def f(s):\n    if {condition}:\n        raise OSError\n    return 0\n"
    seen = explore(source, "s", depth=10, max_paths=120)
    assert "OSError" in seen.raised
    assert not seen.pins


PREDICATES = {
    **{
        name: getattr(str, f"is{name}")
        for name in (
            *("alnum", "alpha", "decimal", "digit", "lower", "numeric", "printable", "space"),
            "upper",
        )
    },
    "title": lambda char: char.istitle() and not char.isupper(),
    "identifier start": str.isidentifier,
    "identifier part": lambda char: ("a" + char).isidentifier(),
}


@pytest.mark.parametrize("name", PREDICATES)
def test_a_class_has_the_characters_that_cpython_says(engine, name):
    from pef.models.text import tables

    members, holds = tables.char_class(str, name), PREDICATES[name]
    assert not [u for u in range(sys.maxunicode + 1) if (u in members) != holds(chr(u))]
    if name != "title" and hasattr(bytes, f"is{name}"):
        members = tables.char_class(bytes, name)
        holds = getattr(bytes, f"is{name}")
        assert not [u for u in range(0x100) if (u in members) != holds(bytes([u]))]


def test_a_table_misses_no_character(engine):
    from pef.models.text import tables

    def others(ranges):
        seen = {unit for first, last in ranges for unit in range(first, last + 1)}
        return [chr(unit) for unit in range(sys.maxunicode + 1) if unit not in seen]

    for char in others(tables._ASSIGNED):
        assert not any(holds(char) for holds in PREDICATES.values()), ascii(char)
    for char in others(tables._CASED):
        assert all(change(char) == char for change in tables._CASES.values()), ascii(char)
        assert (char + "a").title()[-1] == "A", ascii(char)
        assert ("A" + char + "\u03a3").lower()[-1] == "\u03c3", ascii(char)


def test_only_cased_characters_have_another_form_in_a_title(engine):
    from pef.models.text import tables

    uncased = tables.outside(str, "cased")
    changed = [unit for unit in range(0x40000) if chr(unit).title() != chr(unit)]
    assert not [unit for unit in changed if unit in uncased]


def test_no_character_is_of_two_cases(engine):
    assert not [unit for unit in range(0x40000) if chr(unit).islower() and chr(unit).isupper()]


def test_a_text_that_outlives_its_exploration_is_plain(load):
    from pef import _native

    rewritten, _ = load("kept = []\ndef f(s):\n    kept.append(s + 'Ab')\n    return kept.append\n")
    keep = []
    rewritten.kept = keep
    session = _native.Session(rewritten.f, [("s", "positional", _native.input_str())])
    assert session.next_path() is not None
    text = keep[0]
    assert text.upper() == "AB"
    assert text.split("b") == ["A", ""]
    assert text[::-1] == "bA"
    assert [*text] == ["A", "b"]
    with pytest.raises(TypeError, match="takes no arguments"):
        text.upper(1)


def test_a_subclass_of_str_keeps_its_own_methods(explore):
    seen = explore(
        """
        class Name(str):
            def upper(self):
                return "mine"

        def f(s):
            name = Name("ab")
            return name.upper(), name.find(s) == 1, name + s
        """,
        "s",
    )
    assert not seen.pins


def test_an_index_object_is_asked_once(explore):
    seen = explore(
        """
        class One:
            def __index__(self):
                return 1

        def f(s):
            return s[One():], s.find("a", One()), s.ljust(One()), s * One()
        """,
        "s",
    )
    assert not seen.pins


def test_the_other_operand_may_multiply_in_its_own_way(explore):
    seen = explore(
        """
        class Twice:
            def __rmul__(self, text):
                return text + text

        def f(s):
            return s * Twice()
        """,
        "s",
    )
    assert not seen.pins


def test_a_generator_that_fails_in_a_join_fails_in_its_own_words(explore):
    seen = explore(
        """
        def items(s):
            yield s
            raise TypeError("mine")

        def f(s):
            return ",".join(items(s))
        """,
        "s",
    )
    assert seen.raised == {"TypeError"}
