"""The order of sets is the same in every run: a check must find today what it found yesterday.

The seed of hashes is chosen when an interpreter starts, and every process of a check is forked from
the first. So that one starts again with a seed that is known, before it has done anything; unless
all it is to look at are small files that know no sets, for which that would be a fifth of the work.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pef.cli.table import settings_of
from pef.cli.words import read_plainly

_SEED = "PYTHONHASHSEED"
_SMALL = 20_000
_TELLING = frozenset({"set", "frozenset", "hash", "abstractset", "mutableset", "__hash__"})
"""Names in small letters."""


def fix_hashes(words: Sequence[str]) -> None:
    """Become a process whose hashes are not left to chance; a seed that the user chose stays.

    `words` are those of the command line.
    """
    is_chosen = sys.flags.ignore_environment or os.environ.get(_SEED)
    if is_chosen or not sys.flags.hash_randomization:
        return
    plainly = read_plainly(words, settings_of("check"))
    files = [] if plainly is None else [target.partition(":")[0] for target in plainly[0]]
    if files and all(map(_knows_no_sets, files)):
        return
    os.environ[_SEED] = "0"
    try:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except OSError:  # then it is as it was
        return


def _knows_no_sets(path: str) -> bool:
    """Whether nothing in a file, or in what it may import, has an order that depends on hashes."""
    import ast

    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_SMALL + 1)
        nodes = list(ast.walk(ast.parse(text)))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return False
    return len(text) <= _SMALL and not any(_tells_of_hashes(node) for node in nodes)


def _tells_of_hashes(node: object) -> bool:
    import ast

    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lower() in _TELLING
        case ast.BinOp(left=ast.Call(func=ast.Attribute(attr="keys" | "items"))):
            return True
        case ast.Import(names=names):
            return not all(_is_standard(each.name) for each in names)
        case ast.ImportFrom(module=module, level=level):
            return level > 0 or not _is_standard(module or "")
        case _:
            return False


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names
