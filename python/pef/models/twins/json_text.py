"""`json.dumps` and `json.loads` of symbolic values, by the standard library's own Python code.

The functions stay those of `json`; only a call with symbolic values goes to the twins, which are
the same files without their C parts. A class of the caller's own (`cls=`) brings those along, so
there the values are pinned.
"""

from __future__ import annotations

import functools
import json
import json.decoder
import json.encoder
import json.scanner
from types import SimpleNamespace
from typing import Any

from pef import _native
from pef.models.twins.loading import load


def dumps(obj: Any, *, cls: Any = None, **options: Any) -> Any:
    """`json.dumps`"""
    if cls is not None:
        return _native.guarded(json.dumps)(obj, cls=cls, **options)
    return _encoder()(**options).encode(obj)


def loads(s: Any, *, cls: Any = None, **options: Any) -> Any:
    """`json.loads`"""
    if cls is not None or not isinstance(s, str):
        return _native.guarded(json.loads)(s, cls=cls, **options)
    if _native.decide(_native.apply("starts_with", s, "\ufeff"), "domain"):
        problem = "Unexpected UTF-8 BOM (decode using utf-8-sig)"
        raise _native.__pef_sel__(json.JSONDecodeError)(problem, s, 0)
    return _decoder()(**options).decode(s)


@functools.cache
def _encoder() -> Any:
    return load(json.encoder.__file__, "json.encoder", "_json", _unchanged, {})["JSONEncoder"]


@functools.cache
def _decoder() -> Any:
    scanner = load(json.scanner.__file__, "json.scanner", "_json", _with_ascii_digits, {})
    given = {"scanner": SimpleNamespace(**scanner)}
    namespace = load(json.decoder.__file__, "json.decoder", "_json", _as_in_c, given)
    namespace["JSONDecodeError"] = json.JSONDecodeError
    return namespace["JSONDecoder"]


def _unchanged(source: str) -> str:
    return source


def _with_ascii_digits(source: str) -> str:
    """Numbers as the C code reads them, in all versions."""
    return source.replace(r"\d", "[0-9]")


def _as_in_c(source: str) -> str:
    """The decoder with the scanner that is given and the complaints of the C code."""
    for python, c in _DIFFERENCES.items():
        source = source.replace(python, c, 1)
    return source


_COMPLAINT = "{}\n                raise JSONDecodeError(msg, s, {})"
_DIFFERENCES = {
    "from json import scanner\n": "\n",
    _COMPLAINT.format('"Invalid control character {0!r} at".format(terminator)', "end"): (
        _COMPLAINT.format('"Invalid control character at"', "end - 1")
    ),
    _COMPLAINT.format(r'"Invalid \\escape: {0!r}".format(esc)', "end"): (
        _COMPLAINT.format(r'"Invalid \\escape"', "end - 1")
    ),
}
