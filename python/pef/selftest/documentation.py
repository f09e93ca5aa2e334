"""`docs/models.md`, made from the table of operations."""

from __future__ import annotations

from itertools import groupby

from pef.models import policies
from pef.models.table import Operation, Treatment, operations

_HEAD = """\
# What is modelled

This page is made from `pef.models.table` (`python -m pef.selftest --write-docs`); `pef selftest`
explores every case in it and compares each path with CPython.

| treatment | meaning |
| --- | --- |
| modelled | the result is symbolic, nothing is asked |
| decided | what the operation needs to know is a decision; all answers are explored |
| pinned | the value is fixed to its concrete one and the path says so; others are tried last |
"""

_TITLES = {
    "int": "`int`",
    "bool": "`bool`",
    "builtins": "Built-in functions on ints",
    "operators": "Containers, syntax and other calls",
    "str": "`str`",
    "formatting": "Text from values, values from text",
    "bytes": "`bytes`",
    "bytearray": "`bytearray`",
    "memoryview": "`memoryview`",
    "binary": "Functions over bytes",
    "re": "`re`",
    "float": "`float`",
    "math": "`math`",
    "datetime": "`datetime`",
    "Decimal": "`decimal`",
    "list": "`list`",
    "tuple": "`tuple`",
    "dict": "`dict`",
    "set": "`set`",
    "frozenset": "`frozenset`",
    "deque": "`collections.deque`",
    "defaultdict": "`collections.defaultdict`",
    "Counter": "`collections.Counter`",
    "OrderedDict": "`collections.OrderedDict`",
    "itertools": "`itertools`",
    "functools": "`functools`",
    "operator": "`operator`",
    "heapq": "`heapq`",
    "bisect": "`bisect`",
    "copy": "`copy`",
    "json": "`json`",
}

_MOST_EXAMPLES = 4


def text() -> str:
    """The whole page."""
    parts = [_HEAD]
    for type_, rows in groupby(operations(), key=lambda operation: operation.type):
        parts.append(f"## {_TITLES[type_]}\n")
        parts.append("| operation | treatment | examples | why |\n| --- | --- | --- | --- |")
        parts.append("\n".join(map(_row, rows)) + "\n")
    parts.append(_calls())
    return "\n".join(parts)


def _row(operation: Operation) -> str:
    examples = ", ".join(map(_code, operation.cases[:_MOST_EXAMPLES]))
    cells = (_code(operation.name), operation.treatment.value, examples, _why(operation))
    return "| " + " | ".join(cells) + " |"


def _why(operation: Operation) -> str:
    if operation.treatment is Treatment.DECIDED:
        return f"asks {operation.reason}"
    return operation.reason


def _code(source: str) -> str:
    line = source.replace("\n", "; ").replace("|", "\\|")
    return f"`{line}`"


def _calls() -> str:
    """The C callables that take symbolic values as they are."""
    lines = [
        "## C functions that lose nothing\n",
        "These store their arguments or reach them through operations above. *Italic* ones read",
        "some of their parameters, which are pinned; every C function that is not on this page",
        "pins all its symbolic arguments.\n",
    ]
    owners = dict.fromkeys([*policies.TRANSPARENT, *policies.TREATED])
    for owner in owners:
        plain = [(name, f"`{name}`") for name in policies.TRANSPARENT.get(owner, "").split()]
        read = [(name, f"*`{name}`*") for name in policies.TREATED.get(owner, {})]
        names = ", ".join(shown for _, shown in sorted(plain + read))
        lines.append(f"- `{owner.lstrip('_')}`: {names}")
    return "\n".join(lines) + "\n"
