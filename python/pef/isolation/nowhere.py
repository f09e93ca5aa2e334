"""The null device, where output goes that belongs to nobody.

In a process that is confined each opening for writing is looked at. So it is opened before that,
and again only if the program has made something else of the descriptor.
"""

from __future__ import annotations

import os


def leads_nowhere(descriptor: int) -> bool:
    """Whether it is the null device that is open under this number."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(os.devnull))
    except OSError:
        return False


def lead_nowhere(*descriptors: int) -> None:
    """Let all of them lead to the null device."""
    astray = [each for each in descriptors if not leads_nowhere(each)]
    if astray:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for each in astray:
            os.dup2(nowhere, each)
        if nowhere in astray:  # it was closed, and so the first to be taken
            os.set_inheritable(nowhere, True)
        else:
            os.close(nowhere)
