"""`python -m pef.selftest [--write-docs FILE | NAME...]`, for those who work on PEF."""

from __future__ import annotations

import sys
from pathlib import Path


def main(words: list[str]) -> int:
    """Write the documentation, or compare the named operations."""
    if words[:1] == ["--write-docs"]:
        from pef.selftest.documentation import text

        Path(words[1] if len(words) > 1 else "docs/models.md").write_text(text(), encoding="utf-8")
        return 0
    from pef.selftest import run

    return run(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
