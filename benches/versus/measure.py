"""What a command costs: CPU of its whole process tree, wall time, peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_REAPER = Path(__file__).with_name("reaper.py")


@dataclass(frozen=True)
class Cost:
    """The account of one run; seconds and bytes."""

    cpu: float
    wall: float
    peak: int  # of the largest process of the tree


@dataclass(frozen=True)
class Run:
    """A finished command: what it cost and what it said."""

    cost: Cost
    exit: int
    timed_out: bool
    stdout: str
    stderr: str


def run(
    command: Sequence[str],
    *,
    folder: Path,
    limit: float,
    environment: Mapping[str, str] | None = None,
) -> Run:
    """Run the command in the folder; after `limit` seconds of wall time all of it is killed.

    The tools get the same environment: a fixed hash seed, no colours, no user's site packages, and
    leave to keep their bytecode.
    """
    settings = {**os.environ, "PYTHONHASHSEED": "0", "NO_COLOR": "1", **(environment or {})}
    settings.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="versus-") as scratch:
        record, out, err = (Path(scratch, name) for name in ("record", "out", "err"))
        reaper = [sys.executable, "-I", str(_REAPER), str(limit), str(record), str(out), str(err)]
        subprocess.run([*reaper, *command], cwd=folder, env=settings, check=True)
        account = json.loads(record.read_text("utf-8"))
        return Run(
            Cost(account["cpu"], account["wall"], account["peak"]),
            account["exit"],
            account["timed_out"],
            out.read_text("utf-8", "replace"),
            err.read_text("utf-8", "replace"),
        )
