"""Options come from four places, and the nearest one wins."""

import pytest

from pef.cli.exits import UsageError
from pef.cli.settings import ExploreOptions, gather
from pef.cli.table import settings_of


@pytest.fixture
def project(tmp_path):
    """Return a function that writes `[tool.pef]` and gathers options beside it."""

    def gathered(table="", given=None, folder="", **environment):
        (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\n\n[tool.pef]\n{table}\n')
        inside = tmp_path / folder
        inside.mkdir(parents=True, exist_ok=True)
        return gather(given or {}, str(inside), environment)

    return gathered


def test_defaults_hold_where_nobody_says_anything(tmp_path):
    assert gather({}, str(tmp_path), {}) == ExploreOptions()
    assert ExploreOptions().depth == 10


def test_every_setting_is_an_option_of_explore():
    named = {setting.attribute for setting in settings_of("explore")}
    assert named == set(ExploreOptions._fields)


def test_command_line_beats_environment_beats_file(project):
    table = "depth = 1\nseed = 1\nmax-paths = 1"
    options = project(table, {"depth": "3"}, PEF_DEPTH="2", PEF_SEED="2")
    assert (options.depth, options.seed, options.max_paths) == (3, 2, 1)


def test_every_kind_of_value_is_read_from_a_file(project, tmp_path):
    options = project(
        'timeout = 1.5\nstrategy = "random"\nconditions = true\noutput-format = "json"\n'
        'python-path = ["src", "/lib"]\nquery-log = "log.smt2"'
    )
    assert (options.timeout, options.strategy, options.conditions) == (1.5, "random", True)
    assert options.output_format == "json"
    assert options.python_path == (str(tmp_path / "src"), "/lib")
    assert options.query_log == str(tmp_path / "log.smt2")


def test_every_kind_of_value_is_read_from_the_environment(project):
    options = project(PEF_QUIET="1", PEF_CONDITIONS="false", PEF_PYTHON_PATH="a:b", PEF_TIMEOUT="2")
    assert (options.quiet, options.conditions, options.timeout) == (True, False, 2.0)
    assert options.python_path == ("a", "b")


def test_the_file_is_found_from_a_folder_below(project):
    assert project("depth = 4", folder="src/deep").depth == 4


def test_a_named_file_replaces_the_nearest(project, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text("[tool.pef]\nseed = 9\n")
    options = project("depth = 4", {"config": str(other)})
    assert (options.depth, options.seed) == (10, 9)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("seed = 1\ndetph = 3", r"pyproject.toml:6: \[tool.pef\] has no option 'detph' .*'depth'"),
        ("depth = -1", "pyproject.toml:5: depth must be a whole number from 0, not -1"),
        ("depth = true", "depth must be a whole number"),
        ("timeout = false", "timeout must be a number of seconds"),
        ("quiet = 1", "quiet must be true or false"),
        ('python-path = "a"\nseed = []', "seed must be a whole number"),
        ("python-path = [1]", "python-path must be a list of folders"),
        ("depth = ", "cannot read .*pyproject.toml: .*line 5"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(project, table, expected):
    with pytest.raises(UsageError, match=expected):
        project(table)


def test_a_mistake_in_the_environment_names_the_variable(project):
    with pytest.raises(UsageError, match="PEF_DEPTH must be a whole number from 0, not 'deep'"):
        project(PEF_DEPTH="deep")


def test_variables_of_others_are_left_alone(project):
    assert project(PEF_PYTHON="python3", PEFX="1") == ExploreOptions()
