"""The order of sets is the same in every run: a check must find today what it found yesterday.

The seed of hashes is chosen when an interpreter starts, and every process of a check is forked from
the first. So that one starts again with a seed that is known, before it has done anything.
"""

from __future__ import annotations

import os
import sys

_SEED = "PYTHONHASHSEED"


def fix_hashes() -> None:
    """Become a process whose hashes are not left to chance; a seed that the user chose stays."""
    is_chosen = sys.flags.ignore_environment or os.environ.get(_SEED)
    if is_chosen or not sys.flags.hash_randomization:
        return
    os.environ[_SEED] = "0"
    try:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except OSError:  # then it is as it was
        return
