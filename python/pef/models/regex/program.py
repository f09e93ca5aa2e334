"""From the tree of a pattern to a program for the matcher.

A program is a tuple of instructions. Loops, atomic groups and look-around are single instructions
with programs of their own where CPython does not go back into them.
"""

from __future__ import annotations

from pef.models.regex.syntax import (
    Anchor,
    Atomic,
    Choice,
    Condition,
    Failure,
    Group,
    Look,
    Manner,
    Node,
    One,
    Reference,
    Repeat,
    Sequence,
)
from pef.records import record


@record(frozen=True)
class Split:
    """Goes on at `first`, and if that fails at `second`."""

    first: int
    second: int


@record(frozen=True)
class Jump:
    """Goes on elsewhere."""

    target: int


@record(frozen=True)
class Mark:
    """The start (even) or end (odd) of a group."""

    slot: int


@record(frozen=True)
class Run:
    """One character, repeated."""

    one: One
    least: int
    most: int | None
    manner: Manner


@record(frozen=True)
class Enter:
    """The start of a loop, whose `Until` is at `until`."""

    until: int


@record(frozen=True)
class Until:
    """The end of a loop: once more, or on."""

    body: int
    least: int
    most: int | None
    lazy: bool


@record(frozen=True)
class Inner:
    """A program of its own: look-around if `wanted` is given, else an atomic group."""

    program: Program
    back: int | None = None
    wanted: bool | None = None


@record(frozen=True)
class Possessive:
    """A repeat that is never gone back into."""

    program: Program
    least: int
    most: int | None


@record(frozen=True)
class Unless:
    """Goes on at `target` if a group has not matched."""

    group: int
    target: int


@record(frozen=True)
class Success:
    """The end of a program."""


Instruction = (
    One
    | Anchor
    | Reference
    | Failure
    | Split
    | Jump
    | Mark
    | Run
    | Enter
    | Until
    | Inner
    | Possessive
    | Unless
    | Success
)
Program = tuple[Instruction, ...]


def program_of(node: Node) -> Program:
    """The program that matches a node."""
    code: list[Instruction] = []
    _emit(node, code)
    code.append(Success())
    return tuple(code)


def _emit(node: Node, code: list[Instruction]) -> None:
    match node:
        case One() | Anchor() | Reference() | Failure():
            code.append(node)
        case Sequence(items):
            for item in items:
                _emit(item, code)
        case Choice(items):
            _emit_choice(items, code)
        case Group(index, body):
            code.append(Mark(2 * index - 2))
            _emit(body, code)
            code.append(Mark(2 * index - 1))
        case Repeat():
            _emit_repeat(node, code)
        case Atomic(body):
            code.append(Inner(program_of(body)))
        case Look(body, back, wanted):
            code.append(Inner(program_of(body), back, wanted))
        case Condition(group, yes, no):
            _emit_condition(group, yes, no, code)


def _reserve(code: list[Instruction]) -> int:
    """A place for an instruction that is known later."""
    code.append(Success())
    return len(code) - 1


def _emit_choice(items: tuple[Node, ...], code: list[Instruction]) -> None:
    ends = []
    for item in items[:-1]:
        split = _reserve(code)
        _emit(item, code)
        ends.append(_reserve(code))
        code[split] = Split(split + 1, len(code))
    _emit(items[-1], code)
    for end in ends:
        code[end] = Jump(len(code))


def _emit_repeat(node: Repeat, code: list[Instruction]) -> None:
    if isinstance(node.body, One):
        code.append(Run(node.body, node.least, node.most, node.manner))
    elif node.manner is Manner.POSSESSIVE:
        code.append(Possessive(program_of(node.body), node.least, node.most))
    else:
        enter = _reserve(code)
        _emit(node.body, code)
        code[enter] = Enter(len(code))
        code.append(Until(enter + 1, node.least, node.most, node.manner is Manner.LAZY))


def _emit_condition(group: int, yes: Node, no: Node, code: list[Instruction]) -> None:
    unless = _reserve(code)
    _emit(yes, code)
    end = _reserve(code)
    code[unless] = Unless(group, len(code))
    _emit(no, code)
    code[end] = Jump(len(code))
