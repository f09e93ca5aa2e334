"""Options of `pef check`: lists, overrides per path, and values that speak to another command."""

import os

import pytest

from pef.cli.exits import UsageError
from pef.cli.options import CheckOptions
from pef.cli.settings import folder_around, for_file, gather, gather_check
from pef.cli.table import settings_of


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a function that writes `pyproject.toml` and gathers options beside it."""
    monkeypatch.chdir(tmp_path)

    def gathered(text="", given=None, **environment):
        (tmp_path / "pyproject.toml").write_text(text)
        return gather_check(given or {}, str(tmp_path), environment)

    return gathered


def test_every_setting_is_an_option_of_check():
    named = {setting.attribute for setting in settings_of("check")}
    assert named == set(CheckOptions._fields) - {"config", "overrides"}


def test_defaults_hold_where_nobody_says_anything(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert gather_check({}, str(tmp_path), {}) == CheckOptions(
        cache_dir=str(tmp_path / ".pef_cache")
    )
    assert (CheckOptions().depth, CheckOptions().timeout) == (None, 10.0)


def test_the_cache_is_beside_the_configuration(project, tmp_path):
    options = gather_check({}, str(tmp_path), {})
    assert options.cache_dir == str(tmp_path / ".pef_cache")
    (tmp_path / "sub").mkdir()
    project("[tool.pef]\n")
    assert gather_check({}, str(tmp_path / "sub"), {}).cache_dir == str(tmp_path / ".pef_cache")
    assert project('[tool.pef]\ncache-dir = "c"\n').cache_dir == str(tmp_path / "c")


def test_the_configuration_that_was_read_is_known(project, tmp_path):
    assert project("[tool.pef]\n").config == str(tmp_path / "pyproject.toml")


@pytest.mark.parametrize(("word", "jobs"), [("auto", None), ("3", 3), (2, 2)])
def test_jobs_are_a_number_or_auto(project, word, jobs):
    assert project(given={"jobs": word}).jobs == jobs


@pytest.mark.parametrize("word", ["0", "-1", "many", True])
def test_other_numbers_of_jobs_are_refused(project, word):
    with pytest.raises(UsageError, match="--jobs must be a whole number from 1, or auto"):
        project(given={"jobs": word})


def test_codes_are_lists_wherever_they_stand(project):
    table = '[tool.pef]\nselect = ["PEF001", "missing-key"]\n'
    assert project(table).select == ("PEF001", "missing-key")
    assert project(PEF_SELECT="PEF001, PEF002").select == ("PEF001", "PEF002")
    given = {"ignore": ["PEF001,PEF002", "timeout"]}
    assert project(given=given).ignore == ("PEF001", "PEF002", "timeout")


def test_an_unknown_code_is_refused(project):
    with pytest.raises(UsageError, match="--select must be a list of codes or names .*PEF9999"):
        project(given={"select": ["PEF9999"]})


def test_codes_match_by_their_beginning():
    options = CheckOptions(select=("PEF00", "timeout"), ignore=("PEF003", "missing"))
    reported = [
        ("PEF001", "index-out-of-range", True),
        ("PEF002", "missing-key", False),
        ("PEF003", "division-by-zero", False),
        ("PEF030", "timeout", True),
        ("PEF031", "crash", False),
    ]
    for code, name, expected in reported:
        assert options.reports(code, name) is expected, code
    assert CheckOptions().reports("PEF001", "index-out-of-range")


def test_patterns_are_seen_from_the_place_they_stand_in(project, tmp_path, monkeypatch):
    options = project('[tool.pef]\nexclude = ["legacy", "src/*.py"]\n')
    assert options.exclude == (f"{tmp_path}/**/legacy", f"{tmp_path}/src/*.py")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    options = gather_check({"exclude": ["a/b"]}, ".", {})
    assert options.exclude == (f"{tmp_path}/sub/a/b",)


OVERRIDES = """
[tool.pef]
timeout = 5

[[tool.pef.overrides]]
paths = ["src/legacy/**"]
timeout = 1
all-exceptions = true

[[tool.pef.overrides]]
paths = ["src/legacy/slow.py"]
timeout = 30
ignore = ["PEF003"]

[[tool.pef.overrides]]
paths = ["generated"]
skip = true
"""


def test_overrides_hold_for_their_paths_and_the_last_one_wins(project, tmp_path):
    options = project(OVERRIDES)
    assert for_file(options, "src/a.py").timeout == 5
    legacy = for_file(options, "src/legacy/a.py")
    assert (legacy.timeout, legacy.all_exceptions, legacy.ignore) == (1, True, ())
    slow = for_file(options, tmp_path / "src/legacy/slow.py")
    assert (slow.timeout, slow.all_exceptions, slow.ignore) == (30, True, ("PEF003",))
    assert for_file(options, "src/generated/deep/a.py") is None
    assert for_file(CheckOptions(), "a.py") == CheckOptions()


def test_command_line_and_environment_beat_overrides(project):
    options = project(OVERRIDES, {"timeout": "2"}, PEF_ALL_EXCEPTIONS="no")
    legacy = for_file(options, "src/legacy/slow.py")
    assert (legacy.timeout, legacy.all_exceptions, legacy.ignore) == (2, False, ("PEF003",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("timeout = 1", r"pyproject.toml:2: \[\[tool.pef.overrides\]\] needs 'paths'"),
        ("paths = 3", "pyproject.toml:2: paths must be a list of patterns, not 3"),
        ('paths = ["a"]\njobs = 1', "pyproject.toml:3: .* has no option 'jobs'"),
        ('paths = ["a"]\ntimeot = 1', r"pyproject.toml:3: .*'timeot' \(did you mean 'timeout'"),
        ('paths = ["a"]\nskip = 1', "pyproject.toml:3: skip must be true or false, not 1"),
        ('paths = ["a"]\n\ntimeout = 0', "pyproject.toml:4: timeout must be a number"),
    ],
)
def test_a_mistake_in_an_override_is_named_with_its_line(project, text, expected):
    with pytest.raises(UsageError, match=expected):
        project(f"[[tool.pef.overrides]]\n{text}\n")


def test_a_mistake_in_the_second_override_is_found_there(project):
    text = '[[tool.pef.overrides]]\npaths = ["a"]\ntimeout = 1\n'
    with pytest.raises(UsageError, match="pyproject.toml:6: timeout must be"):
        project(text + text.replace("1", "-1"))


def test_overrides_that_are_no_tables_are_refused(project):
    with pytest.raises(UsageError, match="pyproject.toml:2: overrides must be tables"):
        project("[tool.pef]\noverrides = 3\n")


def test_what_only_another_command_understands_is_left_to_it(project, tmp_path):
    text = '[tool.pef]\noutput-format = "sarif"\nconditions = true\njobs = 2\ndepth = 3\n'
    assert project(text).output_format == "sarif"
    explored = gather({}, str(tmp_path), {"PEF_OUTPUT_FORMAT": "junit"})
    assert (explored.output_format, explored.conditions, explored.depth) == ("full", True, 3)


def test_what_no_command_understands_is_a_mistake(project, tmp_path):
    with pytest.raises(UsageError, match="output-format must be one of full, concise"):
        project('[tool.pef]\noutput-format = "xml"\n')
    with pytest.raises(UsageError, match="PEF_JOBS must be"):
        project(PEF_JOBS="x")
    (tmp_path / "pyproject.toml").write_text("[tool.pef]\njobs = 0\n")
    with pytest.raises(UsageError, match="pyproject.toml:2: jobs must be"):
        gather({}, str(tmp_path), {})


def test_the_command_line_takes_only_what_its_command_understands(tmp_path):
    with pytest.raises(UsageError, match="--output-format must be one of full, json"):
        gather({"output_format": "sarif"}, str(tmp_path), {})


def test_the_configuration_is_looked_for_around_all_targets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a/x.py", "a/b/y.py"):
        os.makedirs(tmp_path / os.path.dirname(name), exist_ok=True)
        (tmp_path / name).write_text("")
    assert folder_around(["a/x.py:f", "a/b/y.py:3"]) == str(tmp_path / "a")
    assert folder_around(["a/b"]) == str(tmp_path / "a/b")
    assert folder_around(["pkg.mod:f"]) == str(tmp_path)
