"""What the runs of a function may leave behind for each other: then a tree of paths is no proof.

Iterators, streams and objects of libraries are not put back between two runs. Which global
variables lead to one, the engine knows. Whether a function can get there is found by names: those
its code mentions, and the code of everything that has such a name. That is too much, never too
little, unless a name is made up at run time. What libraries keep for everybody is only looked at,
before the first run and after the last.
"""

from __future__ import annotations

import gc
import sys
from _abc import _get_dump  # type: ignore[import-not-found]
from abc import ABCMeta
from collections.abc import Iterable, Iterator
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

_NAMED_AT_MOST = 3


class Settings:
    """What programs change in the interpreter and in libraries: it is compared, not put back."""

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        own = list(modules)
        values = [value for module in own for value in vars(module).values()]
        libraries = {id(each): each for each in values if isinstance(each, ModuleType)}
        for each in (sys, *own):
            libraries.pop(id(each), None)
        self._libraries = list(libraries.values())
        self._abstract = [each for each in values if isinstance(each, ABCMeta)]
        names = {module.__name__ for module in own}
        classes = [each for each in values if isinstance(each, type) and each.__module__ in names]
        self._subclasses: list[tuple[type, list[type]]]
        self._subclasses = [(each, type.__subclasses__(each)) for each in classes]
        self._empty: dict[str, set[str]] = {}
        """Names of what is made when it is first needed."""
        self._before: dict[str, object] = {}
        self._before = dict(self._now())

    def changed(self) -> list[str]:
        """Say what runs have changed for those that followed."""
        now = dict(self._now())
        different = [name for name, value in self._before.items() if now.get(name) != value]
        return [f"runs change {name}, which is not put back" for name in different]

    def has_new_classes(self) -> bool:
        """Whether runs have made classes that are derived from others."""
        return any(type.__subclasses__(each) != before for each, before in self._subclasses)

    def _now(self) -> Iterator[tuple[str, object]]:
        yield "sys.path", list(sys.path)
        yield "the recursion limit", sys.getrecursionlimit()
        yield "how garbage is collected", (gc.isenabled(), gc.get_threshold())
        for each in self._abstract:
            yield f"what is registered with {each.__name__}", _get_dump(each)[0]
        for library in self._libraries:
            yield f"module {library.__name__}", dict(self._public(library))
        for name, look in _LIBRARIES.items():
            if name in sys.modules:
                yield name, look(sys.modules[name])

    def _public(self, library: ModuleType) -> Iterator[tuple[str, int]]:
        """What a module has to show; submodules arrive, and what is private or empty is filled."""
        empty = self._empty.setdefault(library.__name__, set())
        for name, value in vars(library).items():
            if value is None and not self._before:
                empty.add(name)
            if name not in empty and not name.startswith("_") and type(value) is not ModuleType:
                yield name, id(value)


def _loggers(logging: Any) -> object:
    """Those that are not as a new one is."""
    found = {}
    for each in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(each, logging.Logger):
            kept = (list(each.handlers), list(each.filters))
            found[each.name] = (each.level, each.disabled, not each.propagate, *kept)
    return {name: settings for name, settings in found.items() if any(settings)}


def _precision(context: Any) -> object:
    """What a context says of numbers; its flags only tell what has happened."""
    limits = (context.prec, context.Emin, context.Emax, context.capitals, context.clamp)
    return (*limits, context.rounding, dict(context.traps))


_LIBRARIES: dict[str, Any] = {
    "copyreg": lambda library: dict(library.dispatch_table),
    "decimal": lambda library: _precision(library.getcontext()),
    "logging": _loggers,
    "warnings": lambda library: list(library.filters),
}
"""Those of the standard library that keep settings for everybody, with what they are."""


def left_behind(
    leaks: Iterable[tuple[str | None, str]], function: object, modules: Iterable[ModuleType]
) -> list[str]:
    """Say of what a function can reach that it cannot be put back, by variable."""
    found = list(leaks)
    reached = _reached(function, _Definitions(modules)) if found else set()
    told = [
        f"{name or 'some variables'}: runs may change {kind}, which cannot be put back"
        for name, kind in found
        if name is None or name in reached
    ]
    return told[:_NAMED_AT_MOST]


class _Definitions:
    """What has a name in some modules: their globals, and the attributes of their classes."""

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        self.by_name: dict[str, list[object]] = {}
        self._homes = {module.__name__: module for module in modules}
        for module in self._homes.values():
            for name, value in list(vars(module).items()):
                self._add(name, value)
                if self.is_class(value):
                    for attribute, member in list(vars(value).items()):
                        self._add(attribute, member)

    def _add(self, name: str, value: object) -> None:
        self.by_name.setdefault(name, []).append(value)

    def is_class(self, value: object) -> bool:
        """Whether this is a class of the modules."""
        return isinstance(value, type) and value.__module__ in self._homes


def _reached(function: object, definitions: _Definitions) -> set[str]:
    """The names of all that calling a function may use; operators call methods without a name."""
    operators = [name for name in definitions.by_name if name.startswith("__")]
    names: set[str] = {getattr(function, "__qualname__", "").partition(".")[0]}
    from pef.checking.mentions import names_of_code

    todo = [function, *(each for name in operators for each in definitions.by_name[name])]
    seen: set[int] = set()
    while todo:
        value = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        todo += _inside(value, definitions)
        if isinstance(value, CodeType):
            for name in names_of_code(value):
                if name not in names:
                    names.add(name)
                    todo += definitions.by_name.get(name, ())
    return names


def _inside(value: object, definitions: _Definitions) -> Iterator[object]:
    """The code of a value, and what it may lead to."""
    if isinstance(value, FunctionType):
        yield value.__code__
        for cell in value.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:  # not bound yet
                continue
    elif isinstance(value, (MethodType, staticmethod, classmethod)):
        yield value.__func__
    elif isinstance(value, property):
        yield from (value.fget, value.fset, value.fdel)
    elif isinstance(value, partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif definitions.is_class(value):
        yield from (member for each in value.__mro__ for member in vars(each).values())  # type: ignore[attr-defined]
    elif definitions.is_class(type(value)):
        yield type(value)
    yield getattr(value, "__wrapped__", None)
