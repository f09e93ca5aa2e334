"""Guesses the types of parameters from what the function does with them.

Only on request (`--guess-types`): a guess is not a promise of the author, and a function may never
be called with what looks possible. Strong hints (methods, constants it is compared with,
`isinstance`) decide; where there are none, an int and a str are tried.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import partial
from types import NoneType

from pef.contracts.form import TypeForm
from pef.contracts.subject import Reading, Subject

_AT_MOST = 3
_GENERAL: tuple[TypeForm, ...] = (int, str, list[int])
_CANDIDATES: tuple[TypeForm, ...] = (
    str,
    list[int],
    dict[str, int],
    set[int],
    int,
    float,
    bytes,
    list[str],
)
_TAKEN_BY: dict[str, tuple[TypeForm, ...]] = {
    "range": (int,),
    "chr": (int,),
    "hex": (int,),
    "bin": (int,),
    "abs": (int, float),
    "round": (float, int),
    "int": (str, int),
    "float": (str, float),
    "ord": (str,),
    "len": (str, list[int]),
    "sum": (list[int],),
    "sorted": (list[int], str),
    "min": (list[int],),
    "max": (list[int],),
    "any": (list[bool],),
    "all": (list[bool],),
    "set": (list[int], str),
    "list": (list[int], str),
    "tuple": (list[int], str),
    "dict": (dict[str, int],),
    "enumerate": (list[int], str),
    "zip": (list[int], str),
    "reversed": (list[int], str),
    "iter": (list[int], str),
}


def read(subject: Subject) -> Reading:
    """A guess for every parameter."""
    return Reading({name: partial(_guess, subject, name) for name in subject.parameters})


def _guess(subject: Subject, name: str) -> tuple[TypeForm, ...]:
    uses = _Uses(name, subject.function.__globals__)
    if subject.where.node is not None:
        uses.look_at(subject.where.node)
    return uses.conclusion()


class _Uses:
    """What is done with one name."""

    def __init__(self, name: str, namespace: dict[str, object]) -> None:
        self._name = name
        self._namespace = namespace
        self._attributes: set[str] = set()
        self._hints: dict[TypeForm, int] = {}
        """Types that fit some use, and how many."""

    def look_at(self, tree: ast.AST) -> None:
        """Gather hints from a function."""
        for node in ast.walk(tree):
            for form in self._hinted(node):
                self._hints[form] = self._hints.get(form, 0) + 1

    def conclusion(self) -> tuple[TypeForm, ...]:
        """The types to try, most likely first."""
        if self._attributes:
            fitting: list[TypeForm] = [each for each in self._classes() if self._has_all(each)]
            fitting += [form for form in _CANDIDATES if self._has_all(form)]
            if fitting:
                return tuple(fitting[:_AT_MOST])
        ordered = sorted(self._hints, key=lambda form: -self._hints[form])
        chosen = [form for form in ordered if form is not NoneType][:_AT_MOST] or [*_GENERAL]
        return tuple([*chosen, NoneType] if NoneType in self._hints else chosen)

    def _hinted(self, node: ast.AST) -> Iterator[TypeForm]:
        match node:
            case ast.Attribute(value=ast.Name(id=self._name), attr=attribute):
                self._attributes.add(attribute)
            case ast.BinOp(left=left, right=right, op=operator):
                yield from self._beside(left, right, isinstance(operator, ast.Mod))
            case ast.Compare(left=left, ops=operators, comparators=others):
                yield from self._compared(left, operators, others)
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=self._name), kinds]):
                yield from self._kinds(kinds)
            case ast.Call(func=ast.Name(id=called), args=args) if any(map(self._is_it, args)):
                yield from _TAKEN_BY.get(called, ())
            case ast.Subscript(value=ast.Name(id=self._name), slice=index):
                yield from _indexed_by(index)
            case (
                ast.For(iter=ast.Name(id=self._name))
                | ast.comprehension(iter=ast.Name(id=self._name))
            ):
                yield from (list[int], str)

    def _beside(self, left: ast.expr, right: ast.expr, is_modulo: bool) -> Iterator[TypeForm]:
        if self._is_it(left) or self._is_it(right):
            other = right if self._is_it(left) else left
            if is_modulo and not self._is_it(left):
                return  # text % value says nothing about the value
            yield from _constant_types(other) or (int,)

    def _compared(
        self, left: ast.expr, operators: list[ast.cmpop], others: list[ast.expr]
    ) -> Iterator[TypeForm]:
        for before, operator, after in zip([left, *others], operators, others, strict=False):
            if isinstance(operator, (ast.In, ast.NotIn)):
                if self._is_it(after):
                    yield from _containers_of(before)
                elif self._is_it(before) and isinstance(after, (ast.List, ast.Tuple, ast.Set)):
                    for item in after.elts:
                        yield from _constant_types(item)
                elif self._is_it(before):
                    yield from _constant_types(after)
            elif self._is_it(before) or self._is_it(after):
                yield from _constant_types(after if self._is_it(before) else before)

    def _kinds(self, kinds: ast.expr) -> Iterator[TypeForm]:
        for each in kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]:
            if isinstance(each, ast.Name):
                found = self._namespace.get(each.id, getattr(builtins, each.id, None))
                if isinstance(found, type):
                    generic: dict[type, TypeForm] = {list: list[int], dict: dict[str, int]}
                    yield generic.get(found, found)

    def _classes(self) -> Iterable[type]:
        """Classes the module knows, which may be what it works on."""
        return [
            value
            for value in self._namespace.values()
            if isinstance(value, type) and value.__module__ == self._namespace.get("__name__")
        ]

    def _has_all(self, form: TypeForm) -> bool:
        kind = getattr(form, "__origin__", form)
        known = {*dir(kind), *getattr(kind, "__annotations__", ()), *_set_in_constructor(kind)}
        return self._attributes <= known

    def _is_it(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self._name


def _constant_types(node: ast.expr) -> tuple[TypeForm, ...]:
    match node:
        case ast.Constant(value=None):
            return (NoneType,)
        case ast.Constant(value=bool()):
            return (bool,)
        case ast.Constant(value=int() | float() | str() | bytes() as value):
            return (type(value),)
        case ast.JoinedStr():
            return (str,)
        case ast.UnaryOp(operand=operand):
            return _constant_types(operand)
        case ast.List():
            return (list[int],)
        case ast.Dict():
            return (dict[str, int],)
    return ()


def _indexed_by(index: ast.expr) -> tuple[TypeForm, ...]:
    match index:
        case ast.Constant(value=str()):
            return (dict[str, int],)
        case ast.Constant(value=int()) | ast.Slice() | ast.UnaryOp():
            return (list[int], str)
    return (list[int], dict[str, int])


def _containers_of(item: ast.expr) -> tuple[TypeForm, ...]:
    if isinstance(item, ast.Constant) and isinstance(item.value, str):
        return str, dict[str, int], list[str]
    return list[int], dict[str, int]


def _set_in_constructor(kind: object) -> set[str]:
    """Attributes that instances get when they are made."""
    code = getattr(getattr(kind, "__init__", None), "__code__", None)
    return set(code.co_names) if code is not None else set()
