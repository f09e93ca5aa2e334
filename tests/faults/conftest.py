"""A module that misbehaves, checked by the real command, and what is left of it afterwards.

The faults are those of the specification, by number; `row(n)` marks the tests of each, and
`test_rows.py` sees to it that none is missing.
"""

import json
import os
import subprocess
import sys
import textwrap
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PACKAGES = str(Path(__import__("pef").__file__).parents[1])
SIBLING = """

def sibling(x: int) -> int:
    return 1 // x
"""


@dataclass
class Checked:
    """What came of a check."""

    code: int
    report: dict
    stderr: str
    seconds: float
    left: list = field(default_factory=list)

    def of(self, name):
        """The findings in one function, each as its name, call and message."""
        return [
            (each["name"], each["call"], each["message"])
            for each in self.report["findings"]
            if each["function"].endswith(f":{name}")
        ]

    def fails(self, *expected, function="f"):
        """The function has these findings, each by name and call, and that is what PEF says."""
        assert [(name, call) for name, call, _ in self.of(function)] == list(expected)
        assert self.function(function)["verdict"] == "error"
        assert self.code == 1

    def function(self, name):
        [found] = [each for each in self.report["functions"] if each["name"].endswith(f":{name}")]
        return found


class Bench:
    """A folder of its own, with a private place for temporary files."""

    def __init__(self, folder):
        self.folder = folder / "project"
        self.folder.mkdir()
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.mark = uuid.uuid4().hex

    def write(self, source, name="m"):
        text = textwrap.dedent(source) + SIBLING
        (self.folder / f"{name}.py").write_text(text, encoding="utf-8")

    def start(self, *words, **options):
        environment = {
            **os.environ,
            "PYTHONPATH": PACKAGES,
            "NO_COLOR": "1",
            "TMPDIR": str(self.temporary),
            "PEF_FAULT_MARK": self.mark,
            **options.pop("env", {}),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "pef", "check", *words],
            cwd=self.folder,
            env=environment,
            stderr=subprocess.PIPE,
            start_new_session=True,
            **{"stdout": subprocess.PIPE, **options},
        )

    def check(self, source, *words, **options):
        """Check a module that holds the source and an innocent sibling; nothing may be left."""
        self.write(source)
        before = self.files()
        started = time.monotonic()
        targets = options.pop("targets", ("m.py",))
        given = (*targets, "--no-cache", "--output-format", "json", *words)
        running = self.start(*given, **options)
        out, err = running.communicate(timeout=100)
        seconds = time.monotonic() - started
        assert out, err
        checked = Checked(running.returncode, json.loads(out), err.decode(), seconds)
        assert self.files() == before
        assert self.processes() == []
        assert self.locks() == []
        assert checked.of("sibling") == [
            (
                "division-by-zero",
                "sibling(0)",
                "ZeroDivisionError: integer division or modulo by zero",
            )
        ]
        return checked

    def files(self):
        """Everything in the project, and what is in the place for temporary files."""
        inside = [path for path in self.folder.rglob("*") if path.is_file()]
        return {path: path.read_bytes() for path in inside}, sorted(self.temporary.iterdir())

    def processes(self):
        """The processes that a check has started and not ended."""
        deadline = time.monotonic() + 5
        while found := _processes_with(self.mark):
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        return found

    def locks(self):
        """The locks that processes hold on files of the project."""
        inside = {os.stat(path).st_ino for path in self.folder.rglob("*")}
        lines = Path("/proc/locks").read_text().splitlines()
        return [line for line in lines if int(line.split()[-3].rpartition(":")[2]) in inside]


def _processes_with(mark):
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and mark.encode() in Path(f"/proc/{name}/environ").read_bytes():
                found.append(int(name))
        except OSError:
            continue
    return found


def pytest_configure(config):
    config.addinivalue_line("markers", "row(*numbers): faults of the specification")


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)
