"""Which files a check depends on, and which of them changed."""

import os

import pytest

from pef.checking.watching import Watch
from pef.cli.options import CheckOptions
from pef.targets import TargetError


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return a function that writes a file below the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(name, text="def f(): pass\n"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    return write


def watch(*targets, **options):
    return Watch(targets, [os.getcwd()], CheckOptions(**options))


def test_nothing_changes_by_itself(here):
    here("src/a.py")
    watching = watch("src")
    assert [watching.changes() for _ in range(3)] == [[], [], []]


def test_a_changed_file_is_told_once(here):
    file = here("src/a.py")
    here("src/b.py")
    watching = watch("src")
    here("src/a.py", "def f(): return 1\n")
    assert watching.changes() == [file]
    assert watching.changes() == []


def test_files_that_come_and_go_are_told(here):
    first = here("src/a.py")
    watching = watch("src")
    second = here("src/deep/b.py")
    assert watching.changes() == [second]
    os.unlink(first)
    assert watching.changes() == [first]
    assert watching.files == {second}


def test_a_file_saved_by_renaming_is_told(here):
    file = here("a.py")
    watching = watch("a.py:f")
    other = here("a.py~", "def f(): pass\n")
    os.replace(other, file)
    assert watching.changes() == [file]


def test_other_files_do_not_matter(here):
    here("src/a.py")
    watching = watch("src", exclude=("old",))
    for name in ("src/note.txt", "src/__pycache__/a.pyc", "src/old/b.py", "src/tests/c.py"):
        here(name)
    assert watching.changes() == []


def test_imported_files_and_settings_matter(here):
    helper = here("helper.py")
    config = here("pyproject.toml", "")
    here("src/a.py", "import helper\ndef f(): return helper.f()\n")
    watching = watch("src", config=config)
    assert helper not in watching.files
    watching.include_imports()
    assert helper in watching.files
    assert watching.changes() == []
    here("helper.py", "def f(): return 1\n")
    here("pyproject.toml", "[tool.pef]\n")
    assert watching.changes() == sorted([helper, config])


def test_what_git_ignores_from_now_on_goes(here):
    file = here("src/a.py")
    here("src/b.py")
    watching = watch("src")
    ignoring = here("src/.gitignore", "a.py\n")
    assert watching.changes() == sorted([ignoring, file])


def test_a_target_that_is_gone_is_waited_for(here):
    file = here("a.py")
    watching = watch("a.py")
    os.unlink(file)
    assert watching.changes() == [file]
    with pytest.raises(TargetError):
        watching.include_imports()
    here("a.py", "def f(): return 2\n")
    assert watching.changes() == [file]
