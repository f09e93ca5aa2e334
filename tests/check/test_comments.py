"""Comments of all files of a run: those that are analysed, and those that findings lie in."""

import pytest

from pef.checking.comments import Comments
from pef.checking.discovery import discover
from pef.checking.findings import Subject


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        (tmp_path / name).write_text(text)

    return write


def found(file, line):
    return {"code": "PEF001", "name": "index-out-of-range", "file": file, "line": line}


def test_a_comment_in_a_file_that_is_not_analysed_covers_too(here):
    here("a.py", "import b\ndef f(x: list): return b.first(x)\n")
    here("b.py", "def first(x):\n    return x[0]  # pef: ignore\n")
    comments = Comments(discover(["a.py"]).modules)
    subject = Subject("a", "f", "a.py", 2)
    assert comments.cover(found("b.py", 2), subject)
    assert not comments.cover(found("b.py", 1), subject)
    assert not comments.cover(found("gone.py", 1), subject)
    comments.analysed(subject)
    assert list(comments.unused()) == []


def test_a_comment_for_the_file_is_unused_only_if_all_of_it_was_analysed(here):
    here("a.py", "# pef: ignore-file\ndef f(): pass\ndef g(): pass\n")
    for words, analysed, count in [
        (["a.py"], ["f", "g"], 1),
        (["a.py"], ["f"], 0),
        (["a.py:f"], ["f"], 0),
    ]:
        comments = Comments(discover(words).modules)
        for name in analysed:
            comments.analysed(Subject("a", name, "a.py", 2))
        assert len(list(comments.unused())) == count
