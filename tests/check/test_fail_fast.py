"""`--fail-fast`: the first error ends the run, and the report says what was not looked at."""

import pytest

STOPPED = "stopped at the first error"

ENDLESS = """
    def endless(xs: list[int]) -> int:
        total = 0
        for x in xs:
            total += x if x > 3 else 1
        return total
"""
FAILING = """
    def failing(x: int) -> int:
        return 10 // x
"""


@pytest.fixture
def mixed(project):
    return project.write(a=ENDLESS, b=FAILING, c=ENDLESS)


def test_the_first_error_ends_the_run(mixed):
    checked = mixed.check(".", "-x", "--jobs", "2")
    assert checked.code == 1
    assert checked.names == ["division-by-zero"]
    assert mixed.fails(checked.report["findings"][0])
    assert checked.report["summary"]["seconds"] < 5


def test_what_was_not_analysed_is_named(mixed):
    checked = mixed.check(".", "-x", "--jobs", "1", "--timeout", "2")
    stopped = [each for each in checked.report["functions"] if STOPPED in each["reasons"]]
    assert stopped[-1]["name"] == "c:endless"
    assert stopped[-1]["verdict"] == "not-analysed"
    assert checked.verdict("failing") == "error"


def test_an_error_that_is_suppressed_does_not_count(project):
    project.write(
        a="""
        def quiet(x: int) -> int:
            return 10 // x  # pef: ignore
        """,
        b=FAILING,
    )
    checked = project.check(".", "-x", "--jobs", "1")
    assert [each["function"] for each in checked.report["findings"]] == ["b:failing"]


def test_an_error_that_is_ignored_for_its_file_does_not_count(project):
    project.write(a=FAILING.replace("failing", "ignored"), b=FAILING)
    (project.folder / "pyproject.toml").write_text(
        '[[tool.pef.overrides]]\npaths = ["a.py"]\nignore = ["PEF003"]\n'
    )
    checked = project.check(".", "-x", "--jobs", "1")
    assert [each["function"] for each in checked.report["findings"]] == ["b:failing"]


def test_an_error_that_is_remembered_counts(mixed):
    mixed.check("b.py", cache=True)
    checked = mixed.check(".", "-x", cache=True)
    assert checked.names == ["division-by-zero"]
    assert [checked.verdict(name) for name in ("failing",)] == ["error"]
    assert checked.report["summary"]["seconds"] < 5


def test_without_errors_it_changes_nothing(project):
    checked = project.write(a="def one(x: int) -> int:\n    return x\n").check(".", "-x")
    assert checked.code == 0
    assert checked.verdict("one") == "proved"
