"""`pef watch` checks again when a file is saved, and leaves the screen alone otherwise."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

GOOD = "def f(a: int) -> int:\n    return a + 1\n"
BAD = "def f(a: int) -> int:\n    return 1 // a\n"


class Watching:
    """A running `pef watch` and what it has written so far."""

    def __init__(self, folder, *words, terminal=False):
        ours, theirs = pty.openpty() if terminal else os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pef", "watch", *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", "PEF_TIMEOUT": "5"},
        )
        os.close(theirs)
        self._reader = ours
        self.text = ""

    def until(self, pattern, seconds=60):
        """Wait for some output; return what was written since the last call."""
        deadline = time.monotonic() + seconds
        start = len(self.text)
        while not re.search(pattern, self.text[start:]):
            left = deadline - time.monotonic()
            assert left > 0, self.text[start:]
            if select.select([self._reader], [], [], left)[0]:
                self.text += os.read(self._reader, 1 << 16).decode().replace("\r\n", "\n")
        return self.text[start:]

    def is_silent(self, seconds):
        return not select.select([self._reader], [], [], seconds)[0]

    def interrupt(self):
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(30)

    def close(self):
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._reader)


@pytest.fixture
def watching(tmp_path):
    started = []

    def start(*words, **options):
        started.append(Watching(tmp_path, *words, **options))
        return started[-1]

    yield start
    for each in started:
        each.close()


def test_a_save_is_checked_at_once_and_ctrl_c_ends(watching, tmp_path):
    (tmp_path / "m.py").write_text(GOOD)
    running = watching("m.py")
    first = running.until("Ctrl-C ends")
    assert "watching 1 file; checked at" in first and "PEF003" not in first
    assert running.is_silent(1.0)
    (tmp_path / "m.py").write_text(BAD)
    assert "PEF003" in running.until("Ctrl-C ends")
    (tmp_path / "m.py").write_text("def f(:\n")
    assert "m.py:1:" in running.until("Ctrl-C ends")
    (tmp_path / "m.py").write_text(GOOD)
    assert "PEF003" not in running.until("Ctrl-C ends")
    assert running.interrupt() == 0


def test_the_screen_is_cleared_only_for_a_new_report(watching, tmp_path):
    (tmp_path / "m.py").write_text(GOOD)
    running = watching("m.py", terminal=True)
    assert running.until("Ctrl-C ends").count("\x1b[2J") == 1
    assert running.is_silent(1.0)
    (tmp_path / "m.py").write_text(BAD)
    again = running.until("Ctrl-C ends")
    assert "checking; m.py has changed ..." in again
    assert again.count("\x1b[2J") == 1


def test_settings_are_read_again_when_they_change(watching, tmp_path):
    (tmp_path / "m.py").write_text(BAD)
    config = tmp_path / "pyproject.toml"
    config.write_text("[tool.pef]\n")
    running = watching("m.py")
    assert "PEF003" in running.until("Ctrl-C ends")
    config.write_text('[tool.pef]\nignore = ["PEF003"]\n')
    assert "PEF003" not in running.until("Ctrl-C ends")
    config.write_text("[tool.pef]\nnonsense = 1\n")
    assert "pyproject.toml:2: [tool.pef] has no option 'nonsense'" in running.until("Ctrl-C ends")
    config.write_text("[tool.pef]\n")
    assert "PEF003" in running.until("Ctrl-C ends")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["m.py", "--output-file", "x"], "pef watch writes to the terminal"),
        (["nope.py"], "no such file: nope.py"),
        (["m.py:g"], "no function 'g' in m.py"),
    ],
)
def test_a_mistake_in_the_words_is_told_at_once(tmp_path, words, expected):
    (tmp_path / "m.py").write_text(GOOD)
    done = subprocess.run(
        [sys.executable, "-m", "pef", "watch", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"pef: error: {expected}")
