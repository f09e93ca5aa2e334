"""The command: which cases, and the table of what they showed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pef.models.table import Operation, operations
from pef.selftest.comparing import Comparison, compare
from pef.selftest.programs import load_plain, load_rewritten, module_source, programs


class UnknownNameError(Exception):
    """A type or method that the table does not have."""


def run(names: Sequence[str], *, verbose: bool = False) -> int:
    """Compares the named operations (default: all); 1 if a model and CPython disagree."""
    chosen = select(names)
    seen = compare_all(chosen)
    for type_ in dict.fromkeys(operation.type for operation in chosen):
        of_type = [each for each in seen if each.program.operation.type == type_]
        _print_table(type_, of_type, verbose)
    mismatches = sum(len(each.mismatches) for each in seen)
    paths = sum(each.paths for each in seen)
    print(f"{len(seen)} cases, {paths} paths, {mismatches} mismatches")
    return 1 if mismatches else 0


def select(names: Sequence[str]) -> list[Operation]:
    """The rows of these types or `TYPE.METHOD`s that this Python has."""
    known = [each for each in operations() if each.since <= sys.version_info[:2]]
    if not names:
        return known
    chosen: list[Operation] = []
    for name in names:
        found = [each for each in known if name in (each.type, f"{each.type}.{each.name}")]
        if not found:
            types = ", ".join(dict.fromkeys(each.type for each in known))
            raise UnknownNameError(f"nothing to test is called '{name}' (types: {types})")
        chosen += [each for each in found if each not in chosen]
    return chosen


def compare_all(chosen: list[Operation]) -> list[Comparison]:
    """As `compare_rows`, with an engine of its own."""
    from pef.engine import Engine

    with Engine():
        return compare_rows(chosen)


def compare_rows(chosen: list[Operation]) -> list[Comparison]:
    """Explores and compares every case of these rows, inside a running engine."""
    made = programs(chosen)
    source = module_source(made)
    with tempfile.TemporaryDirectory(prefix="pef-selftest-") as directory:
        rewritten = load_rewritten(source, Path(directory))
        original = load_plain(source)
        return [compare(program, rewritten, original) for program in made]


def _print_table(type_: str, seen: list[Comparison], verbose: bool) -> None:
    print(f"{type_:<34} {'paths':>6} {'mismatches':>11}  treatment")
    groups: dict[Operation, list[Comparison]] = {}
    for each in seen:
        groups.setdefault(each.program.operation, []).append(each)
    for operation, cases in groups.items():
        paths = sum(each.paths for each in cases)
        mismatches = sum(len(each.mismatches) for each in cases)
        print(f"  {operation.name:<32} {paths:>6} {mismatches:>11}  {operation.treatment.value}")
        for each in cases:
            _print_case(each, verbose)
    print()


def _print_case(each: Comparison, verbose: bool) -> None:
    if not verbose and not each.mismatches:
        return
    title = each.program.case.replace("\n", "; ")
    print(f"    {title:<40} {each.paths} paths, {each.pins} pins")
    for mismatch in each.mismatches[:5]:
        print(f"      {mismatch}")
