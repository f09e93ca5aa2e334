"""Types written in C that compute with symbolic values through their twin in Python.

The standard library keeps a Python version of some of its C modules. The twin's source is
rewritten (`loading`) and its classes stand in for the C ones wherever a symbolic value is involved:
`isinstance` and `type` say the C class, C functions get a C object whose parts are pinned, and
where the twin complains it is CPython itself that words the complaint.

`dates` has `datetime`, `decimals` has `decimal`, `json_text` has `json`, `streams` has
`io.StringIO`. What has no twin here (`complex`) pins.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from importlib import import_module

from pef import _native
from pef.models import later


def install() -> None:
    """Registers what modules have that are always there; `pef.models` knows the others."""
    for name in ("dumps", "loads"):
        function = getattr(json, name)
        later.register(_native.register_guarded, function, f"twins.json_text:{name}")
    for kind in (int, float):  # what the encoder writes numbers with
        method = vars(kind)["__repr__"]
        later.register(_native.register_guarded, method, "text.printing:repr_of")
    later.register(_native.register_model, io.StringIO, "twins.streams:open_text")


_MENTIONED = {"datetime": "dates", "decimal": "decimals"}
"""What leads to a twin that takes long to rewrite."""


def prepare(sources: Iterable[str]) -> None:
    """Rewrite what programs with these sources are going to need, before processes are forked."""
    wanted = {word for source in sources for word in _MENTIONED if word in source}
    for word in sorted(wanted):
        import_module(f"pef.models.twins.{_MENTIONED[word]}").prepare()
