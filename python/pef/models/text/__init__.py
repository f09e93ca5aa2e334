"""Text: what `str` and `bytes` do with symbolic values, beyond what is native.

The native types (`SymStr`, `SymBytes`) compare, concatenate and index by themselves. Here is the
rest: models as functions over the operations of the term language (`terms`), made methods of the
types by `install()`, one room per subject. What needs to know a character or a length asks for it
with a decision, in the name of the caller.

`slice_of`, `item_of`, `iterate` and `repeated` are called by the native types.
"""

from __future__ import annotations

import sys

from pef import _native
from pef.models.text.calling import Model, attempted, publish
from pef.models.text.joining import repeated
from pef.models.text.slicing import item_of, iterate, slice_of

__all__ = ["install", "item_of", "iterate", "repeated", "shared_methods", "slice_of"]


def install() -> None:
    """Attaches all models of `str`."""
    from pef.models.text import casing, dunders, formatting, sequences, translating
    from pef.models.text.predicates import predicate

    methods: dict[str, Model] = {
        **shared_methods(),
        "casefold": casing.casefold,
        "isdecimal": predicate("isdecimal"),
        "isidentifier": predicate("isidentifier"),
        "isnumeric": predicate("isnumeric"),
        "isprintable": predicate("isprintable"),
        "translate": translating.translate,
    }
    for name, model in methods.items():
        publish(str, _native.SymStr, name, model)
    _native.register_guarded(str.maketrans, attempted(str.maketrans, translating.maketrans))
    dunders.install(str, _native.SymStr)
    sequences.install()
    formatting.install()


def shared_methods() -> dict[str, Model]:
    """Methods that `str` and `bytes` have in common, by name."""
    from pef.models.text import casing, joining, padding, replacing, searching, splitting, trimming
    from pef.models.text.predicates import predicate

    named_count = sys.version_info >= (3, 13)
    cases = ("capitalize", "lower", "swapcase", "title", "upper")
    questions = ("alnum", "alpha", "ascii", "digit", "lower", "space", "title", "upper")
    return {
        **{name: getattr(casing, name) for name in cases},
        **{f"is{name}": predicate(f"is{name}") for name in questions},
        "center": padding.center,
        "count": searching.count,
        "endswith": searching.endswith,
        "expandtabs": replacing.expandtabs,
        "find": searching.find,
        "index": searching.find_or_fail,
        "join": joining.join,
        "ljust": padding.ljust,
        "lstrip": trimming.lstrip,
        "partition": splitting.partition,
        "removeprefix": searching.removeprefix,
        "removesuffix": searching.removesuffix,
        "replace": replacing.replace_named if named_count else replacing.replace,
        "rfind": searching.rfind,
        "rindex": searching.rfind_or_fail,
        "rjust": padding.rjust,
        "rpartition": splitting.rpartition,
        "rsplit": splitting.rsplit,
        "rstrip": trimming.rstrip,
        "split": splitting.split,
        "splitlines": splitting.splitlines,
        "startswith": searching.startswith,
        "strip": trimming.strip,
        "zfill": padding.zfill,
    }
