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
