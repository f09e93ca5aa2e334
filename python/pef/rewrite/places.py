"""Where CPython reports an instruction, so that a helper call can take the very same place.

Tracebacks, carets, line tracing and `co_positions` are all derived from node positions. For
almost every expression the instruction that may fail carries the position of its node. The
exception is the attribute: in

    (queue
        .pop(key))

both the lookup and the method call are reported on the second line, where the name stands.
"""

from __future__ import annotations

import ast
from typing import TypeVar

from pef.records import NamedTuple
from pef.rewrite.shapes import method_of

_Node = TypeVar("_Node", bound=ast.expr | ast.stmt)


class Place(NamedTuple):
    """A source range as `ast` has it: lines from 1, columns from 0, in UTF-8 bytes."""

    line: int
    column: int
    end_line: int | None
    end_column: int | None

    def put(self, node: _Node) -> _Node:
        """Moves `node` (not its children) here."""
        node.lineno = self.line
        node.col_offset = self.column
        node.end_lineno = self.end_line
        node.end_col_offset = self.end_column
        return node


def place_of(node: ast.expr | ast.stmt | ast.pattern) -> Place:
    """The range of `node` in the source."""
    return Place(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def landing(node: ast.expr) -> Place:
    """The range CPython gives to the last instruction of `node`."""
    if isinstance(node, ast.Attribute):
        return _at_attribute(place_of(node), node)
    method = method_of(node)
    return place_of(node) if method is None else _at_attribute(place_of(node), method)


def takeoff(node: ast.expr) -> Place:
    """The range of the first instruction of `node`: that of its leftmost operand."""
    while True:
        match node:
            case ast.Attribute() | ast.Subscript() | ast.NamedExpr():
                node = node.value
            case ast.Call():
                node = node.func
            case ast.BinOp() | ast.Compare():
                node = node.left
            case ast.UnaryOp():
                node = node.operand
            case ast.BoolOp():
                node = node.values[0]
            case ast.IfExp():
                node = node.test
            case _:
                return place_of(node)


def _at_attribute(place: Place, attribute: ast.Attribute) -> Place:
    """`place`, but from the name of `attribute` on, if that stands on a line of its own."""
    line, column = attribute.end_lineno, attribute.end_col_offset
    if line is None or column is None or line == place.line:
        return place
    start = column - len(attribute.attr)
    return Place(line, max(start, 0), place.end_line, place.end_column)
