"""Ignored files: git is the oracle."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pef.checking.ignored import Pattern, rules_for

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")

NAMES = ["a", "b", "ab", "a.py", "b.py", "[x]", "a b", "é", "a\\", "-", "]", "#", "!"]
PATTERNS = [
    *("*", "!*/", "!*.py", "a", "/a", "a/", "a/*", "!a/b", "**/a", "a/**", "a/**/b", "**"),
    *("!**/a.py", "[ab]", "[!a]", "?", "??", "a*", "*b", "\\a", "\\[x\\]", "[x", "[[:alpha:]]*"),
    *("a\\ ", "a ", "a b", "# x", "\\#", "!", "\\!", "/", "//", "a//", "**b", "a**", "/**", "*/b"),
    *("/*/b", "!/a/", "***", "a/**b", "b/***/a", "[]a]", "[a-b]", "[b-a]", "a.p[x-z]", "[^a]*"),
    *("\\", "[[:nonsense:]]", "[a/b]", "a[/]b", "a\t", "\ufeffa", "[]-]", "[--a]", "*.py\r", ""),
]


def kept(folder, rules):
    """Walk as a user of the rules does."""
    for entry in os.scandir(folder):
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name == ".git" or rules.ignores(entry.path, is_folder):
            continue
        if is_folder:
            yield from kept(entry.path, rules.within(entry.path))
        else:
            yield entry.path


def kept_by_git(folder):
    command = ["git", "-C", folder, "ls-files", "-z", "--others", "--exclude-standard"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    environment["XDG_CONFIG_HOME"] = os.devnull
    listed = subprocess.run(command, capture_output=True, check=True, env=environment).stdout
    return {os.path.join(folder, os.fsdecode(name)) for name in listed.split(b"\0") if name}


@st.composite
def trees(draw):
    """Return folders, files and `.gitignore` files, all as relative paths."""
    folders = [""]
    files = {}
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=6)):
        folders.append(os.path.join(draw(st.sampled_from(folders)), name))
    for folder in folders:
        for name in draw(st.lists(st.sampled_from(NAMES), max_size=4)):
            files.setdefault(os.path.join(folder, name), "")
        lines = draw(st.lists(st.sampled_from(PATTERNS), max_size=4))
        if lines:
            files[os.path.join(folder, ".gitignore")] = "\n".join(lines) + "\n"
    return folders, files


@needs_git
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tree=trees(), excluded=st.lists(st.sampled_from(PATTERNS), max_size=2))
def test_the_same_files_are_kept_as_by_git(tmp_path_factory, tree, excluded):
    top = tmp_path_factory.mktemp("tree")
    folders, files = tree
    subprocess.run(["git", "init", "--quiet", str(top)], check=True)
    (top / ".git/info").mkdir(exist_ok=True)
    (top / ".git/info/exclude").write_text("\n".join(excluded) + "\n")
    for folder in folders:
        (top / folder).mkdir(exist_ok=True)
    for name, text in files.items():
        if not (top / name).is_dir():
            (top / name).write_bytes(text.encode())
    assert set(kept(top, rules_for(top))) == kept_by_git(str(top))
    shutil.rmtree(top)


@needs_git
def test_rules_above_a_folder_hold_in_it(tmp_path):
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    inner = tmp_path / "src/inner"
    inner.mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("*.gen.py\nsrc/inner/x.py\n")
    (tmp_path / "src/.gitignore").write_text("!keep.gen.py\n")
    for name in ("a.gen.py", "keep.gen.py", "x.py", "y.py"):
        (inner / name).write_text("")
    assert sorted(Path(path).name for path in kept(inner, rules_for(inner))) == [
        "keep.gen.py",
        "y.py",
    ]


def test_without_a_repository_only_the_folder_itself_counts(tmp_path):
    (tmp_path / ".gitignore").write_text("*.py\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.py").write_text("")
    (inner / "b.py").write_text("")
    (inner / ".gitignore").write_text("a.py\n")
    assert [Path(path).name for path in kept(inner, rules_for(inner)) if path.endswith(".py")] == [
        "b.py"
    ]


def test_comments_and_blank_lines_are_no_patterns():
    assert [Pattern.of(line) for line in ("", "   ", "# a", "\n", "#")] == [None] * 5
