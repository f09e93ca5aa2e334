"""The pre-commit hook and the GitHub Action are what those programs expect, and call PEF right."""

import re
import shlex
from pathlib import Path

import pytest

from pef.cli.arguments import Parser
from pef.cli.settings import add_to

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]


def read(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def options_of_check():
    parser = Parser("check", "", "", "")
    parser.add_argument("targets", nargs="*")
    add_to(parser, "check")
    return parser


def test_the_hook_has_all_that_pre_commit_needs():
    [hook] = read(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language"} <= set(hook)
    known = {"id", "name", "description", "entry", "language", "types", "require_serial"}
    assert set(hook) <= known
    assert (hook["language"], hook["types"]) == ("python", ["python"])


def test_the_hook_calls_a_command_that_exists():
    [hook] = read(".pre-commit-hooks.yaml")
    program, command, *words = shlex.split(hook["entry"])
    assert (program, command) == ("pef", "check")
    given = options_of_check().read([*words, "a.py", "b.py"])
    assert (given.output_format, given.targets) == ("concise", ["a.py", "b.py"])


def test_the_action_has_all_that_github_needs():
    action = read("action.yml")
    assert {"name", "description", "inputs", "runs"} <= set(action)
    assert action["runs"]["using"] == "composite"
    for each in action["inputs"].values():
        assert {"description", "default"} <= set(each)
    for step in action["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert "run" not in step or step["shell"] == "bash"


def test_the_action_uses_inputs_that_exist_and_never_as_code():
    action = read("action.yml")
    used = set()
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "an input in a script is code of whoever sets it"
        used.update(re.findall(r"\$\{\{ inputs\.(\w+) \}\}", str(step.get("env", {}))))
    assert used == set(action["inputs"])


def test_the_action_calls_a_command_that_exists():
    *_, check = read("action.yml")["runs"]["steps"]
    words = [word for word in shlex.split(check["run"]) if not word.startswith("$")]
    assert words[:4] == ["python", "-m", "pef", "check"]
    given = options_of_check().read(words[4:])
    assert (given.output_format, given.cache_dir) == ("github", ".pef_cache")
    assert "PEF_ACTION_TARGETS" in check["env"]
