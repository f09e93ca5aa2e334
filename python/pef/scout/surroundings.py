"""Words out of modules: what their top level mentions, reached or not.

Grammars and tables are built when a module is imported, by code that never runs again. Its
constants are read from the compiled module; nothing is imported, executed or written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from pef.scout.mining import constants_of, group_of_constants
from pef.scout.words import Group

_LARGEST_FILE = 400_000
_MOST_MODULES = 40


class _Reader(SourceFileLoader):
    """Reads code as the import system does, from its cache if it is there."""

    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Would write the cache; looking at a module must leave no trace."""


class Surroundings:
    """The modules near the functions reached, each read once."""

    def __init__(self, interest: Callable[[str], bool]) -> None:
        self._interest = interest
        self._seen: set[str] = set()

    def of(self, namespace: Mapping[str, object]) -> list[Group]:
        """The words of the module with this namespace, and of those it has names from."""
        found: list[Group] = []
        for name in (namespace.get("__name__"), *_neighbours(namespace)):
            if type(name) is not str or name in self._seen or len(self._seen) >= _MOST_MODULES:
                continue
            self._seen.add(name)
            found += self._read(name)
        return found

    def _read(self, name: str) -> Iterator[Group]:
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if type(file) is not str or not file.endswith(".py") or not self._interest(file):
            return
        try:
            reader = _Reader(name, file)
            if reader.path_stats(file)["size"] > _LARGEST_FILE:
                return
            code = reader.get_code(name)
        except (OSError, ImportError, SyntaxError, ValueError, EOFError):
            return
        if code is not None:
            top, functions = _split(code)
            yield group_of_constants(top)
            yield group_of_constants(functions)


def _split(code: CodeType) -> tuple[list[object], list[object]]:
    """The constants of the module's own code and class bodies; those of its functions."""
    top: list[object] = []
    functions: list[object] = []
    for constant in code.co_consts:
        if not isinstance(constant, CodeType):
            top.append(constant)
        elif _is_class_body(constant):
            inner, methods = _split(constant)
            top += inner
            functions += methods
        else:
            functions += constants_of(constant)
    return top, functions


def _is_class_body(code: CodeType) -> bool:
    return "__qualname__" in code.co_names and "__module__" in code.co_names


def _neighbours(namespace: Mapping[str, object]) -> Iterator[str]:
    for value in namespace.values():
        name = value.__name__ if type(value) is ModuleType else _home(value)
        if type(name) is str:
            yield name


def _home(value: object) -> object:
    """The module a class, function or object of a class comes from."""
    kind = type(value)
    if issubclass(kind, type):
        return type.__getattribute__(value, "__dict__").get("__module__")
    if kind.__name__ == "function":
        return getattr(value, "__module__", None)
    return vars(kind).get("__module__")
