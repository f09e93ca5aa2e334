"""Where the tools come from: PEF from this interpreter, its peers from PyPI.

The peers get an environment of their own inside the checkout, made once with the interpreter
that runs PEF, so that all three run on the same CPython. Delete the folder for newer versions.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from versus.tools import Tool
from versus.tools.crosshair import CrossHair
from versus.tools.hypothesis import Hypothesis
from versus.tools.pef import Pef

CHECKOUT = Path(__file__).resolve().parents[2]
_FOLDER = CHECKOUT / ".bench-env"
_PEERS = {"crosshair": "crosshair-tool", "hypothesis": "hypothesis"}
NAMES = ("pef", *_PEERS)


class SetupError(Exception):
    """The peers could not be installed."""


def tools(names: Iterable[str]) -> list[Tool]:
    """The tools of these names, installed and with their versions."""
    wanted = list(names)
    found: list[Tool] = []
    if "pef" in wanted:
        found.append(Pef(_pef_start(), _pef_version()))
    if not set(wanted) & set(_PEERS):
        return found
    python = _peers_python()
    if "crosshair" in wanted:
        start = [str(python.with_name("crosshair"))]
        found.append(CrossHair(start, _version(python, _PEERS["crosshair"])))
    if "hypothesis" in wanted:
        found.append(Hypothesis([str(python)], _version(python, _PEERS["hypothesis"])))
    return found


def machine() -> dict[str, str | int]:
    """What the figures depend on; nothing that names the machine."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "system": platform.system(),
    }


def _pef_start() -> list[str]:
    script = Path(sys.executable).with_name("pef")
    return [str(script)] if script.exists() else [sys.executable, "-m", "pef"]


def _pef_version() -> str:
    """The version and a digest of all that is installed: a rebuilt PEF is another one."""
    question = "import pef; print(pef.__version__); print(*pef.__path__)"
    version, folder = _output([sys.executable, "-c", question]).splitlines()
    files = (
        Path(place, name)
        for place, _, names in os.walk(folder, followlinks=True)
        for name in names
        if name.endswith((".py", ".so", ".pyd"))
    )
    digest = hashlib.sha256()
    for file in sorted(file for file in files if file.exists()):
        digest.update(file.read_bytes())
    return f"{version}+{digest.hexdigest()[:12]}"


def _peers_python() -> Path:
    python = _FOLDER / "bin" / "python"
    if not python.exists() or _python_version(python) != _python_version(Path(sys.executable)):
        _say(f"making {_FOLDER.name}")
        _make_environment(python)
    if not python.with_name("crosshair").exists():
        _say("installing " + " and ".join(_PEERS.values()))
        _run([str(python), "-m", "pip", "install", "--quiet", *_PEERS.values()])
    return python


def _make_environment(python: Path) -> None:
    _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(_FOLDER)])
    # Debian splits ensurepip from its Python; our own pip can install one there.
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip"]
    _run(pip)


def _python_version(python: Path) -> str:
    return _output([str(python), "-c", "import sys; print(sys.version_info[:2])"])


def _version(python: Path, package: str) -> str:
    question = f"import importlib.metadata as m; print(m.version({package!r}))"
    return _output([str(python), "-c", question]).strip()


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, stdout=sys.stderr, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"{_FOLDER.name}: {error}") from error


def _say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
