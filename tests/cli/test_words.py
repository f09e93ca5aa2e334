"""Words that are read without argparse mean what they mean to argparse."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pef.cli.arguments import Parser
from pef.cli.settings import add_to
from pef.cli.table import settings_of
from pef.cli.words import read_plainly

WORDS = (
    *("a.py", "b", "-", "--", "", "2", "*.py", "c.toml", "all", "-1"),
    *("-x", "-q", "-qx", "-j", "-j2", "-j=2", "-d", "--jobs", "--jobs=3", "--depth="),
    *("--no-cache", "--no-cache=1", "--exclude", "--exclude=x", "--ex=1", "--nope"),
    *("--timeout", "--timeout=-1", "--config", "--select=", "--allow", "-h"),
)


def by_argparse(words):
    parser = Parser("check", "", "", "")
    parser.add_argument("targets", nargs="*")
    add_to(parser, "check")
    given = vars(parser.read(words))
    return given.pop("targets"), given


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_is_read_plainly_is_what_argparse_reads(words):
    plainly = read_plainly(words, settings_of("check"))
    if plainly is not None:
        assert plainly == by_argparse(words)


def test_usual_words_are_read_plainly():
    words = ["src", "a.py:f", "--no-cache", "-j", "2", "--exclude=x", "--exclude", "y"]
    targets, given = read_plainly(words, settings_of("check"))
    assert targets == ["src", "a.py:f"]
    assert (given["no_cache"], given["jobs"], given["exclude"]) == (True, "2", ["x", "y"])
    assert given["config"] is None


def test_what_there_is_something_to_say_about_is_left_to_argparse():
    for words in (["--nope"], ["-h"], ["--jobs"], ["a", "-x", "b"], ["--no-cache=1"], ["--", "a"]):
        assert read_plainly(words, settings_of("check")) is None, words
