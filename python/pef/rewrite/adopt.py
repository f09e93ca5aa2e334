"""Rewriting of functions that were loaded before PEF: in a notebook, a test, the standard library.

The function's file is compiled twice, plain and rewritten. The plain twin of the function is
recognised by being *equal* to the code it has now, which also proves that the file still says what
was loaded; the rewritten twin stands at the same place of the other tree. Assigning it to
`__code__` keeps the function's identity, closure, defaults and every reference to it.

Decided here: which code. Not decided here: whether a function is worth adopting.
"""

from __future__ import annotations
import __future__

import ast
import functools
from collections.abc import Callable, Container, Iterator
from types import CodeType, FunctionType

from pef.records import field, record
from pef.rewrite.compiling import CompiledFile, OnCode, compile_file, nested_codes
from pef.rewrite.depth import deep_recursion


@record(frozen=True)
class Refusal:
    """Why a function keeps its plain code."""

    reason: str


@record(frozen=True)
class _Twins:
    plain: CodeType
    rewritten: CodeType


@record
class _File:
    """A source file and the two versions of each function in it."""

    lines: list[str]
    compiled: CompiledFile
    twins: dict[tuple[str, int], list[_Twins]] = field(default_factory=dict)


_files: dict[tuple[str, str], _File | Refusal] = {}
"""By the name the code gives its file and the name it is read from."""


def rewrite_function(func: FunctionType, on_code: OnCode) -> CodeType | None:
    """Rewritten code that `func.__code__` can be set to; None if there is none (`why_plain`)."""
    found = _find(func)
    if isinstance(found, Refusal):
        return None
    twins, compiled = found
    for code in nested_codes(twins.rewritten):
        on_code(code, compiled.sites)
    return twins.rewritten


def why_plain(func: FunctionType) -> str | None:
    """Why `rewrite_function` has no code for `func`; None if it has."""
    found = _find(func)
    return found.reason if isinstance(found, Refusal) else None


class Adoptions:
    """The functions that run rewritten code for now, and what they ran before."""

    def __init__(
        self, on_code: OnCode, is_rewritten: Callable[[CodeType], bool] = lambda code: False
    ) -> None:
        self._on_code = on_code
        self._is_rewritten = is_rewritten
        self._originals: dict[FunctionType, CodeType] = {}
        self.refused: dict[FunctionType, str] = {}
        """Functions that stay plain, with the reason."""

    def adopt(self, func: FunctionType) -> bool:
        """Makes `func` run rewritten code; false if it has to stay plain."""
        if func in self._originals or self._is_rewritten(func.__code__):
            return True
        code = rewrite_function(func, self._on_code)
        if code is None:
            self.refused[func] = why_plain(func) or ""
            return False
        self._originals[func] = func.__code__
        func.__code__ = code
        return True

    def adopt_class(self, cls: type, but_for: Container[str] = ()) -> None:
        """Adopts what `cls` itself defines: methods, and functions inside its descriptors.

        Functions that come from one of the modules `but_for` stay as they are.
        """
        for attribute in list(vars(cls).values()):
            for func in _functions_of(attribute):
                if func.__globals__.get("__name__") not in but_for:
                    self.adopt(func)

    def restore(self) -> None:
        """Gives every function its own code back."""
        while self._originals:
            func, code = self._originals.popitem()
            func.__code__ = code

    def __len__(self) -> int:
        return len(self._originals)


def _functions_of(attribute: object) -> Iterator[FunctionType]:
    if isinstance(attribute, FunctionType):
        yield attribute
    elif isinstance(attribute, (staticmethod, classmethod)):
        yield from _functions_of(attribute.__func__)
    elif isinstance(attribute, property):
        for accessor in (attribute.fget, attribute.fset, attribute.fdel):
            yield from _functions_of(accessor)
    elif isinstance(attribute, functools.cached_property):
        yield from _functions_of(attribute.func)


def _find(func: FunctionType) -> tuple[_Twins, CompiledFile] | Refusal:
    code = func.__code__
    file = _file(func)
    if isinstance(file, Refusal):
        return file
    candidates = file.twins.get((code.co_name, code.co_firstlineno), [])
    fitting = [twins for twins in candidates if code in (twins.plain, twins.rewritten)]
    fitting = fitting or [
        twins
        for twins in candidates
        if _is_variant(code, twins.plain) or _is_made_elsewhere(code, twins.plain)
    ]
    if not fitting:
        return Refusal(f"{code.co_filename} does not contain the code of {func.__qualname__}")
    twins = fitting[0]
    if len(fitting) > 1 and any(other.plain != twins.plain for other in fitting):
        return Refusal(f"{func.__qualname__} cannot be told from another function on its line")
    if twins.rewritten.co_freevars != code.co_freevars:
        return Refusal(f"{func.__qualname__} closes over other variables than its source")
    return twins, file.compiled


def _is_variant(code: CodeType, plain: CodeType) -> bool:
    """Whether `code` is `plain` with its assert statements rewritten by pytest.

    The names pytest adds are no identifiers, so nobody else has them. Any other difference means
    that the file is not what was loaded.
    """
    parameters = plain.co_argcount + plain.co_kwonlyargcount
    return (
        any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames))
        and (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        == (plain.co_argcount, plain.co_posonlyargcount, plain.co_kwonlyargcount, plain.co_flags)
        and code.co_varnames[:parameters] == plain.co_varnames[:parameters]
        and _lines(code) == _lines(plain)
    )


_POSTPONED = __future__.annotations.compiler_flag


def _is_made_elsewhere(code: CodeType, plain: CodeType) -> bool:
    """Whether `code` is `plain`, compiled by a module with postponed annotations.

    `compile` passes the future statements of its caller on to generated code.
    """
    return bool(code.co_flags & _POSTPONED) and code == plain.replace(
        co_flags=plain.co_flags | _POSTPONED
    )


def _lines(code: CodeType) -> set[int | None]:
    return {line for _, _, line in code.co_lines()}


def _file(func: FunctionType) -> _File | Refusal:
    filename = func.__code__.co_filename
    origin = filename
    if filename.startswith("<frozen "):
        origin = str(func.__globals__.get("__file__", filename))
    import linecache

    lines = linecache.getlines(origin, func.__globals__)
    if not lines:
        return Refusal(f"there is no source for {filename}")
    known = _files.get((filename, origin))
    # linecache hands out the same list until it reads the file anew.
    if isinstance(known, _File) and known.lines is lines:
        return known
    file = _compile_twins(lines, filename)
    _files[filename, origin] = file
    return file


def _compile_twins(lines: list[str], filename: str) -> _File | Refusal:
    source = "".join(lines)
    try:
        with deep_recursion():
            plain = compile(ast.parse(source, filename), filename, "exec", dont_inherit=True)
        compiled = compile_file(source, filename)
    except (SyntaxError, ValueError, RecursionError) as error:
        return Refusal(f"{filename} does not compile: {error}")
    if compiled.plain_because is not None:
        return Refusal(compiled.plain_because)
    file = _File(lines, compiled)
    pairs = zip(nested_codes(plain), nested_codes(compiled.code), strict=True)
    for twins in (_Twins(*pair) for pair in pairs):
        key = (twins.plain.co_name, twins.plain.co_firstlineno)
        file.twins.setdefault(key, []).append(twins)
    return file
