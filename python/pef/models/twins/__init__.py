"""Types written in C that compute with symbolic values through their twin in Python.

The standard library keeps a Python version of some of its C modules. The twin's source is
rewritten (`loading`) and its classes stand in for the C ones wherever a symbolic value is involved:
`isinstance` and `type` say the C class, C functions get a C object whose parts are pinned, and
where the twin complains it is CPython itself that words the complaint.

`dates` has `datetime`, `decimals` has `decimal`, `json_text` has `json`, `streams` has
`io.StringIO`. What has no twin here (`complex`) pins.
"""

from __future__ import annotations

import sys

_installed: set[str] = set()


def install() -> None:
    """Registers the twins of the modules that are loaded; to be called again after an import."""
    if "_datetime" in sys.modules and "datetime" not in _installed:
        _installed.add("datetime")
        from pef.models.twins import dates

        dates.install()
    if "_decimal" in sys.modules and "decimal" not in _installed:
        _installed.add("decimal")
        from pef.models.twins import decimals

        decimals.install()
    if "io" not in _installed:
        _installed.add("io")
        from pef.models.twins import streams

        streams.install()
    if "json" in sys.modules and "json" not in _installed:
        _installed.add("json")
        from pef.models.twins import json_text

        json_text.install()
