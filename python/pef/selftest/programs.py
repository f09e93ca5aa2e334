"""From the table to source text: one module of functions, loaded rewritten and plain."""

from __future__ import annotations

import ast
import itertools
import math
import random
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from pef.models.table import Operation, Treatment
from pef.records import record

_TYPES = {
    **dict.fromkeys("xyz", "int"),
    **dict.fromkeys("pq", "bool"),
    **dict.fromkeys("st", "str"),
    **dict.fromkeys("bc", "bytes"),
    **dict.fromkeys("fg", "float"),
}

_numbers = itertools.count()

_BOUNDARIES = (
    *(0, 1, -1, 2, -2, 3, 7, -7, 8, 255, 256, -5),
    *(2**30 - 1, 2**30, -(2**30), 2**31 - 1, 2**31, -(2**31), 2**32),
    *(2**60, 2**61 - 1, -(2**61 - 1), 2**61, 2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1),
    *(2**64 - 1, 2**64, 10**20, -(10**20), 2**100 + 1),
)

_FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 0.1, 0.3, 1e-20, 1e16, -1e16, 1e22, 123.456),
    *(2.0**53, 2.0**53 + 2, 1e300, -1e308, 5e-324, 2.2250738585072014e-308),
    *(math.inf, -math.inf, math.nan, 3.999999999999999, 1 / 3),
)

_PIECES = (
    *("", "a", "b", "ab", "aB", "Z", "0", "12", "-7", " ", "  ", "\t", "\n", "\r\n", "-", "="),
    *(",", ";"),
    *(".", "%", "{", "}", "'", '"', "\\", "\0", "\x1f", "\x85", "\xa0", "\xdf", "\xe9", "\u0130"),
    *("\u0660", "\u03a3", "\u2028", "\u2460", "\ufb01", "\U0001d7d8", "\U0001f600", "\ud800", "_"),
)


@record(frozen=True)
class Program:
    """One case of the table as functions of a module."""

    operation: Operation
    case: str
    name: str
    parameters: tuple[str, ...]
    source: str

    @property
    def signature(self) -> str:
        """The annotated parameters."""
        return ", ".join(f"{name}: {_TYPES[name]}" for name in self.parameters)


def programs(chosen: list[Operation]) -> list[Program]:
    """A program for each case, with a function name of its own."""
    made: list[Program] = []
    for operation in chosen:
        for case in operation.cases:
            suite = case if _is_suite(case) else f"return {case}"
            names = {node.id for node in ast.walk(ast.parse(suite)) if isinstance(node, ast.Name)}
            parameters = tuple(name for name in _TYPES if name in names)
            made.append(Program(operation, case, f"case_{len(made)}", parameters, suite))
    return made


def _is_suite(case: str) -> bool:
    return "\n" in case or case.startswith("return ")


def module_source(made: list[Program]) -> str:
    """The module with all programs, each explored freely and at given inputs."""
    return "\n\n".join(text for program in made for text in _functions(program))


def _functions(program: Program) -> Iterator[str]:
    body = textwrap.indent(program.source, "    ")
    yield f"def {program.name}({program.signature}):\n{body}\n"
    yield f"def {program.name}_at({program.signature}):\n{_at_samples(program)}\n"


def _at_samples(program: Program) -> str:
    """The case behind a test for each sample input."""
    lines = []
    body = textwrap.indent(program.source, "        ")
    for sample in samples(program):
        pairs = zip(program.parameters, sample, strict=True)
        tests = " and ".join(_test(name, value) for name, value in pairs)
        lines.append(f"    if {tests or 'True'}:\n{body}")
    return "\n".join(lines)


def _test(name: str, value: object) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    if isinstance(value, float):
        if math.isnan(value):
            return f"{name} != {name}"
        if value == 0.0:
            sign = "<" if math.copysign(1.0, value) < 0 else ">"
            return f"{name} == 0.0 and __import__('math').copysign(1.0, {name}) {sign} 0"
        if math.isinf(value):
            return f"{name} == float('{value}')"
    return f"{name} == {value!r}"


def samples(program: Program) -> list[tuple[object, ...]]:
    """Inputs at boundaries and at random; the same for the same case."""
    source = random.Random(program.case)
    count = 6 if program.operation.treatment is Treatment.PINNED else 12
    drawn = [tuple(_draw(source, name) for name in program.parameters) for _ in range(count)]
    return list({repr(sample): sample for sample in drawn}.values())


def _draw(source: random.Random, name: str) -> object:
    match _TYPES[name]:
        case "bool":
            return source.random() < 0.5
        case "int":
            return _draw_int(source)
        case "float":
            return _draw_float(source)
        case "str":
            return _draw_str(source)
        case _:
            return _draw_str(source).encode("utf-8", "surrogatepass")[: source.randrange(12)]


def _draw_int(source: random.Random) -> int:
    if source.random() < 0.6:
        return source.choice(_BOUNDARIES)
    bits = source.choice((4, 8, 31, 64, 90))
    return source.getrandbits(bits) * source.choice((1, -1))


def _draw_float(source: random.Random) -> float:
    if source.random() < 0.6:
        return source.choice(_FLOATS)
    return source.choice((1, -1)) * source.random() * 10.0 ** source.randrange(-20, 20)


def _draw_str(source: random.Random) -> str:
    return "".join(source.choices(_PIECES, k=source.randrange(6)))


def load_plain(source: str) -> dict[str, Callable[..., object]]:
    """The module as CPython runs it."""
    namespace: dict[str, Callable[..., object]] = {}
    exec(compile(source, "<pef selftest>", "exec", dont_inherit=True), namespace)
    return namespace


def load_rewritten(source: str, directory: Path) -> ModuleType:
    """The module as a target: rewritten by the import hook, and forgotten by `sys.modules`."""
    from pef import engine
    from pef.rewrite.loader import Rewriter

    path = directory / f"pef_selftest_{next(_numbers)}.py"
    path.write_text(source, encoding="utf-8")
    with Rewriter([directory], engine.register) as rewriter:
        module = rewriter.load_file(path)
    sys.modules.pop(module.__name__, None)
    return module
