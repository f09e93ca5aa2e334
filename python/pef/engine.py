"""Brings the native engine and rewritten code together.

Importing this module loads Z3 and `pef._native`, and changes nothing yet. `Engine` is what must be
in place while rewritten code runs: the slots of built-in types, the helpers in `builtins`, the
models, the way to adopt functions that were loaded plain. Explorations do not nest, so one engine
is active at a time.
"""

from __future__ import annotations

import builtins
import enum
import functools
import os
from types import CodeType, FunctionType, MethodType, ModuleType, TracebackType

from pef import _native, models
from pef.rewrite import names
from pef.rewrite.adopt import Adoptions
from pef.rewrite.probes import PROBE
from pef.rewrite.sites import SiteIndex

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_native.set_internal_prefix(_HERE)


class _IsTrue(type):
    def __instancecheck__(cls, subject: object) -> bool:
        return bool(_native.__pef_is__(subject, True))


class _IsFalse(type):
    def __instancecheck__(cls, subject: object) -> bool:
        return bool(_native.__pef_is__(subject, False))


class _True(metaclass=_IsTrue):
    """Stands for `True` in a `case`."""


class _False(metaclass=_IsFalse):
    """Stands for `False` in a `case`."""


def _settled(method: str, *value: object) -> object:
    """A special method that does not settle its own result, in one that does."""
    if not value:
        return functools.partial(_settled, method)
    (function,) = value
    if not isinstance(function, FunctionType):
        return function
    if function.__code__.co_name == method and _native.is_rewritten(function.__code__):
        return function

    @functools.wraps(function)
    def settling(self: object) -> object:
        return _native.__pef_plain__(method, function(self))

    return settling


_OURS: dict[str, object] = {names.TRUE: _True, names.FALSE: _False, names.SETTLED: _settled}


def install_helpers() -> None:
    """Makes the names that rewritten code refers to known to all modules."""
    for name in (*names.HELPERS, PROBE):
        setattr(builtins, name, _OURS.get(name) or getattr(_native, name))


def register(code: CodeType, sites: SiteIndex) -> None:
    """Tells the native engine that `code` is rewritten, and where its branches are."""
    _native.register_code(code, sites)


def _is_done(code: CodeType) -> bool:
    """Whether there is nothing to rewrite: it is done, or the code is our own."""
    return _native.is_rewritten(code) or code.co_filename.startswith(_HERE)


_active: list[Engine] = []


class Engine:
    """Everything rewritten code needs around it, for as long as the context lasts."""

    def __init__(self) -> None:
        self.adoptions = Adoptions(register, _is_done)

    def __enter__(self) -> Engine:
        _native.awaken()
        install_helpers()
        models.install()
        _active.append(self)
        _native.set_adopter(self.adopt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _active.remove(self)
        _native.set_adopter(_active[-1].adopt if _active else None)
        self.adoptions.restore()

    def adopt(self, callee: object) -> bool:
        """Rewrites a plain Python callable in place; false if it is not one or has no source."""
        if isinstance(callee, MethodType):
            callee = callee.__func__
        if isinstance(callee, FunctionType):
            if self.adoptions.adopt(callee):
                return True
            _native.mark_unadoptable(callee.__code__)
            return False
        if isinstance(callee, type):
            return self._adopt_class(callee)
        if any(
            isinstance(vars(base).get("__call__"), FunctionType) for base in type(callee).__mro__
        ):
            self._adopt_class(type(callee))
            return True
        return False

    def adopt_surroundings(self, module: ModuleType) -> None:
        """Adopts what a module has at hand: operators reach methods without asking anyone."""
        for name, value in list(vars(module).items()):
            if name in _OF_THE_IMPORT:
                continue
            if isinstance(value, FunctionType):
                if value.__globals__ is vars(module):
                    self.adoptions.adopt(value)
                continue
            cls = value if isinstance(value, type) else type(value)
            if cls.__flags__ & _HEAP_TYPE and not cls.__module__.startswith("pef."):
                for base in cls.__mro__[:-1]:
                    if issubclass(base, enum.Flag):
                        self.adoptions.adopt_class(base)
                    elif base.__module__ not in _SCAFFOLDING:
                        self.adoptions.adopt_class(base, but_for=_SCAFFOLDING)

    def _adopt_class(self, cls: type) -> bool:
        """Adopts what is written in Python in the hierarchy; also who makes the instances."""
        for base in cls.__mro__[:-1]:
            self.adoptions.adopt_class(base, but_for=_AROUND_GENERATED)
        metaclass: type = type(cls)
        makers = metaclass.__mro__[:-2]
        if any(isinstance(vars(base).get("__call__"), FunctionType) for base in makers):
            for base in makers:
                self.adoptions.adopt_class(base)
        return True


_OF_THE_IMPORT = ("__spec__", "__loader__", "__builtins__")
"""What every module has; importlib is written in Python, and large."""

_SCAFFOLDING = frozenset({"typing", "abc", "enum", "dataclasses", "__future__"})
"""Large modules whose classes hold no values of the program, or compute with none, and which put
functions of theirs into the classes they help to make. They are adopted when they are called, like
everything else. Flags compute."""

_AROUND_GENERATED = frozenset({"dataclasses", "reprlib"})
"""What these put into classes does nothing but call generated code, which has no source."""

_HEAP_TYPE = 1 << 9
"""The flag of classes made at run time, as all classes in Python are."""
