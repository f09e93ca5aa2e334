"""Z3 is found in its wheel, and its absence is said in words."""

import subprocess
import sys


def importing(setup):
    code = f"{setup}\nimport pef._z3\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.stderr.splitlines()[-1] if done.stderr else ""


def test_the_library_is_loaded_for_all_to_see():
    check = (
        "import ctypes, sys, pef._z3\n"
        "assert ctypes.CDLL(None).Z3_get_full_version\n"
        "assert 'z3' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", check], check=True)


def test_a_missing_wheel_is_named():
    hide = "import importlib.util\nimportlib.util.find_spec = lambda name: None"
    assert importing(hide) == (
        "ImportError: PEF needs Z3, and the z3-solver package is missing: pip install z3-solver"
    )


def test_a_wheel_without_library_is_named(tmp_path):
    (tmp_path / "z3").mkdir()
    (tmp_path / "z3" / "__init__.py").write_text("")
    last = importing(f"import sys; sys.path.insert(0, {str(tmp_path)!r})")
    assert "has none of libz3.so, libz3.dylib" in last
