"""Second runs: what is known is not done again, and what changed is."""

import json


def functions(count):
    return "\n".join(
        f"def f{n}(x: int) -> int:\n    return {n} // (x - {n})\n" for n in range(count)
    )


def cached(checked):
    return {each["name"]: each["cached"] for each in checked.report["functions"]}


def test_an_unchanged_project_gives_the_same_report_without_analysis(project):
    project.write(m=functions(10))
    first, second = (project.check("m.py", cache=True) for _ in range(2))
    assert first.report["findings"] == second.report["findings"]
    assert not any(cached(first).values())
    assert all(cached(second).values())


def test_editing_a_function_checks_it_and_its_callers_again_and_no_other(project):
    source = """
        def inner(x: int) -> int:
            return x + {}

        def caller(x: int) -> int:
            return inner(x) + 1

        def other(x: int) -> int:
            return x - 1
    """
    project.write(m=source.format(1))
    project.check("m.py", cache=True)
    project.write(m=source.format(2))
    again = cached(project.check("m.py", cache=True))
    assert again == {"m:inner": False, "m:caller": False, "m:other": True}


def test_lines_of_known_findings_move_with_their_function(project):
    project.write(m="def f(x: int) -> int:\n    return 1 // x\n")
    project.check("m.py", cache=True)
    project.write(m="X = 1\n\n\ndef f(x: int) -> int:\n    return 1 // x\n")
    [found] = project.check("m.py", cache=True).report["findings"]
    assert found["line"] == 5


def test_a_cache_that_is_no_cache_is_replaced(project):
    project.write(m="def f(x: int) -> int:\n    return 1 // x\n")
    project.check("m.py", cache=True)
    [file] = (project.folder / ".pef_cache").glob("*.sqlite")
    file.write_bytes(b"this is not a database" * 100)
    assert project.check("m.py", cache=True).calls == ["f(0)"]
    assert all(cached(project.check("m.py", cache=True)).values())


def test_a_suppressed_finding_is_gone_and_an_unused_comment_is_not(project):
    project.write(
        m="""
        def f(x: int) -> int:
            return 1 // x  # pef: ignore[division-by-zero]

        def g(x: int) -> int:
            return x  # pef: ignore
    """
    )
    checked = project.check("m.py")
    assert checked.names == ["unused-suppression"]
    assert checked.report["findings"][0]["line"] == 6


def test_the_report_goes_into_a_file_whole(project):
    project.write(m="def f(x: int) -> int:\n    return 1 // x\n")
    done = project.run("m.py", "--no-cache", "--output-format", "json", "--output-file", "out.json")
    assert (done.returncode, done.stdout) == (1, "")
    report = json.loads((project.folder / "out.json").read_text())
    assert len(report["findings"]) == 1
    assert not (project.folder / "out.json.part").exists()
