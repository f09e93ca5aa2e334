"""The functions of a module, seen in its syntax tree.

A subject is something `pef check` can call by name once the module is imported: a function, or a
method of a class, at any depth of classes. What lives inside a function does not exist before it
runs and is analysed as a part of it.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from pef.contracts.form import RESULT
from pef.records import record, replace

Kind = Literal["function", "method", "static", "class", "property"]
_Definition = ast.FunctionDef | ast.AsyncFunctionDef

_BINARY = (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow"),
    *("lshift", "rshift", "and", "or", "xor"),
)
_ANALYSED_SPECIALS = frozenset(
    f"__{name}__"
    for name in (
        *("init", "call"),
        *("eq", "ne", "lt", "le", "gt", "ge", "hash", "bool"),
        *(reflected + name for reflected in ("", "r", "i") for name in _BINARY),
        *("neg", "pos", "abs", "invert", "int", "float", "complex", "index"),
        *("round", "trunc", "floor", "ceil"),
        *("len", "length_hint", "getitem", "setitem", "delitem", "missing"),
        *("iter", "next", "reversed", "contains"),
    )
)
_PROPERTIES = frozenset({"property", "cached_property", "abstractproperty"})
_ABSTRACT = frozenset(
    {"abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"}
)
_CLAUSES = (
    *("pre:", "post:", "post[", "inv:"),
    *(":assume:", ":ensure:", ":ensures:", ":invariant:"),
)
_LIBRARIES = frozenset({"icontract", "deal"})


@record(frozen=True)
class Subject:
    """One function or method."""

    qualname: str
    line: int
    """Of the `def`."""
    end_line: int
    first_line: int
    """Of the first decorator, or of the `def`."""
    is_async: bool
    is_generator: bool
    kind: Kind
    decorators: tuple[str, ...]
    """Dotted names, without the arguments of a call."""
    passed_over: str = ""
    """Why it is analysed only if the user names it; empty if it is analysed anyway."""
    is_contracted: bool = False
    """Whether it seems to have a contract that says what should come out."""
    claims: bool = False
    """Whether it has that or asserts something."""
    untyped: str = ""
    """A parameter without a type, if there cannot be one: nobody needs to ask."""

    @property
    def span(self) -> tuple[int, int]:
        """First and last line, without decorators."""
        return self.line, self.end_line


def subjects(tree: ast.Module, source: str) -> list[Subject]:
    """Return every function of a module in the order of its lines.

    Of several definitions of one name the last one is listed, which is the one the module ends up
    with; setters and overloads do not hide the function they belong to.
    """
    found: dict[str, Subject] = {}
    unsure = _mentioned_outside(tree.body)
    yielding: list[int] = []
    asserting: list[int] = []
    for number, line in enumerate(source.split("\n"), 1):
        if "yield" in line:
            yielding.append(number)
        if "assert" in line:
            asserting.append(number)
    module = _Owner("", False, "", yielding, asserting, False)
    for each in _in_body(tree.body, module):
        known = found.get(each.qualname)
        if each.untyped and (known is not None or unsure & {each.qualname, "*"}):
            each = replace(each, untyped="")  # it may be another one by then
        if known is None or known.passed_over or not each.passed_over:
            found[each.qualname] = each
    return sorted(found.values(), key=lambda each: each.line)


@record(frozen=True)
class _Owner:
    """The class (or module) a statement stands in."""

    prefix: str
    is_class: bool
    passed_over: str
    yielding: Sequence[int]
    """The lines of the module with the word `yield`."""
    asserting: Sequence[int]
    """Those with the word `assert`."""
    is_contracted: bool
    """Whether it is a class with an invariant."""


def _in_body(body: Iterable[ast.stmt], owner: _Owner) -> Iterator[Subject]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield _subject(node, owner)
        elif isinstance(node, ast.ClassDef):
            yield from _in_body(node.body, _class(node, owner))
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            unseen = replace(owner, passed_over=owner.passed_over or "it exists for type checkers")
            yield from _in_body(node.body, unseen)
            yield from _in_body(node.orelse, owner)
        else:
            for inner in _blocks(node):
                yield from _in_body(inner, owner)


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        yield getattr(node, field, [])
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _class(node: ast.ClassDef, owner: _Owner) -> _Owner:
    bases = {_dotted(base).rpartition(".")[2] for base in node.bases}
    reason = owner.passed_over or ("its class is a protocol" if "Protocol" in bases else "")
    prefix = f"{owner.prefix}{node.name}."
    contracted = owner.is_contracted or _has_contract(node)
    return replace(
        owner, prefix=prefix, is_class=True, passed_over=reason, is_contracted=contracted
    )


def _subject(node: _Definition, owner: _Owner) -> Subject:
    decorators = tuple(_dotted(each) for each in node.decorator_list)
    names = {each.rpartition(".")[2] for each in decorators}
    contracted = owner.is_contracted or _has_contract(node)
    return Subject(
        qualname=owner.prefix + node.name,
        line=node.lineno,
        end_line=node.end_lineno or node.lineno,
        first_line=min([node.lineno, *(each.lineno for each in node.decorator_list)]),
        is_async=isinstance(node, ast.AsyncFunctionDef),
        is_generator=_yields(node, owner.yielding),
        kind=_kind(node.name, names, owner.is_class),
        decorators=decorators,
        passed_over=owner.passed_over or _reason_to_pass_over(node.name, names, decorators),
        is_contracted=contracted,
        claims=contracted or _has_line(node, owner.asserting),
        untyped="" if owner.is_class or decorators else _untyped(node, owner.asserting),
    )


def _untyped(node: _Definition, asserting: Sequence[int]) -> str:
    """A parameter of a function that says nothing of types anywhere, and has no default."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    variadic = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    all_ = [*positional, *arguments.kwonlyargs, *variadic]
    says_something = node.returns is not None or any(each.annotation for each in all_)
    if says_something or _has_line(node, asserting) or ast.get_docstring(node) is not None:
        return ""
    if any(each.arg == RESULT for each in all_):
        return ""  # there is something else to say of it
    given = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    without = [
        *positional[: len(positional) - len(arguments.defaults)],
        *(each for each, default in given if default is None),
    ]
    return without[0].arg if without else ""


def _mentioned_outside(body: Iterable[ast.stmt]) -> set[str]:
    """The names that are mentioned or imported in a module outside of functions and classes."""
    waiting: list[ast.AST] = [*body]
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            waiting.extend(node.decorator_list)  # which may do something to a function they get
        else:
            waiting.extend(ast.iter_child_nodes(node))
    return names


def _has_contract(node: _Definition | ast.ClassDef) -> bool:
    """Whether the docstring or a decorator looks like one; who reads contracts knows for sure."""
    if any(_dotted(each).partition(".")[0] in _LIBRARIES for each in node.decorator_list):
        return True
    first = node.body[0]
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        return False
    text = first.value.value
    return isinstance(text, str) and any(
        line.lstrip().startswith(_CLAUSES) for line in text.split("\n")
    )


def _has_line(node: _Definition, lines: Sequence[int]) -> bool:
    """Whether one of the lines, which are in order, belongs to a definition."""
    at = bisect_left(lines, node.lineno)
    return at < len(lines) and lines[at] <= (node.end_lineno or node.lineno)


def _kind(name: str, decorators: set[str], in_class: bool) -> Kind:
    if not in_class:
        return "function"
    if "staticmethod" in decorators:
        return "static"
    if "classmethod" in decorators or name in ("__init_subclass__", "__class_getitem__"):
        return "class"
    return "property" if decorators & _PROPERTIES else "method"


def _reason_to_pass_over(name: str, last_names: set[str], decorators: tuple[str, ...]) -> str:
    if "overload" in last_names:
        return "it is an overload"
    if last_names & _ABSTRACT:
        return "it is abstract"
    if any(each in (f"{name}.setter", f"{name}.deleter") for each in decorators):
        return "it is not the getter of its property"
    is_special = name.startswith("__") and name.endswith("__") and len(name) > 4
    if is_special and name not in _ANALYSED_SPECIALS:
        return "it is a special method"
    return ""


def _is_type_checking(test: ast.expr) -> bool:
    return _dotted(test).rpartition(".")[2] == "TYPE_CHECKING"


def _dotted(node: ast.expr) -> str:
    """Return `a.b` for `a.b`, `a.b(...)` and `a.b[...]`; nothing for other expressions."""
    if isinstance(node, ast.Call):
        return _dotted(node.func)
    if isinstance(node, ast.Subscript):
        return _dotted(node.value)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        value = _dotted(node.value)
        return f"{value}.{node.attr}" if value else ""
    return ""


def _yields(function: _Definition, lines: Sequence[int]) -> bool:
    """Whether the function itself contains a `yield`; `lines` are those with the word."""
    if not _has_line(function, lines):
        return False  # Looking through the tree takes longer than parsing it.
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
    return False
