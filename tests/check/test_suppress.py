"""Comments that suppress findings: what they cover, and what is told about them."""

from textwrap import dedent

import pytest

from pef.checking.suppress import Suppressions


def comments(source):
    return Suppressions.of(dedent(source).lstrip("\n"))


def covered(source, code="PEF001", name="index-out-of-range"):
    """Return the lines at which a finding would be suppressed."""
    text = dedent(source).lstrip("\n")
    lines = range(1, text.count("\n") + 1)
    return [line for line in lines if Suppressions.of(text).covers(code, name, line)]


def told(source, analysed=((1, 99),), whole_file=True, use=()):
    found = comments(source)
    for code, name, line in use:
        found.covers(code, name, line)
    return [(each.line, each.message) for each in found.unused(analysed, whole_file)]


def test_a_comment_covers_its_line():
    source = """
        def f(a):
            b = a[0]
            return a[1]  # pef: ignore
        """
    assert covered(source) == [3]


@pytest.mark.parametrize(
    "comment",
    [
        "# pef: ignore",
        "#pef:ignore",
        "# pef: ignore[PEF001]",
        "# pef: ignore[pef001]",
        "# pef: ignore[PEF003, index-out-of-range]  as the caller checks",
        "# noqa: X  # pef: ignore[PEF001]",
    ],
)
def test_codes_and_names_select_what_is_covered(comment):
    assert covered(f"x = a[0]  {comment}\n") == [1]


@pytest.mark.parametrize(
    "comment", ["# pef: ignore[PEF002]", "# pef: ignore[missing-key]", "# type: ignore", "# pef"]
)
def test_other_findings_stay(comment):
    assert covered(f"x = a[0]  {comment}\n") == []


def test_all_lines_of_a_statement_are_covered_from_any_of_them():
    source = """
        x = 1
        y = f(
            a[0],  # pef: ignore
            b,
        )
        z = a[0]
        """
    assert covered(source) == [2, 3, 4, 5]
    assert covered("y = [\n    a,\n    b,\n]  # pef: ignore\n") == [1, 2, 3, 4]


def test_the_header_of_a_block_is_a_statement_of_its_own():
    source = """
        if (a[0]
                or b):  # pef: ignore
            c = a[0]
        """
    assert covered(source) == [1, 2]


def test_a_comment_on_a_def_covers_the_function():
    source = """
        def before(a):
            return a[0]

        @decorated
        async def f(
            a,  # pef: ignore
        ):
            def inner():
                return a[0]

            return a[1]

        def after(a):
            return a[0]
        """
    assert covered(source) == list(range(5, 12))


def test_a_comment_on_a_class_covers_the_class():
    source = """
        class C:  # pef: ignore[PEF001]
            def m(self, a):
                return a[0]

            x = 1
        y = 2
        """
    assert covered(source) == [1, 2, 3, 4, 5]


def test_a_def_in_one_line_is_covered_as_one():
    assert covered("def f(a): return a[0]  # pef: ignore\ndef g(a): return a[0]\n") == [1]


def test_the_function_that_was_analysed_counts_as_well_as_the_line():
    source = """
        def outer(a):
            x = helper(a)
            def g():  # pef: ignore
                pass

        @decorated
        def f(a):  # pef: ignore
            return helper(a)
        """
    assert comments(source).covers("PEF001", "x", None, (7, 8))
    assert not comments(source).covers("PEF001", "x", None, (1, 4))
    assert not comments("def f(a):\n    return a[0]  # pef: ignore\n").covers(
        "PEF001", "x", None, (1, 2)
    )


def test_a_file_is_covered_by_a_comment_before_its_first_statement():
    source = '''
        #!/usr/bin/env python
        # pef: ignore-file[PEF001]
        """About this file."""
        x = a[0]
        '''
    assert covered(source) == [1, 2, 3, 4]
    assert covered(source, "PEF002", "missing-key") == []
    assert covered('"""Docs."""\n# pef: ignore-file\nimport x\n') == [1, 2, 3]


def test_a_late_ignore_file_covers_nothing_and_is_told():
    source = "import x\n# pef: ignore-file\ny = a[0]\n"
    assert covered(source) == []
    assert told(source) == [(2, "ignore-file must stand before the first statement")]


def test_text_that_looks_like_a_comment_is_none():
    assert covered('x = a["# pef: ignore"]\ny = """\n# pef: ignore\n"""\n') == []
    assert told('x = "# pef: ignroe"\n') == []


def test_a_comment_on_a_line_of_its_own_covers_nothing():
    source = """
        def f(a):
            # pef: ignore
            return a[0]
        """
    assert covered(source) == [2]
    assert told(source) == [(2, "this comment suppresses nothing")]


def test_an_unused_comment_is_told_with_its_place():
    found = comments("def f(a):\n    return a[0]  # noqa # pef: ignore\n")
    assert found.unused([(1, 2)], True) == [(2, 25, "this comment suppresses nothing")]


def test_a_used_comment_is_not_told():
    assert told("x = a[0]  # pef: ignore\n", use=[("PEF001", "index-out-of-range", 1)]) == []


def test_the_codes_that_cover_nothing_are_told():
    source = "x = a[0]  # pef: ignore[PEF001, PEF002, crash]\n"
    use = [("PEF001", "index-out-of-range", 1)]
    assert told(source, use=use) == [(1, "this comment suppresses no PEF002, crash")]


def test_comments_where_nothing_was_analysed_are_not_told():
    source = """
        # pef: ignore-file
        def f(a):  # pef: ignore
            return a[0]  # pef: ignore

        def g(a):
            return a[0]  # pef: ignore
        """
    assert told(source, analysed=[], whole_file=False) == []
    assert [line for line, _ in told(source, [(5, 6)], whole_file=False)] == [6]
    assert [line for line, _ in told(source, [(2, 3)], whole_file=False)] == [2, 3]
    assert [line for line, _ in told(source, [(2, 3), (5, 6)])] == [1, 2, 3, 6]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# pef: ignore[PEF999]", "unknown code 'PEF999'"),
        ("# pef: ignore[]", "the list of codes is empty"),
        ("# pef: ignore[PEF001", "the list of codes is not closed"),
        ("# pef: ignroe", "unknown comment 'pef: ignroe'; there is ignore and ignore-file"),
    ],
)
def test_a_mistake_in_a_comment_is_told_wherever_it_stands(comment, message):
    assert told(f"x = a[0]  {comment}\n", analysed=[], whole_file=False) == [(1, message)]


def test_a_text_that_ends_in_the_middle_is_read_as_far_as_it_goes():
    assert covered("x = a[0]  # pef: ignore\ny = (\n") == [1]
