"""Instructions of a process, counted by Valgrind: the same number on a busy machine, too.

Hardware counters would be much cheaper, but containers and virtual machines rarely have them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence

_COUNT = re.compile(r"^==(\d+)== I +refs: +([\d,]+)$", re.MULTILINE)


class CountError(Exception):
    """The program failed, or Valgrind did."""


def available() -> bool:
    """Whether Valgrind is installed."""
    return shutil.which("valgrind") is not None


def count(arguments: Sequence[str], *, family: bool = False, status: int = 0) -> int:
    """Instructions of `python ARGUMENTS`; with `family`, of all processes that it forks as well.

    A forked process goes on counting where its parent was. The program is run once before, so that
    nothing has to be compiled.
    """
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    program = [sys.executable, *arguments]
    quiet = subprocess.DEVNULL
    subprocess.run(program, stdout=quiet, stderr=quiet, env=environment, check=False)
    with tempfile.TemporaryFile("w+") as log:
        descriptor = log.fileno()
        command = [
            "valgrind",
            "--tool=cachegrind",
            "--cache-sim=no",
            "--cachegrind-out-file=/dev/null",
            "--vgdb=no",
            "--trace-children=yes",
            f"--log-fd={descriptor}",
            *program,
        ]
        process = subprocess.Popen(
            command,
            stdout=quiet,
            stderr=quiet,
            pass_fds=[descriptor],
            env=environment,
        )
        if process.wait() != status:
            raise CountError(f"python {' '.join(arguments)}: exit status {process.returncode}")
        log.seek(0)
        counts = _COUNT.findall(log.read())
    wanted = [
        int(refs.replace(",", "")) for pid, refs in counts if family or int(pid) == process.pid
    ]
    if not wanted:
        raise CountError(f"python {' '.join(arguments)}: Valgrind gave no count")
    return sum(wanted)
