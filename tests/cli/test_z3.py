"""Z3 is found in its wheel, loaded when it is needed, and its absence is said in words."""

import subprocess
import sys

import pytest

from pef._z3 import IS_LATE

IS_LOADED = "any('libz3' in line for line in open('/proc/self/maps'))"


SEARCH = """
import sys, pef

def f(x: int, y: int) -> bool:
    return x * y * x == 15623 + y % 7 and x > y > 1

results = {path.result for path in pef.explore(f)}
"""


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def run_file(folder, code):
    (folder / "program.py").write_text(code)
    return subprocess.run(
        [sys.executable, folder / "program.py"], capture_output=True, text=True, timeout=60
    )


def importing(setup):
    done = run(f"{setup}\nfrom pef import _native\n")
    return done.stderr.splitlines()[-1] if done.stderr else ""


def test_the_library_is_used_without_its_package(tmp_path):
    check = "assert results and 'z3' not in sys.modules"
    assert run_file(tmp_path, SEARCH + check).stderr == ""


@pytest.mark.skipif(not IS_LATE, reason="loaded at once here")
def test_the_library_is_loaded_when_it_is_first_needed():
    check = (
        "from pef import _native\n"
        f"assert not {IS_LOADED}\n"
        "_native.load_z3()\n"
        f"assert {IS_LOADED}\n"
        "_native.load_z3()\n"
    )
    assert run(check).stderr == ""


@pytest.mark.skipif(not IS_LATE, reason="loaded at once here")
def test_a_library_that_is_not_z3_is_named(tmp_path):
    (tmp_path / "z3/lib").mkdir(parents=True)
    (tmp_path / "z3/__init__.py").write_text("")
    (tmp_path / "z3/lib/libz3.so").write_text("not a library")
    first = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    done = run(f"{first}\nfrom pef import _native\n_native.load_z3()\n")
    assert f"cannot load Z3 from {tmp_path}/z3/lib/libz3.so: " in done.stderr
    assert f"pef: cannot load Z3 from {tmp_path}" in run_file(tmp_path, first + SEARCH).stderr


def test_a_missing_wheel_is_named():
    hide = (
        "import importlib.util, os, sys\n"
        "sys.path[:] = [p for p in sys.path if not os.path.exists(os.path.join(p, 'z3'))]\n"
        "importlib.util.find_spec = lambda name: None\n"
    )
    assert importing(hide) == (
        "ImportError: PEF needs Z3, and the z3-solver package is missing: pip install z3-solver"
    )


def test_a_wheel_without_library_is_named(tmp_path):
    (tmp_path / "z3").mkdir()
    (tmp_path / "z3" / "__init__.py").write_text("")
    last = importing(f"import sys; sys.path.insert(0, {str(tmp_path)!r})")
    assert "has none of libz3.so, libz3.dylib" in last
