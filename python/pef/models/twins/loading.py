"""Loads the Python version of a C module, rewritten and under a name of ours.

The code counts as ours, so that decisions in it belong to whoever called it. To rewrite a file of
thousands of lines takes longer than most checks: it is done once for all processes that are forked
afterwards, and the result lies beside the bytecode of this package for the next time. A process
that runs target code only reads it.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from pef import _native

_HERE = os.path.dirname(os.path.abspath(__file__))
_REWRITE = os.path.join(os.path.dirname(os.path.dirname(_HERE)), "rewrite")
_NAMED_BY_BYTES = 16


def load(
    file: str, name: str, c_module: str, edited: Callable[[str], str], given: dict[str, Any]
) -> dict[str, Any]:
    """The namespace of the file, executed as module `name` without its C module.

    `edited` changes the source first; `given` is in the namespace from the beginning.
    """
    import ast

    from pef.rewrite.compiling import nested_codes
    from pef.rewrite.sites import SiteIndex

    code = rewritten(file, name, edited)
    nowhere = SiteIndex(ast.Module([], []))  # nobody asks where in our code a decision is
    for each in nested_codes(code):
        _native.register_code(each, nowhere)
    namespace: dict[str, Any] = {"__name__": name, **given}
    fast = sys.modules.get(c_module)
    sys.modules[c_module] = None  # type: ignore[assignment]
    try:
        exec(code, namespace)
    finally:
        if fast is None:
            del sys.modules[c_module]
        else:
            sys.modules[c_module] = fast
    return namespace


_known: dict[str, CodeType] = {}
"""By the name of the module."""


def rewritten(
    file: str, name: str, edited: Callable[[str], str], *, is_kept: bool = False
) -> CodeType:
    """The code of the file; `is_kept`, it is written down unless it was."""
    if name not in _known:
        _known[name] = _made(file, name, edited, is_kept)
    return _known[name]


def _made(file: str, name: str, edited: Callable[[str], str], is_kept: bool) -> CodeType:
    from pef.rewrite.compiling import compile_file

    with open(file, encoding="utf-8") as stream:
        source = edited(stream.read())
    place = _place(name, source)
    try:
        with open(place, "rb") as file_kept:
            kept: CodeType = marshal.load(file_kept)
            return kept
    except (OSError, ValueError, EOFError, TypeError):
        code = compile_file(source, _filename(name)).code
    if is_kept and not sys.dont_write_bytecode:
        _keep(place, name, code)
    return code


def _filename(name: str) -> str:
    return os.path.join(_HERE, f"<{name}>")


def _place(name: str, source: str) -> str:
    """Where the code is kept: the name covers all it depends on."""
    from pef.checking.hashing import digest

    made_of = (sys.hexversion, sys.flags.optimize, _filename(name), source, *_stamps())
    named = digest(repr(made_of).encode("utf-8", "surrogatepass"))[:_NAMED_BY_BYTES].hex()
    return os.path.join(_folder(), f"{_beginning(name)}{named}.bin")


def _stamps() -> Iterable[tuple[str, int, int]]:
    """Names, times and sizes of the files that do the rewriting."""
    with os.scandir(_REWRITE) as entries:
        files = [entry for entry in entries if entry.name.endswith(".py")]
    for entry in sorted(files, key=lambda entry: entry.name):
        status = entry.stat()
        yield entry.name, status.st_mtime_ns, status.st_size


def _keep(place: str, name: str, code: CodeType) -> None:
    """Write it down in place of those that were made of something else."""
    beside = f"{place}.{os.getpid()}"
    try:
        for other in os.listdir(_folder()):
            if other.startswith(_beginning(name)):
                os.unlink(os.path.join(_folder(), other))
        with open(beside, "wb") as file:
            marshal.dump(code, file)
        os.replace(beside, place)
    except OSError:  # it will be slower, no more
        return


def _beginning(name: str) -> str:
    return f"rewritten.{name}.{sys.implementation.cache_tag}."


def _folder() -> str:
    return sys.pycache_prefix or os.path.join(_HERE, "__pycache__")
