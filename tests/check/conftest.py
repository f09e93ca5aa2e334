"""Small projects, checked by the real command in a process of its own."""

import json
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGES = str(Path(__import__("pef").__file__).parents[1])


@dataclass
class Checked:
    code: int
    report: dict
    stderr: str

    def verdict(self, name):
        [found] = [each for each in self.report["functions"] if each["name"].endswith(f":{name}")]
        return found["verdict"]

    def reasons(self, name):
        [found] = [each for each in self.report["functions"] if each["name"].endswith(f":{name}")]
        return found["reasons"]

    @property
    def calls(self):
        return [each["call"] for each in self.report["findings"]]

    @property
    def names(self):
        return [each["name"] for each in self.report["findings"]]


class Project:
    """A folder with modules in it."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, **modules):
        for name, source in modules.items():
            path = self.folder / (name.replace("__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(source))
        return self

    def start(self, *words):
        return subprocess.Popen(
            [sys.executable, "-m", "pef", "check", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": PACKAGES, "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *words):
        running = self.start(*words)
        stdout, stderr = running.communicate(timeout=120)
        return subprocess.CompletedProcess(words, running.returncode, stdout, stderr)

    def check(self, *words, cache=False):
        given = [] if cache else ["--no-cache"]
        done = self.run(*words, *given, "--output-format", "json")
        assert done.stdout, done.stderr
        return Checked(done.returncode, json.loads(done.stdout), done.stderr)

    def fails(self, finding):
        """Whether the call of a finding, pasted into plain Python, ends in its exception."""
        lines = [*finding["setup"], finding["call"]]
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(lines)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=60,
        )
        last = done.stderr.strip().rpartition("\n")[2]
        return done.returncode != 0 and last.startswith(finding["exception"]["type"])


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
