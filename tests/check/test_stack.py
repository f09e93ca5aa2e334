"""Recursion that is too deep for the stack of a program, whatever else is on ours."""

import subprocess
import sys

DEEP = """
    def deep(n: int) -> int:
        return 0 if n <= 0 else 1 + deep(n - 1)
"""
ALMOST = """

    def almost(n: int) -> int:
        return 0 if n > 1040 else deep(n)
"""


def test_a_recursion_that_is_too_deep_is_so_without_us(project):
    project.write(m=DEEP)
    checked = project.check("m.py:deep", "--no-cache")
    assert checked.names == ["endless-recursion"]
    [found] = checked.report["findings"]
    program = "; ".join([*found["setup"], found["call"]])
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project.folder, capture_output=True, text=True
    )
    assert "RecursionError" in done.stderr


def test_the_longest_path_of_many_is_confirmed_before_it_is_a_proof(project):
    project.write(m=DEEP + ALMOST)
    checked = project.check("m.py:almost", "--no-cache", "--timeout", "60")
    assert checked.verdict("almost") != "proved"
