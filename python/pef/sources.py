"""The text of source files, as the interpreter reads it.

`tokenize` and `linecache` do this too, and to load them takes longer than to read most files.
"""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from io import IncrementalNewlineDecoder


def decoded(content: bytes) -> str:
    """The text of a module, with plain newlines."""
    names_encoding = b"coding" in b"".join(content.split(b"\n", 2)[:2])
    if names_encoding or content.startswith(BOM_UTF8):
        from importlib.util import decode_source

        return decode_source(content)
    return IncrementalNewlineDecoder(None, translate=True).decode(content.decode())


def lines_of(file: str) -> tuple[str, ...]:
    """The lines of a file, none if it cannot be read; or of what passes for one, as in a shell."""
    if "linecache" not in sys.modules:
        try:
            with open(file, "rb") as opened:
                lines = decoded(opened.read()).split("\n")
        except (OSError, ValueError, SyntaxError):
            lines = []
        if lines:
            return tuple(lines if lines[-1] else lines[:-1])
    import linecache

    return tuple(line.rstrip("\n") for line in linecache.getlines(file))
