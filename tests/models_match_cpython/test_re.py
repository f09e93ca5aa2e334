"""`re` on symbolic text: a question is one decision, and what hides behind a pattern is found."""

import sys

import pytest

from pef.models.table import operations

ROWS = [row.name for row in operations() if row.type == "re" and row.since <= sys.version_info[:2]]


@pytest.mark.parametrize("name", dict.fromkeys(ROWS))
def test_every_path_agrees_with_cpython(name, engine):
    from pef.selftest.report import compare_rows, select

    for case in compare_rows(select([f"re.{name}"])):
        assert case.paths, case.program.case
        assert not case.mismatches, case.program.case


@pytest.mark.parametrize(
    "condition",
    [
        r"re.match(r'^(\d{3})-([a-z]{2,4})$', s)",
        r"re.fullmatch(r'[\w.+-]+@[\w-]+\.[a-z]{2,}', s)",
        r"re.search(r'\bfoo\b', s)",
        r"re.search(r'(?m)^end$', s)",
        r"re.match(r'(?=.*\d)(?=.*[a-z])(?!.*x).{4,}$', s)",
        "re.search('HELLO', s, re.I)",
        "re.match('(a|ab)(c|bcd)(d*)$', s)",
    ],
)
def test_whether_it_matches_is_two_paths(explore, condition):
    seen = explore(f"import re\ndef f(s):\n    return 1 if {condition} else 0\n", "s")
    assert (seen.paths, seen.results, seen.pins) == (2, {"0", "1"}, set())
    assert seen.exhaustive


def test_groups_of_settled_width_cost_no_decision(explore):
    seen = explore(
        r"""
        import re

        def f(s):
            m = re.match(r"(\d+)@([a-z]+)\.([a-z]{2,3})$", s)
            return m and (1 if m.group(2) == "example" else 2)
        """,
        "s",
    )
    assert (seen.paths, seen.results) == (3, {"None", "1", "2"})
    assert seen.exhaustive


def test_alternatives_are_decided_one_by_one(explore):
    seen = explore(
        """
        import re

        def f(s):
            m = re.fullmatch("(a|ab)(c|bcd)(d*)", s)
            return m and (m.group(1), m.group(2))
        """,
        "s",
    )
    assert seen.results == {"None", "('a', 'c')", "('a', 'bcd')", "('ab', 'c')", "('ab', 'bcd')"}
    assert seen.exhaustive


def test_one_path_for_each_number_of_matches(explore):
    seen = explore(
        r"""
        import re

        def f(s):
            return len(re.findall(r"\d+", s))
        """,
        "s",
        depth=4,
    )
    assert seen.results >= {"0", "1", "2", "3"}
    assert seen.paths <= 6
    assert not seen.pins


FINDS = {
    "both groups": r"""
        m = re.match(r"^(\d{3})-([a-z]{2,4})$", s)
        if m and int(m.group(1)) == 742 and m.group(2).startswith("qz"):
            raise KeyError
        """,
    "a date": r"""
        m = re.match(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)$", s)
        if m and m["month"] == "02" and m["day"] == "30":
            raise KeyError
        """,
    "an address": r"""
        m = re.match(r"^([\w.+-]+)@([\w-]+)\.([a-z]{2,})$", s, re.A)
        if m and m.group(2) == "example" and m.group(3) == "org":
            raise KeyError
        """,
    "an optional group": r"""
        m = re.fullmatch(r"(\d+)(?:\.(\d+))?", s)
        if m and m.group(2) == "25":
            raise KeyError
        """,
    "the second number": r"""
        numbers = re.findall(r"\d+", s)
        if len(numbers) == 2 and numbers[1] == "42":
            raise KeyError
        """,
    "a setting": r"""
        m = re.search(r"(\w+)\s*=\s*(\w+)", s, re.A)
        if m and m.groups() == ("port", "80"):
            raise KeyError
        """,
    "a substitution": r"""
        if re.sub(r"[aeiou]", "", s) == "pfx" and s.startswith("pi"):
            raise KeyError
        """,
    "a split": r"""
        parts = re.split(r"[,;]", s)
        if len(parts) == 3 and parts[1] == "b" and parts[2]:
            raise KeyError
        """,
    "a palindrome": r"""
        if re.match(r"(.)(.)\2\1$", s) and s[0] == "x" and s[1] == "y":
            raise KeyError
        """,
}


@pytest.mark.parametrize("name", FINDS)
def test_what_hides_behind_a_pattern_is_found(explore, name):
    seen = explore(
        "import re\ndef f(s):" + FINDS[name].replace("\n        ", "\n    "), "s", depth=12
    )
    assert "KeyError" in seen.raised
    assert not seen.pins


def test_the_matcher_decides_what_is_not_regular(explore):
    seen = explore("import re\ndef f(s):\n    return bool(re.match(r'(.)(.)\\2\\1$', s))\n", "s")
    assert seen.results == {"True", "False"}
    assert seen.exhaustive and not seen.pins


def test_matches_pass_for_matches(explore):
    seen = explore(
        """
        import re

        def f(s):
            match re.match("(a)", s):
                case None:
                    return "none"
                case re.Match() as m:
                    return type(m).__name__, isinstance(m, re.Match), callable(m.group)
        """,
        "s",
    )
    assert seen.results == {"'none'", "('Match', True, True)"}


def test_a_pattern_for_the_locale_pins(explore):
    seen = explore(
        """
        import re

        def f(b):
            return bool(re.match(rb"(?L)\\w", b))
        """,
        "b",
        max_paths=3,
    )
    assert seen.pins == {"argument of re.Pattern.match()"}


def test_a_match_that_takes_too_long_pins(explore):
    seen = explore(
        """
        import re

        def f(s):
            return bool(re.match(r"()(?:\\1){60000}a", s))
        """,
        "s",
        max_paths=3,
    )
    assert seen.pins == {"argument of re.Pattern.match()"}


def test_a_symbolic_pattern_pins(explore):
    seen = explore(
        """
        import re

        def f(s):
            try:
                return bool(re.match(s, "a"))
            except re.error:
                return "error"
        """,
        "s",
        max_paths=3,
    )
    assert seen.pins == {"argument of re.match()"}


def test_a_replacement_function_sees_symbolic_groups(explore):
    seen = explore(
        """
        import re

        def f(s):
            return re.sub("([ab])c", lambda m: "!" if m.group(1) == "b" else m.group(1), s[:2])
        """,
        "s",
    )
    assert seen.results >= {"'!'", "'a'", "''"}
    assert not seen.pins
