"""What was found before is found again, with the lines of today."""

from textwrap import dedent

import pytest

from pef.checking.discovery import discover
from pef.checking.memory import Memory

FIRST = """
    LIMIT = [
        1,
    ]

    class C:
        unit = 1
        def method(self):
            return self.unit

    def helper(x):
        return x[0]

    def f(x):
        return helper(x)
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "pkg").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project, text):
    (project / "pkg/m.py").write_text(dedent(text).lstrip("\n"))


def opened(project, warn=pytest.fail):
    units = discover(["pkg"]).modules
    return Memory(str(project / ".pef_cache"), units, [], warn), units


def key_of(memory, units, name="f", settings="default"):
    [(unit, function)] = [(u, f) for u in units for f in u.functions if f.qualname == name]
    return memory.key(unit, function, settings)


def line_of(project, text):
    lines = (project / "pkg/m.py").read_text().splitlines()
    return lines.index(text) + 1


def finding(project):
    """Return a finding in the helper, with places of every kind."""
    file = "pkg/m.py"
    return {
        "code": "PEF001",
        "file": file,
        "line": line_of(project, "    return x[0]"),
        "column": 12,
        "end_line": line_of(project, "    return x[0]"),
        "message": "pkg/m.py:3",
        "contract": {"file": file, "line": line_of(project, "def f(x):"), "text": "x"},
        "trace": [
            {"file": file, "line": line_of(project, "    return helper(x)"), "end_line": None},
            {"file": file, "line": line_of(project, "    1,"), "function": "<module>"},
            {"file": file, "line": line_of(project, "    unit = 1")},
            {"file": "/usr/lib/python3/json.py", "line": 7},
        ],
        "notes": [f"pinned at pkg/m.py:{line_of(project, '    return helper(x)')} (twice)"],
    }


def function(project):
    return {
        "name": "pkg.m:f",
        "file": "pkg/m.py",
        "line": line_of(project, "def f(x):"),
        "reasons": ["see other.py:1, pkg/m.py:1:2"],
    }


MOVED = """
    # A comment.
    import os

    LIMIT = [
        1,
    ]

    def added(x):
        return x

    def f(x):
        return helper(x)

    class C:

        def method(self):
            return self.unit + 1

        unit = 1


    def helper(x):
        return x[0]
"""


def test_a_result_is_known_to_the_next_run(project):
    write(project, FIRST)
    memory, units = opened(project)
    key = key_of(memory, units)
    assert memory.known([key]) == {}
    memory.keep(key, "pkg.m:f", [finding(project)], function(project))
    memory.tidy()
    memory, units = opened(project)
    assert memory.known([key_of(memory, units)])[key] == ([finding(project)], function(project))


def test_lines_follow_what_they_belong_to(project):
    write(project, FIRST)
    memory, units = opened(project)
    key = key_of(memory, units)
    memory.keep(key, "pkg.m:f", [finding(project)], function(project))
    write(project, MOVED.replace("    import os\n", ""))
    memory, units = opened(project)
    assert key_of(memory, units) == key
    [found], known = memory.known([key])[key]
    assert found == finding(project)
    assert known["line"] == line_of(project, "def f(x):")
    assert known["reasons"] == [f"see other.py:1, pkg/m.py:{line_of(project, 'LIMIT = [')}:2"]


def test_files_are_named_as_seen_from_the_current_folder(project, monkeypatch):
    write(project, FIRST)
    memory, units = opened(project)
    key = key_of(memory, units)
    memory.keep(key, "pkg.m:f", [finding(project)], function(project))
    monkeypatch.chdir(project / "pkg")
    units = discover(["m.py"]).modules
    memory = Memory(str(project / ".pef_cache"), units, [], pytest.fail)
    [found], known = memory.known([key_of(memory, units)])[key]
    assert (found["file"], known["file"]) == ("m.py", "m.py")
    assert found["notes"][0].startswith("pinned at m.py:")


@pytest.mark.parametrize("old", ["return x[0]", "return helper(x)", "LIMIT = ["])
def test_a_change_in_what_is_reached_needs_a_new_analysis(project, old):
    write(project, FIRST)
    memory, units = opened(project)
    before = key_of(memory, units)
    write(project, FIRST.replace(old, old.replace("x", "x + x").replace("LIMIT", "BOUND")))
    memory, units = opened(project)
    assert key_of(memory, units) != before


def test_other_settings_and_another_environment_need_a_new_analysis(project, monkeypatch):
    write(project, FIRST)
    memory, units = opened(project)
    before = key_of(memory, units)
    assert key_of(memory, units, settings="other") != before
    assert key_of(memory, units, name="helper") != before
    monkeypatch.setattr("sys.version", "4.0")
    assert key_of(*opened(project)) != before


def test_a_result_of_a_file_that_was_saved_meanwhile_is_not_kept(project):
    write(project, FIRST)
    (project / "pkg/tool.py").write_text("X = 1\n")
    write(project, "import tool\n" + dedent(FIRST))
    for saved in ("pkg/tool.py", "pkg/m.py"):
        memory, units = opened(project)
        key = key_of(memory, units)
        text = (project / saved).read_text()
        (project / saved).write_text(text + "Y = 2\n")
        memory.keep(key, "pkg.m:f", [], function(project))
        (project / saved).write_text(text)
        memory, units = opened(project)
        assert key_of(memory, units) == key
        assert memory.known([key]) == {}


def test_a_cache_that_cannot_be_used_knows_nothing(project):
    write(project, FIRST)
    (project / ".pef_cache").write_text("a file")
    warnings = []
    memory, units = opened(project, warnings.append)
    key = key_of(memory, units)
    memory.keep(key, "pkg.m:f", [], {})
    memory.tidy()
    assert (memory.known([key]), memory.tried_first("pkg.m:f")) == ({}, [])
    assert len(warnings) == 1
