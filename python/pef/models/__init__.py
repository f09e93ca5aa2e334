"""Models: what rewritten code calls in place of C functions that would lose symbolic values.

`install()` fills the native registry. The policies are data (`policies`); a model in Python stands
in its own module, by subject (`numbers`, `ranges`, `printing`); `int`, `bool`, `type`, `hash` and
`chr` are native. Frames of this package are never the site of a decision: what a model asks counts
as asked by its caller.

What stays out: how a value behaves in an operator (native `values/`), and how a model is told from
the truth (`pef.selftest`).
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from importlib import import_module
from types import ModuleType

from pef import _native
from pef.models import binary, containers, floats, later, policies, regex, text, twins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OF_MODULES: dict[str, tuple[str, ...]] = {
    "binascii": ("binary.hexadecimal", "binary.base64", "binary.checksums"),
    "zlib": ("binary.checksums",),
    "_datetime": ("twins.dates",),
    "_decimal": ("twins.decimals",),
}
"""Rooms about what a module has; they are installed when that module is there."""
_LEADING_TO = {
    "base64": "binascii",
    "binascii": "binascii",
    "datetime": "_datetime",
    "decimal": "_decimal",
    "gzip": "zlib",
    "zlib": "zlib",
}
"""By what a program mentions that may import one of them in the midst of a run."""

_installed: set[str] = set()


def install(words: Collection[str] = ()) -> None:
    """Fills the registry, once per process; what the modules have that were loaded since is added.

    `words` are those of the target: what it is going to call had better be there.
    """
    if not _installed:
        _installed.add("builtins")
        _install_all()
    for mentioned, module in _LEADING_TO.items():
        if mentioned in words:
            _module(module)
    for module, rooms in _OF_MODULES.items():
        for room in rooms if module in sys.modules else ():
            if room not in _installed:
                _installed.add(room)
                import_module(f"pef.models.{room}").install()
    later.preload(words)


def _install_all() -> None:
    for owner, names in policies.TRANSPARENT.items():
        for callee in _members(owner, names):
            _native.register_transparent(callee)
    for owner, treated in policies.TREATED.items():
        for name, treatments in treated.items():
            for callee in _members(owner, name):
                _native.register_treated(callee, treatments)
    for owner, names in policies.LAZY.items():
        for kind in _members(owner, names):
            _native.register_lazy(kind)
    _register_iterators()
    _register_models()
    for room in (text, binary, regex, floats, containers, twins):
        room.install()
    _register_callable_objects()


def _members(owner: str, names: str) -> list[Any]:
    """The named attributes, without those this version does not have."""
    module, _, kind = owner.partition(".")
    holder: Any = _module(module)
    if kind:
        holder = getattr(holder, kind, None)
    found = (_member(holder, name) for name in names.split())
    return [member for member in found if member is not None]


def _member(holder: Any, name: str) -> Any:
    """Methods as their type defines them, not as bound to something."""
    if isinstance(holder, type):
        return vars(holder).get(name)
    return getattr(holder, name, None)


def _module(name: str) -> ModuleType | None:
    try:
        return sys.modules.get(name) or __import__(name)
    except ImportError:
        return None


class SequenceLike:
    """What can be gone through though nobody has said how."""

    def __getitem__(self, index: int) -> object:
        raise IndexError


def _register_iterators() -> None:
    from collections import deque

    _native.register_sequence(deque)
    views: list[Any] = [{}.keys(), {}.values(), {}.items()]
    iterators: list[Any] = [iter([]), iter(()), reversed([]), *(iter(view) for view in views)]
    # They ask Python code for each item.
    iterators += [iter(list, None), iter(SequenceLike())]
    for example in views + iterators:
        _native.register_lazy(type(example))


def _register_models() -> None:
    import builtins
    import itertools
    import operator

    native: list[tuple[Any, Any]] = [
        (builtins.int, _native.model_int),
        (builtins.bool, _native.model_bool),
        (builtins.type, _native.model_type),
        (builtins.hash, _native.model_hash),
        (builtins.len, _native.model_len),
        (operator.not_, _native.__pef_not__),
    ]
    for callee, model in native:
        _native.register_model(callee, model)
    replaced: list[tuple[Any, str]] = [
        (builtins.type.__call__, "syntax:make_instance"),
        (builtins.iter, "syntax:iter_model"),
        (builtins.range, "ranges:range_model"),
        (builtins.enumerate, "numbers:enumerate_model"),
        (builtins.print, "printing:print_model"),
        (itertools.count, "numbers:count_model"),
        (operator.index, "numbers:index_model"),
        (operator.contains, "syntax:contains"),
        (operator.getitem, "syntax:getitem"),
        (operator.is_, "syntax:is_"),
        (operator.is_not, "syntax:is_not"),
    ]
    for callee, name in replaced:
        later.register(_native.register_model, callee, name)
    later.register(_native.register_guarded, builtins.getattr, "attributes:attribute")
    later.register(_native.register_guarded, builtins.hasattr, "attributes:has_attribute")


def _register_callable_objects() -> None:
    import functools
    import operator

    _native.register_instances(operator.attrgetter)
    _native.register_instances(type(functools.cmp_to_key(_native.__pef_is__)))
    _native.register_instances(functools.partial, _partial)
    wrapper = type(functools.lru_cache(_native.concrete))
    _native.register_instances(wrapper, _cached)


def _partial(callee: Any) -> Any:
    """A `functools.partial` of what is called instead of its function."""
    function = _native.__pef_sel__(callee.func)
    if function is callee.func:
        return callee
    return type(callee)(function, *callee.args, **callee.keywords)


def _cached(callee: Any) -> Any:
    """A function with a cache, which would hash the arguments."""
    from pef.models.containers.caches import cached

    return cached(callee)
