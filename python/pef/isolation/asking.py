"""Who looks at the clock, at chance or at an address: the program, or what it is made of.

The standard library needs true clocks to wait with, and names its temporary files by chance; that
is nothing the program relies on. The same goes for PEF itself, which shares the process.
"""

from __future__ import annotations

import os
import sys
from typing import Literal

Who = Literal["project", "installed", "ground"]
"""The program; a library that was installed; what comes with the interpreter, or PEF."""

_INSTALLED = tuple(f"{os.sep}{each}{os.sep}" for each in ("site-packages", "dist-packages"))
_GROUND = {"pef", *sys.stdlib_module_names} - {"__main__"}


def who_asks(passing: str = "") -> Who:
    """Who called the function that wants to know; frames of the module `passing` do not count."""
    asking = sys._getframe(1).f_back
    while asking is not None and asking.f_globals.get("__name__") == passing:
        asking = asking.f_back
    if asking is None:  # C code that began a thread
        return "ground"
    name = asking.f_globals.get("__name__")
    if isinstance(name, str) and name.partition(".")[0] in _GROUND:
        return "ground"
    file = asking.f_code.co_filename
    return "installed" if any(each in file for each in _INSTALLED) else "project"
