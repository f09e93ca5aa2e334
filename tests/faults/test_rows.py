"""Every fault of the specification has a test here, found by its mark."""

import ast
from pathlib import Path

ROWS = {
    1: "segfault in the function",
    2: "segfault at import",
    3: "os._exit(0)",
    4: "sys.exit(0)",
    5: "infinite loop in Python",
    6: "loop in C",
    7: "endless arithmetic",
    8: "a list of 5 GB",
    9: "killed by the OOM killer",
    10: "deep recursion",
    11: "overflow of the C stack",
    12: "reads standard input",
    13: "leaves a thread running",
    14: "assigns builtins, patches modules",
    15: "ignores signals",
    16: "fork bomb",
    17: "writes to an inherited descriptor",
    18: "opens for writing, removes a tree",
    19: "network",
    20: "subprocess",
    21: "chance, clock, hash order, environment",
    22: "drives the solver into a hang or crash",
    23: "objects that lie or raise",
    24: "Ctrl-C, killed worker, full disk",
    25: "corrupt or old cache, two runs at once",
}


def marked():
    """The numbers of all marks, with the names of the tests that have them."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for test in [each for each in tree.body if isinstance(each, ast.FunctionDef)]:
            for mark in test.decorator_list:
                if ast.unparse(mark).startswith("pytest.mark.row("):
                    for number in mark.args:
                        found.setdefault(ast.literal_eval(number), []).append(test.name)
    return found


def test_every_row_has_a_test_and_every_mark_a_row():
    assert sorted(marked()) == sorted(ROWS)
