"""`python benches/versus`: puts the package on the import path, then runs the command."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from versus.command import main  # noqa: E402 - found only once the path is set

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
