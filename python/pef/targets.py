"""What a user names on the command line, found without running any of it.

`FILE:FUNC`, `FILE:Class.method` and `pkg.mod:func` become a `Target`. The file is parsed, so that a
misspelt name or a syntax error is reported before anything is imported; importing it is the
caller's business, and only then can `find` say what the name really is.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType, MethodType, ModuleType

from pef.records import record
from pef.replay.manner import getter, reveal


class TargetError(Exception):
    """A target that names no function; the text is one line for the user."""


@record(frozen=True)
class Target:
    """A function in a file, and the name under which Python would import that file."""

    path: str
    module_name: str
    qualname: str

    @property
    def root(self) -> str:
        """The directory to have on `sys.path` so that `module_name` can be imported."""
        folder, name = os.path.split(self.path)
        for _ in range(self.module_name.count(".") + (name == "__init__.py")):
            folder = os.path.dirname(folder)
        return folder


def resolve(text: str, search: Sequence[str] | None = None) -> Target:
    """The target a user means by `text`.

    `search` lists the directories in which dotted names are looked up; `sys.path` by default,
    after the current directory.
    """
    head, colon, qualname = text.rpartition(":")
    if not colon or not head or not qualname:
        raise TargetError(_no_function_named(text.rstrip(":"), search))
    path = source_file(head, search)
    shown = _shown(head, path)
    check_name(_parse(path, shown), qualname, shown)
    return Target(path, module_name(path), qualname)


def find(module: ModuleType, qualname: str) -> Callable[..., object]:
    """The function of that name in an imported module; for a property, the one that reads it."""
    shown = os.path.basename(module.__file__) if module.__file__ else module.__name__
    value: object = module
    try:
        for part in qualname.split("."):
            value = getattr(value, part)
    except AttributeError:
        raise TargetError(_miss(qualname, shown, _functions_of(module))) from None
    reads = getter(value)
    if reads is not None:
        return reads
    reveal(value, qualname)
    wrapped = getattr(value, "__wrapped__", value)
    if callable(value) and isinstance(wrapped, (FunctionType, MethodType)):
        return value
    if isinstance(value, type):
        raise TargetError(_is_a_class(qualname, shown, [f"{qualname}.METHOD"]))
    raise TargetError(f"'{qualname}' in {shown} is a {type(value).__name__}, not a Python function")


# Files


def source_file(head: str, search: Sequence[str] | None) -> str:
    """Return the file a user means by a path or a dotted name."""
    if os.path.isfile(head):
        return os.path.realpath(head)
    if os.path.isdir(head) and (_looks_like_path(head) or not _on_path(head, search)):
        example = os.path.normpath(os.path.join(head, "FILE.py"))
        raise TargetError(f"{head} is a directory; name a file in it: {example}:FUNC")
    if _looks_like_path(head) or not all(part.isidentifier() for part in head.split(".")):
        raise TargetError(f"no such file: {head}")
    found = _on_path(head, search)
    if found is None:
        raise TargetError(_no_module(head))
    return os.path.realpath(found)


def _looks_like_path(head: str) -> bool:
    return head.endswith(".py") or "/" in head or "\\" in head


def _on_path(dotted: str, search: Sequence[str] | None) -> str | None:
    """The source file of a module; importing its packages to find it would run their code."""
    relative = dotted.replace(".", os.sep)
    for directory in ["", *sys.path] if search is None else search:
        for candidate in (f"{relative}.py", os.path.join(relative, "__init__.py")):
            path = os.path.join(directory, candidate)
            if os.path.isfile(path):
                return path
    return None


def _no_module(head: str) -> str:
    if head in sys.builtin_module_names:
        return f"module '{head}' is not written in Python"
    return f"no such file or module: {head}"


def module_name(path: str) -> str:
    """Return the name under which Python would import a file."""
    package, name = os.path.split(path)
    parts = [] if name == "__init__.py" else [os.path.splitext(name)[0]]
    while os.path.isfile(os.path.join(package, "__init__.py")):
        package, name = os.path.split(package)
        parts.append(name)
    return ".".join(reversed(parts))


def shown_path(path: str) -> str:
    """Return a path relative to the current folder if it is inside of it."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def _shown(head: str, path: str) -> str:
    """The file as the user would type it."""
    return head if _looks_like_path(head) else shown_path(path)


def _parse(path: str, shown: str) -> ast.Module:
    import warnings

    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise TargetError(f"cannot read {shown}: {error.strerror}") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source, shown)
        except SyntaxError as error:
            place = f"{shown}:{error.lineno or 1}:{error.offset or 1}"
            raise TargetError(f"{place}: syntax error: {error.msg}") from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise TargetError(f"{shown}:1:1: cannot parse this file: {error}") from None


# Names


@record(frozen=True)
class _Names:
    """What a namespace shows without being run; `open_ended` if there may be more at run time."""

    functions: list[str]
    classes: dict[str, _Names]
    others: set[str]
    open_ended: bool


def _names(body: Iterable[ast.stmt], open_ended: bool) -> _Names:
    names = _Names([], {}, set(), open_ended)
    for node in _statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names.functions.append(node.name)
        elif isinstance(node, ast.ClassDef):
            inherits = bool(node.bases or node.keywords or node.decorator_list)
            names.classes[node.name] = _names(node.body, inherits)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.others.update(alias.asname or alias.name for alias in node.names)
        else:
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            names.others.update(n.id for n in stored if isinstance(n.ctx, ast.Store))
    return names


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement that runs in this namespace: those inside `if`, `try`, ... as well."""
    for node in body:
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, field, ()))
        for handler in getattr(node, "handlers", ()):
            yield from _statements(handler.body)
        for case in getattr(node, "cases", ()):
            yield from _statements(case.body)


def check_name(tree: ast.Module, qualname: str, shown: str) -> None:
    """Refuses what is certainly not a function; the rest is for `find` to see after import."""
    module = names = _names(tree.body, open_ended=False)
    *owners, last = qualname.split(".")
    for owner in owners:
        if owner not in names.classes:
            if names.open_ended or "*" in names.others or owner in names.others:
                return
            raise TargetError(_miss(qualname, shown, list(_qualnames(module))))
        names = names.classes[owner]
    if last in names.functions or last in names.others:
        return
    if last in names.classes:
        methods = [f"{qualname}.{each}" for each in names.classes[last].functions]
        raise TargetError(_is_a_class(qualname, shown, methods))
    if not names.open_ended and "*" not in names.others and "__getattr__" not in module.functions:
        raise TargetError(_miss(qualname, shown, list(_qualnames(module))))


def _qualnames(names: _Names, prefix: str = "") -> Iterator[str]:
    for function in names.functions:
        yield prefix + function
    for name, inner in names.classes.items():
        yield from _qualnames(inner, f"{prefix}{name}.")


def _functions_of(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if isinstance(value, FunctionType)]


# Messages


def _no_function_named(text: str, search: Sequence[str] | None) -> str:
    path = source_file(text, search) if text else None
    if path is None:
        return "name a function: FILE:FUNC"
    functions = _qualnames(_names(_parse(path, text).body, open_ended=False))
    example = next(functions, "FUNC")
    return f"no function named in '{text}'; write for example {text}:{example}"


def _miss(qualname: str, shown: str, functions: list[str]) -> str:
    message = f"no function '{qualname}' in {shown}"
    if not functions:
        return f"{message}; it defines none"
    from difflib import get_close_matches

    close = get_close_matches(qualname, functions, n=1)
    if close:
        return f"{message}; did you mean '{close[0]}'?"
    listed = ", ".join(functions[:5]) + (", ..." if len(functions) > 5 else "")
    return f"{message}; it has {listed}"


def _is_a_class(qualname: str, shown: str, methods: list[str]) -> str:
    message = f"'{qualname}' in {shown} is a class, not a function"
    return f"{message}; name a method: {methods[0]}" if methods else message
