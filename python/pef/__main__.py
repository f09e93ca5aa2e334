"""`python -m pef` is `pef`."""

import sys

from pef.cli import main

if __name__ == "__main__":
    sys.exit(main())
