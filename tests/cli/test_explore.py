"""How `pef explore` drives an exploration, with one that does as it is told."""

import contextlib
import json
import sys
import types

import pytest

from pef.cli import explore, main
from pef.cli.exits import CLEAN, FOUND, INCOMPLETE, INTERRUPTED, answered

TOTALS = {"paths": 1, "violated": 0, "timeout": 0, "crash": 0, "exit": 0, "not_reproduced": 0}


class ScriptedStream:
    """Renders a path as its own text, so that tests see what was written when."""

    def __init__(self, form, function, file, line, **options):
        self.form, self.options = form, options
        self.totals = dict(TOTALS, paths=0)

    def opening(self):
        return "<"

    def path(self, text):
        self.totals["paths"] += 1
        return f"{text}\n"

    def closing(self, text):
        return f"{json.loads(text)['open']}>\n"

    def summary(self):
        return json.dumps(self.totals)


class ScriptedExploration:
    function, file, line = "m:f", "m.py", 1

    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        for path in self.paths:
            if isinstance(path, BaseException):
                raise path
            yield path

    def completion(self):
        return '{"exhaustive": true, "open": [], "seconds": 0.0, "coverage": null}'


@pytest.fixture
def scripted(monkeypatch, capsys, tmp_path):
    """Run `pef explore` over the given paths; return exit code, output and the stream used."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(explore, "supervised", lambda command, what, seconds: answered(command))

    def run(paths, *words):
        streams = []

        def stream(*arguments, **options):
            streams.append(ScriptedStream(*arguments, **options))
            return streams[-1]

        def explore_target(target, options):
            if isinstance(paths, BaseException):
                raise paths
            return contextlib.nullcontext(ScriptedExploration(paths))

        session = types.SimpleNamespace(explore_target=explore_target)
        native = types.SimpleNamespace(ReportStream=stream)
        monkeypatch.setitem(sys.modules, "pef.session", session)
        monkeypatch.setattr("pef.session", session, raising=False)
        monkeypatch.setitem(sys.modules, "pef._native", native)
        code = main(["explore", "m.py:f", *words])
        return code, capsys.readouterr(), streams

    return run


@pytest.mark.parametrize(
    ("form", "pieces"), [("full", ["a\n", "b\n", "<[]>\n"]), ("json", ["<a\nb\n[]>\n"])]
)
def test_text_is_written_path_by_path_and_json_at_the_end(scripted, monkeypatch, form, pieces):
    written = []
    with monkeypatch.context() as patch:
        patch.setattr(sys.stdout, "write", written.append)
        code, _, streams = scripted(["a", "b"], "--output-format", form)
    assert (code, written, streams[0].form) == (CLEAN, pieces, form)


def test_an_interrupted_run_still_reports_and_says_so(scripted):
    code, shown, _ = scripted(["a", KeyboardInterrupt()])
    assert code == INTERRUPTED
    assert shown.out == "a\n<['interrupted']>\n"


def test_a_fault_of_ours_is_not_taken_for_a_finding(scripted):
    code, shown, _ = scripted(["a", RuntimeError("broken")])
    assert code == 2
    assert "RuntimeError: broken" in shown.err
    assert shown.err.endswith("pef: internal error, please report it with the lines above\n")


def test_a_mistake_about_the_target_is_one_line(scripted):
    from pef.targets import TargetError

    code, shown, _ = scripted(TargetError("no such file: m.py"))
    assert (code, shown.out, shown.err) == (2, "", "pef: error: no such file: m.py\n")


def test_quiet_and_colour_reach_the_report(scripted):
    assert scripted(["a"], "-q")[2][0].form == "quiet"
    assert scripted(["a"], "-q", "--output-format", "json")[2][0].form == "json"
    assert scripted(["a"])[2][0].options["color"] is False
    assert scripted(["a"], "--color", "always")[2][0].options["color"] is True


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({}, CLEAN),
        ({"violated": 1}, FOUND),
        ({"timeout": 1}, FOUND),
        ({"crash": 1, "not_reproduced": 1}, FOUND),
        ({"exit": 1}, FOUND),
        ({"not_reproduced": 1}, INCOMPLETE),
        ({"paths": 0}, INCOMPLETE),
    ],
)
def test_the_exit_code_follows_the_totals(changed, code):
    assert explore.exit_code({**TOTALS, **changed}) == code
