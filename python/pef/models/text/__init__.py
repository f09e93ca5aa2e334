"""Text: what `str` and `bytes` do with symbolic values, beyond what is native.

The native types (`SymStr`, `SymBytes`) compare, concatenate and index by themselves. Here is the
rest: models as functions over the operations of the term language (`terms`), made methods of the
types by `install()`, one room per subject, loaded when it is needed. What needs to know a character
or a length asks for it with a decision, in the name of the caller.

`slice_of`, `item_of`, `iterate` and `repeated` are called by the native types.
"""

from __future__ import annotations

import builtins
import sys

from pef import _native
from pef._native import SymStr
from pef.models import later
from pef.models.text.calling import attempted, publish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CALLED_BY_NATIVE_TYPES = {
    "item_of": "text.slicing:item_of",
    "iterate": "text.slicing:iterate",
    "repeated": "text.joining:repeated",
    "slice_of": "text.slicing:slice_of",
}

_CASES = ("capitalize", "lower", "swapcase", "title", "upper")
_QUESTIONS = ("alnum", "alpha", "ascii", "digit", "lower", "space", "title", "upper")

SHARED_METHODS: dict[str, str] = {
    **{name: f"text.casing:{name}" for name in _CASES},
    **{f"is{name}": f"text.predicates:is{name}" for name in _QUESTIONS},
    "center": "text.padding:center",
    "count": "text.searching:count",
    "endswith": "text.searching:endswith",
    "expandtabs": "text.replacing:expandtabs",
    "find": "text.searching:find",
    "index": "text.searching:find_or_fail",
    "join": "text.joining:join",
    "ljust": "text.padding:ljust",
    "lstrip": "text.trimming:lstrip",
    "partition": "text.splitting:partition",
    "removeprefix": "text.searching:removeprefix",
    "removesuffix": "text.searching:removesuffix",
    "replace": f"text.replacing:{'replace_named' if sys.version_info >= (3, 13) else 'replace'}",
    "rfind": "text.searching:rfind",
    "rindex": "text.searching:rfind_or_fail",
    "rjust": "text.padding:rjust",
    "rpartition": "text.splitting:rpartition",
    "rsplit": "text.splitting:rsplit",
    "rstrip": "text.trimming:rstrip",
    "split": "text.splitting:split",
    "splitlines": "text.splitting:splitlines",
    "startswith": "text.searching:startswith",
    "strip": "text.trimming:strip",
    "zfill": "text.padding:zfill",
}
"""Methods that `str` and `bytes` have in common."""

_METHODS: dict[str, str] = {
    **SHARED_METHODS,
    **{f"is{name}": f"text.predicates:is{name}" for name in ("decimal", "identifier", "numeric")},
    "casefold": "text.casing:casefold",
    "encode": "text.codecs:encode",
    "format": "text.fields:format_text",
    "format_map": "text.fields:format_map",
    "isprintable": "text.predicates:isprintable",
    "translate": "text.translating:translate",
}

_SPECIAL_METHODS: dict[str, str] = {
    "__add__": "text.dunders:added",
    "__contains__": "text.searching:contains",
    "__getitem__": "text.dunders:item",
    "__iter__": "text.slicing:iterate",
    "__len__": "text.terms:length",
    "__mul__": "text.dunders:multiplied",
    "__rmul__": "text.dunders:multiplied",
    **{f"__{name}__": f"text.dunders:{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge")},
}
_OF_SLOTS = ("__add__", "__contains__", "__len__", "__mul__", "__rmul__")
"""Those whose wrapper does something else than the operator even on symbolic text."""

_FUNCTIONS: dict[Any, str] = {
    **{each: f"text.formatting:{each.__name__}_of" for each in (hex, oct, bin)},
    chr: "text.characters:chr_of",
    ord: "text.characters:ord_of",
}


def __getattr__(name: str) -> Any:
    if name in _CALLED_BY_NATIVE_TYPES:
        globals()[name] = found = later.loaded(_CALLED_BY_NATIVE_TYPES[name])
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def install() -> None:
    """Attaches all models of `str`, and those of the functions between text and numbers."""
    for name, model in _METHODS.items():
        publish(str, SymStr, name, model)
    maketrans = attempted(str.maketrans, "text.translating:maketrans")
    _native.register_guarded(str.maketrans, maketrans)
    install_special_methods(str, SymStr)
    for maker in (builtins.list, builtins.tuple, builtins.reversed):
        model = f"text.sequences:{maker.__name__}_of"
        later.register(_native.register_guarded, maker, model)
    for callee, model in _FUNCTIONS.items():
        later.register(_native.register_model, callee, model)
    _install_formatting()


def install_special_methods(owner: type, native: type) -> None:
    """Registers the models for the plain type and the symbolic one."""
    for name, model in _SPECIAL_METHODS.items():
        real = vars(owner)[name]
        attempt = attempted(real, model)
        _native.register_guarded(real, attempt)
        if name in _OF_SLOTS and name in vars(native):
            _native.register_guarded(vars(native)[name], attempt)


def _install_formatting() -> None:
    _native.register_model(str, _native.model_str)
    _native.register_model(repr, _native.model_repr)
    _native.register_model(ascii, _native.model_ascii)
    _native.register_model(format, _native.model_format)
    native = (_native.SymInt, _native.SymBool, SymStr, _native.SymFloat)
    for kind in (int, str, float, *native):
        method = kind.__format__
        later.register(_native.register_guarded, method, "text.formatting:format_method")
    _native.register_transparent(str.__mod__)
