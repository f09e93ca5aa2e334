"""State that a run leaves behind and nothing puts back: no proof may rest on it."""

import pytest

KINDS = {
    "iterator": ("COUNTER = itertools.count()", "next(COUNTER) == 0"),
    "generator": ("NUMBERS = (each for each in range(9))", "next(NUMBERS) == 0"),
    "array": ("SEEN = array.array('i')", "SEEN.append(1) or len(SEEN) == 1"),
    "stream": ("TEXT = io.StringIO()", "TEXT.write('a') and TEXT.getvalue() == 'a'"),
    "context": ("NOW = contextvars.ContextVar('now', default=0)", "NOW.get() == 0 and NOW.set(1)"),
    "library": (
        "",
        "decimal.getcontext().prec == 28 and not setattr(decimal.getcontext(), 'prec', 5)",
    ),
}


@pytest.mark.parametrize("others", [0, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_run_leaves_behind_is_no_proof(project, kind, others):
    state, is_first = KINDS[kind]
    more = "".join(f"    if x == {each + 1}:\n        return {each}\n" for each in range(others))
    source = (
        f"import array, contextvars, decimal, io, itertools\n{state}\n\ndef f(x: int) -> int:\n"
    )
    source += f"    first = bool({is_first})\n{more}    return 1 // 0 if x == -7 and first else 1\n"
    (project.folder / "m.py").write_text(source)
    checked = project.check("m.py:f", "--no-cache", "--timeout", "5")
    assert checked.verdict("f") != "proved"


HIDDEN = {
    "iterator": ("ITEMS = iter([1, 2, 3])", "next(ITEMS) == 1"),
    "another name": ("ITEMS = iter([1, 2, 3])\nSAME = [ITEMS]", "next(SAME[0]) == 1"),
    "helper": ("ITEMS = iter([1, 2])\ndef taken(): return next(ITEMS)", "taken() == 1"),
    "method": (
        "ITEMS = iter([1, 2])\nclass Box:\n    def __len__(self): return next(ITEMS)",
        "len(Box()) == 1",
    ),
    "default": ("def taken(items=iter([1, 2])): return next(items)", "taken() == 1"),
    "unpacked": ("ITEMS = struct.iter_unpack('b', b'ab')", "next(ITEMS) == (97,)"),
    "path": ("", "'away' not in sys.path and not sys.path.append('away')"),
    "limit": ("", "sys.getrecursionlimit() < 9000 and not sys.setrecursionlimit(9000)"),
    "module": ("", "not hasattr(struct, 'mark') and not setattr(struct, 'mark', 1)"),
    "logger": (
        "",
        "logging.getLogger('a').level == 0 and not logging.getLogger('a').setLevel(10)",
    ),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_what_only_a_run_of_its_own_would_see_is_no_proof(project, kind):
    """The first run takes it away, so that the second does not even ask about -7."""
    state, is_first = HIDDEN[kind]
    (project.folder / "m.py").write_text(
        f"import logging, struct, sys\n{state}\n\ndef f(x: int) -> int:\n"
        f"    if x < 0:\n        first = bool({is_first})\n"
        f"        return 1 // 0 if first and x == -7 else 1\n"
        f"    return 1 if {is_first} else 2\n"
    )
    checked = project.check("m.py:f", "--no-cache", "--timeout", "5")
    assert checked.verdict("f") != "proved"


def test_what_a_function_does_not_get_at_is_no_obstacle(project):
    (project.folder / "m.py").write_text(
        "import logging\n\nITEMS = iter([1, 2])\nlog = logging.getLogger(__name__)\n\n"
        "def taken():\n    log.info('one')\n    return next(ITEMS)\n\n"
        "def f(x: int) -> int:\n    return x + 1\n"
    )
    assert project.check("m.py:f", "--no-cache").verdict("f") == "proved"


def test_a_view_of_what_is_put_back(project):
    (project.folder / "m.py").write_text(
        "BUFFER = bytearray(b'ab')\nVIEW = memoryview(BUFFER)\n\n"
        "def f(x: int) -> int:\n    BUFFER[0] = 65 if x > 5 else 66\n"
        "    return 1 // (70 - VIEW[0])\n"
    )
    assert project.check("m.py:f", "--no-cache").verdict("f") != "error"


@pytest.mark.parametrize("change", ["os.environ = {'MARK': '1'}", "os.environ['MARK'] = '1'"])
def test_the_environment_is_put_back_and_so_is_the_mapping_itself(project, change):
    project.write(
        m=f"""
        import os

        def f(x: int) -> int:
            if "MARK" in os.environ or type(os.environ) is dict:
                return 1 // 0
            if x > 3:
                {change}
            return 1
        """
    )
    checked = project.check("m.py:f")
    assert checked.verdict("f") == "proved"
