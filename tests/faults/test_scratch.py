"""Folders for temporary files of target code."""

import os
import stat
import subprocess
import sys

import pytest

from pef.isolation.scratch import make_folder, remove_folder


def test_a_folder_is_made_where_temporary_files_go_and_is_private(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    made = [make_folder(), make_folder()]
    assert {os.path.dirname(each) for each in made} == {str(tmp_path)}
    assert len(set(made)) == 2
    assert stat.S_IMODE(os.stat(made[0]).st_mode) == 0o700


def test_a_place_that_cannot_be_used_is_passed_over_unless_it_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    monkeypatch.setenv("TEMP", str(tmp_path))
    assert os.path.dirname(make_folder()) == str(tmp_path)
    with pytest.raises(FileNotFoundError):
        make_folder(str(tmp_path / "missing"))


def test_a_folder_goes_with_all_that_is_in_it_and_nothing_else(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("")
    folder = tmp_path / "folder"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "file").write_text("")
    (folder / "link").symlink_to(outside, target_is_directory=True)
    remove_folder(str(folder))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["outside"]
    assert (outside / "kept").exists()
    remove_folder(str(folder))  # nothing is left to do


def test_empty_folders_are_removed_without_shutil(tmp_path):
    (tmp_path / "folder" / "a" / "b").mkdir(parents=True)
    program = (
        "import sys\n"
        "from pef.isolation.scratch import remove_folder\n"
        f"remove_folder({str(tmp_path / 'folder')!r})\n"
        "print('shutil' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"
    assert not (tmp_path / "folder").exists()
