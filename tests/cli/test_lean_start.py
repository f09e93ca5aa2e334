"""What a check of a trivial function loads, in all its processes. Counted: time would be flaky."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pef

_CHECK = """\
import os, sys
before = set(sys.modules)
plain_exit, told = os._exit, sys.argv[1]

def leave(status):
    with open(told, "a") as file:
        import json
        print(json.dumps(sorted(set(sys.modules) - before)), file=file)
    plain_exit(status)

os._exit = leave
from pef.cli import main
os._exit(main(["check", *sys.argv[2:], "trivial.py"]))
"""

_STANDARD = {
    *("argparse", "bz2", "copy", "ctypes", "dataclasses", "datetime", "decimal", "dis", "gettext"),
    *("inspect", "ipaddress", "linecache", "locale", "lzma", "pathlib", "random", "shutil"),
    *("socket", "sqlite3", "subprocess", "tempfile", "threading", "tokenize", "urllib.parse"),
    *("weakref", "zlib", "binascii", "fnmatch", "difflib", "resource", "traceback", "z3"),
}
"""Modules of the standard library that cost a millisecond or so, and Z3's own."""

_OURS = (
    *("pef.bench", "pef.checking.cache", "pef.checking.digest", "pef.checking.explain"),
    *("pef.checking.memory", "pef.checking.suppress_reader", "pef.checking.watching"),
    *("pef.cli.arguments", "pef.cli.explore", "pef.cli.watch", "pef.models.binary.arrays"),
    *("pef.models.binary.structs", "pef.models.containers.views", "pef.models.floats.mathematics"),
    *("pef.models.regex.calls", "pef.models.table", "pef.models.text.casing"),
    *("pef.models.text.formatting", "pef.models.twins.dates", "pef.models.twins.json_text"),
    *("pef.scout", "pef.selftest"),
)


def loaded_by(source, folder, *options, allow="all", status=0):
    """Return the modules that each process of a check has loaded when it ends."""
    (folder / "trivial.py").write_text(source)
    told, program = folder / "told", folder / "program.py"  # `python -c` loads more
    program.write_text(_CHECK)
    environment = {**os.environ, "PYTHONPATH": str(Path(pef.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, program, told, "--allow", allow, *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stderr
    return [set(json.loads(line)) for line in told.read_text().splitlines()]


def test_a_trivial_check_loads_little(tmp_path):
    processes = loaded_by("def double(x: int) -> int:\n    return x + x\n", tmp_path, "--no-cache")
    assert len(processes) >= 3  # itself, a server and a worker at least
    for modules in processes:
        assert sorted(modules & _STANDARD) == []
        assert [each for each in sorted(modules) if each.startswith(_OURS)] == []
        assert len([each for each in modules if each.startswith("pef")]) < 165


def test_a_confined_process_loads_no_more(tmp_path):
    source = "def double(x: int) -> int:\n    return x + x\n"
    only = f"write:{tmp_path / 'told'}"
    processes = loaded_by(source, tmp_path, "--no-cache", allow=only)
    assert len(processes) >= 3
    for modules in processes:
        assert sorted(modules & _STANDARD) == []


def test_what_a_target_mentions_is_loaded_once_for_all_its_functions(tmp_path):
    source = "def shout(text: str) -> str:\n    return text.upper()\n"
    processes = loaded_by(source, tmp_path, "--no-cache")
    with_it = [modules for modules in processes if "pef.models.text.casing" in modules]
    assert 2 <= len(with_it) < len(processes)  # the server and who was forked from it


def test_a_first_check_with_nothing_to_keep_needs_no_cache(tmp_path):
    source = "def inverse(x: int) -> float:\n    return 1 / x\n"
    for modules in loaded_by(source, tmp_path, "--fail-fast", status=1):
        assert modules.isdisjoint({"_sqlite3", "sqlite3", "pef.checking.digest"})
    assert not (tmp_path / ".pef_cache").exists()


def test_classes_with_contracts_need_no_inspect(tmp_path):
    for modules in loaded_by(_ACCOUNT, tmp_path, "--no-cache", status=1):
        assert modules.isdisjoint({"inspect", "dis", "copy"})


_ACCOUNT = '''
class Account:
    """
    :invariant: self.balance >= 0
    """

    def __init__(self, balance: int) -> None:
        """
        :assume: balance >= 0
        """
        self.balance = balance

    def withdraw(self, amount: int, names: set[int]) -> int:
        """
        :assume: amount > 0, len(names) < 3
        """
        self.balance -= amount
        return amount in names
'''
