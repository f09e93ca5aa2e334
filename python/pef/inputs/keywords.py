"""What a call may pass as `**kwargs`.

The names are the function's own: those it looks up by name are part of the input, each there or
not. Other names matter only to a function that looks at all of them; it is given some made-up ones,
and the names that were never tried stay open. A mapping that is merely passed on is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from pef import _native
from pef.contracts.source import locate
from pef.inputs.makers import Made, Maker
from pef.inputs.recipes import Leaf, Pairs
from pef.records import field, record

_LOOKUPS = frozenset({"get", "pop", "setdefault"})
_TYPED_BY_DEFAULT = (bool, int, float, str, bytes)


@record
class Uses:
    """How a function uses its `**kwargs`."""

    names: dict[str, type | None] = field(default_factory=dict)
    """Names it looks up; the type of the default, where there is one to tell by."""
    forwards: bool = False
    """Whether it passes all on to another call."""
    looks_at_all: bool = False
    """Whether it does something with it that depends on names it does not mention."""


def uses(function: Any, name: str) -> Uses:
    """How the function uses the parameter `**name`."""
    found = Uses()
    node = locate(function).node if isinstance(function, FunctionType) else None
    if node is None:
        found.looks_at_all = True
        return found
    parents = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id == name:
            _note(found, each, parents)
    return found


def _note(found: Uses, node: ast.Name, parents: dict[ast.AST, ast.AST]) -> None:
    parent = parents[node]
    if isinstance(parent, ast.keyword) and parent.arg is None:
        found.forwards = True
    elif isinstance(parent, ast.Subscript) and parent.value is node and _text(parent.slice):
        found.names.setdefault(_text(parent.slice), None)
    elif isinstance(parent, ast.Compare) and _is_membership(parent, node):
        found.names.setdefault(_text(parent.left), None)
    elif isinstance(parent, ast.Attribute) and parent.attr in _LOOKUPS:
        _note_method(found, parents[parent])
    else:
        found.looks_at_all = True


def _note_method(found: Uses, call: ast.AST) -> None:
    if not isinstance(call, ast.Call) or not call.args or not _text(call.args[0]):
        found.looks_at_all = True
        return
    default = call.args[1] if len(call.args) > 1 else None
    kind = type(default.value) if isinstance(default, ast.Constant) else None
    known = kind if kind in _TYPED_BY_DEFAULT else None
    name = _text(call.args[0])
    found.names[name] = found.names.get(name) or known


def _is_membership(compare: ast.Compare, node: ast.Name) -> bool:
    return (
        compare.comparators == [node]
        and isinstance(compare.ops[0], (ast.In, ast.NotIn))
        and bool(_text(compare.left))
    )


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@record(frozen=True)
class Keywords(Maker):
    """The named arguments that no parameter takes: `known` ones, and any number of `others`."""

    known: dict[str, Maker]
    others: Maker | None
    taken: frozenset[str]
    """The names of the parameters, which cannot be passed twice."""

    def make(self, name: str, level: int = 0) -> Made:
        value: dict[str, Any] = {}
        recipe = Pairs()

        def add(key: str, maker: Maker) -> None:
            value[key], part = maker.make(f"{name}[{key!r}]", level + 1)
            recipe.parts.append((Leaf(key), part))

        for key, maker in self.known.items():
            if not _native.choose_shape(f"{key!r} in {name}", 2, 1):
                add(key, maker)
        if self.others is not None:
            fresh = _fresh({*self.known, *self.taken})
            while _native.choose_shape(f"len({name})", 2, 1):
                add(next(fresh), self.others)
        return value, recipe


def _fresh(taken: set[str]) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        if f"key{number}" not in taken:
            yield f"key{number}"
