"""Every Python block of the README runs as it stands, from the root of the repository."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_block_runs(block: str, tmp_path: Path) -> None:
    script = tmp_path / "block.py"
    script.write_text(block)
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nexec(open({str(script)!r}).read())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_the_first_block_is_of_the_first_example() -> None:
    assert BLOCKS[0] in (ROOT / "examples" / "shop.py").read_text()
