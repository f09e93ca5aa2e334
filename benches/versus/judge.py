"""Decides whether a counterexample is true: plain Python makes the call and looks.

Runs in a process of its own, in which none of the tools was ever imported, with a time limit.
The tools print calls in their own ways; this is where those are made into arguments again.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from versus.contracts import Contract, Outcome, Subject, Verdict, subjects

_LIMIT = 20.0
_PACKAGES = Path(__file__).resolve().parent.parent

# Names that `repr` prints and a module need not have imported.
_PRELUDE = """
import array, collections, dataclasses, datetime, decimal, enum, fractions, functools, math, types
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
"""


@dataclass(frozen=True)
class Counterexample:
    """A call that a tool says fails: Python source, and where the tool says it happens."""

    call: str
    line: int | None = None
    setup: tuple[str, ...] = ()


def judge(file: Path, example: Counterexample) -> Outcome:
    """Put the counterexample to a fresh process."""
    question = json.dumps({"file": str(file), **asdict(example)})
    command = [sys.executable, "-I", "-c", _START, str(_PACKAGES)]
    try:
        answer = subprocess.run(
            command, input=question, capture_output=True, text=True, timeout=_LIMIT, cwd=file.parent
        )
    except subprocess.TimeoutExpired:
        return Outcome(Verdict.EXCLUDED, f"the call did not end in {_LIMIT:g} s")
    if answer.returncode != 0:
        last = answer.stderr.strip().splitlines()[-1:] or [f"exit code {answer.returncode}"]
        return Outcome(Verdict.EXCLUDED, f"could not be replayed: {last[0]}")
    verdict, why = json.loads(answer.stdout.splitlines()[-1])
    return Outcome(Verdict[verdict], why)


_START = """
import sys
sys.path.insert(0, sys.argv[1])
from versus.judge import answer
answer()
"""


def answer() -> None:
    """The judging process: a question on stdin, a verdict on stdout."""
    question = json.load(sys.stdin)
    file = Path(question["file"])
    example = Counterexample(question["call"], question["line"], tuple(question["setup"]))
    outcome = verdict_here(load(file), subjects(file.read_text("utf-8")), example)
    print(json.dumps([outcome.verdict.name, outcome.why]))


def load(file: Path) -> ModuleType:
    """Import the file as a module of its own name."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {file.name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def verdict_here(module: ModuleType, among: list[Subject], example: Counterexample) -> Outcome:
    """Evaluate the call's arguments and hold the call against the contract it belongs to."""
    call = ast.parse(example.call, mode="eval").body
    if not isinstance(call, ast.Call):
        return Outcome(Verdict.EXCLUDED, "not a call")
    subject = _subject_of(call, example.line, among)
    if subject is None:
        return Outcome(Verdict.ELSEWHERE, Verdict.ELSEWHERE.value)
    names = {module.__name__: module}
    exec(_PRELUDE, names)
    names.update(vars(module))
    for statement in example.setup:
        exec(statement, names)
    args, kwargs = _arguments(call, subject, names)
    return Contract(subject, module).check(*args, **kwargs)


def _subject_of(call: ast.Call, line: int | None, among: list[Subject]) -> Subject | None:
    """The contract a call belongs to: by its name, then by the line where it is said to fail."""
    last = ast.unparse(call.func).rpartition(".")[2]
    same = [subject for subject in among if subject.name.rpartition(".")[2] == last]
    if len(same) > 1 and line is not None:
        same = [s for s in same if s.first_line <= line <= s.last_line] or same
    return same[0] if same else None


def _arguments(
    call: ast.Call, subject: Subject, names: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The values of the arguments, the receiver of `Account(3).close()` first among them."""
    args = list(call.args)
    owner, _, _ = subject.name.rpartition(".")
    if isinstance(call.func, ast.Attribute) and owner:
        receiver = ast.unparse(call.func.value)
        if receiver != owner and not receiver.endswith("." + owner):
            args.insert(0, call.func.value)
    capture = ast.Call(ast.Name("__capture__", ast.Load()), args, call.keywords)
    expression = ast.fix_missing_locations(ast.Expression(capture))
    names["__capture__"] = lambda *args, **kwargs: (list(args), kwargs)
    captured: tuple[list[Any], dict[str, Any]] = eval(
        compile(expression, "<counterexample>", "eval"), names
    )
    return captured
