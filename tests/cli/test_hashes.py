"""Whether a check starts its interpreter a second time, for an order of sets that is known."""

import os
import sys

import pytest

from pef.cli.hashes import fix_hashes

WITHOUT = "def f(x: int) -> int:\n    return x + 1\n"
WITH = "def f(x: int) -> list:\n    return list({x, 1})\n"


@pytest.fixture
def starts(tmp_path, monkeypatch):
    """Runs the question in a folder with two files, and says whether there was another start."""
    if sys.flags.ignore_environment or not sys.flags.hash_randomization:
        pytest.skip("this interpreter has been given its hashes")
    (tmp_path / "without.py").write_text(WITHOUT)
    (tmp_path / "with_sets.py").write_text(WITH)
    monkeypatch.chdir(tmp_path)

    def ask(*words):
        again = []
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONHASHSEED", "")
            patch.setattr(os, "execv", lambda *command: again.append(command))
            fix_hashes(words)
        return bool(again)

    return ask


@pytest.mark.parametrize(
    "options",
    [(), ("-x",), ("--output-format", "json"), ("--output-format=json", "-j", "2"), ("-d", "3")],
)
def test_a_small_file_without_sets_needs_one_start(starts, options):
    assert not starts(*options, "without.py:f")
    assert not starts("without.py", *options)


@pytest.mark.parametrize("words", [("with_sets.py",), (), (".",), ("without.py", "with_sets.py")])
def test_what_may_have_sets_is_started_again(starts, words):
    assert starts(*words)
    assert starts("-x", *words)
