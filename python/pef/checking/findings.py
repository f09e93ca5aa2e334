"""What a replayed suspicion showed, as a finding; and what is the same finding twice."""

from __future__ import annotations

import ast
import builtins
import functools
import json
import keyword
import os
from collections.abc import Iterable, Sequence
from typing import Any

from pef.checking.codes import Code, code_of, named
from pef.checking.hashing import hex_digest
from pef.checking.job import Suspicion
from pef.checking.judge import is_error
from pef.isolation.attempts import Refusal
from pef.records import NamedTuple
from pef.replay.client import Outcome
from pef.replay.manner import Manner, imports, written
from pef.sources import lines_of

Finding = dict[str, Any]
"""An element of `findings` in `docs/check.schema.json`."""


class Subject(NamedTuple):
    """The function a finding is about, as the user would name it."""

    module: str
    qualname: str
    file: str
    line: int

    @property
    def name(self) -> str:
        """`module:qualified.name`."""
        return f"{self.module}:{self.qualname}"


def finding(
    subject: Subject,
    suspicion: Suspicion,
    outcome: Outcome,
    all_exceptions: bool,
    refused: Sequence[Refusal] | None = None,
) -> Finding | None:
    """What plain CPython confirmed; None if that is no error.

    `refused` is what the kernel did not let the call do; None if that is not known.
    """
    evidence = json.loads(outcome.exception.evidence) if outcome.exception else {}
    clause = json.loads(outcome.clause) if outcome.clause else None
    if suspicion["contract"] is not None and clause is None:
        return None  # plain CPython kept the contract
    if clause is None and (outcome.declared or not _fails(outcome, evidence, all_exceptions)):
        return None
    denied = _is_denied(evidence, refused)
    if denied:
        clause = None  # whatever it promises, this is not its doing
    code = named("side-effect") if denied else _code(clause, outcome, evidence)
    frames = evidence.get("frames", [])
    place = _place(subject, clause, frames)
    call = _call(subject, suspicion, outcome.manner)
    found: Finding = {
        "code": code.code,
        "name": code.name,
        "severity": code.severity,
        "message": _denied_message(outcome, refused) if denied else _message(clause, outcome),
        "function": subject.name,
        **place,
        "call": call,
        "setup": _setup(subject, suspicion, outcome.manner),
        "exception": _exception(clause, outcome),
        "contract": clause and _promise(clause),
        "trace": [_frame(each) for each in frames],
        "notes": [*suspicion["notes"], *([] if denied else map(str, refused or ()))],
    }
    found["fingerprint"] = _fingerprint(found)
    return found


def _promise(clause: dict[str, Any]) -> dict[str, Any]:
    """The broken clause as reports have it; what it raised is part of the message."""
    kept = {name: value for name, value in clause.items() if name != "raised"}
    return {**kept, "file": shown(clause["file"])}


def steady(first: Finding, second: Finding | None, outcome: Outcome) -> Finding:
    """What a call showed if it shows the same twice, else that it does not."""
    if second is not None and same_cause(first) == same_cause(second):
        return first
    flaky = named("flaky")
    other = outcome.describe() if second is None else second["message"]
    message = f"{first['message']}; the same call again: {other}"
    changed = {"code": flaky.code, "name": flaky.name, "severity": flaky.severity}
    found = {**first, **changed, "message": message, "contract": None}
    return {**found, "fingerprint": _fingerprint(found)}


def same_cause(found: Finding) -> tuple[object, ...]:
    """Findings with one cause: same site, same exception, same contract."""
    exception = found["exception"] and found["exception"]["type"]
    contract = found["contract"]
    where = found["function"] if not found["trace"] else ""
    promise = contract and contract["text"]
    return found["code"], found["file"], found["line"], exception, promise, where


def smallest(found: Iterable[Finding]) -> list[Finding]:
    """One finding for each cause, the one with the shortest call, in the order of the source."""
    kept: dict[tuple[object, ...], Finding] = {}
    for each in found:
        cause = same_cause(each)
        if cause not in kept or len(each["call"]) < len(kept[cause]["call"]):
            kept[cause] = each
    return sorted(kept.values(), key=lambda each: (each["file"], each["line"], each["code"]))


def shown(file: str) -> str:
    """A file as the user would name it."""
    relative = os.path.relpath(file)
    return file if relative.startswith(os.pardir) else relative


def _fails(outcome: Outcome, evidence: dict[str, Any], all_exceptions: bool) -> bool:
    if outcome.threads is not None and outcome.status == "returned":
        return True
    if outcome.status == "raised":
        return is_error(evidence.get("kinds", []), evidence.get("explicit", False), all_exceptions)
    return outcome.status in ("timeout", "crash", "exit")


_OF_CLAUSE = {
    "ensure": "broken-postcondition",
    "invariant": "broken-invariant",
    "precondition": "broken-precondition",
    "assume": "broken-precondition",
    "raises": "undeclared-exception",
}
_OF_ENDING = {"timeout": "timeout", "crash": "crash", "exit": "process-exit"}


def _code(clause: dict[str, Any] | None, outcome: Outcome, evidence: dict[str, Any]) -> Code:
    if clause is not None:
        return named(_OF_CLAUSE[clause["kind"]])
    if outcome.threads is not None and outcome.status == "returned":
        return named("leaked-thread")
    if outcome.status == "crash" and outcome.detail == "SIGKILL":
        return named("resource")
    if outcome.status in _OF_ENDING:
        return named(_OF_ENDING[outcome.status])
    kinds = evidence["kinds"]
    if evidence["explicit"] and "AssertionError" not in kinds:
        return named("raised-exception")
    return code_of(kinds)


_DENIED = "pef.isolation.denied.SideEffectDenied"


def _is_denied(evidence: dict[str, Any], refused: Sequence[Refusal] | None) -> bool:
    """Whether the call tried to act on the world outside, and did not expect to be refused.

    The kernel's refusals are plain errors of the system; C code may turn them into a result that
    somebody asserts not to see.
    """
    kinds = evidence.get("kinds", [])
    if refused is None:  # nobody has seen what the kernel did
        return _DENIED in kinds or (
            "PermissionError" in kinds and not evidence.get("explicit", False)
        )
    is_told = bool(refused) and ("OSError" in kinds or "AssertionError" in kinds)
    return _DENIED in kinds or is_told


def _denied_message(outcome: Outcome, refused: Sequence[Refusal] | None) -> str:
    """The call that was denied, and the option that allows it."""
    raised = outcome.exception
    if raised is not None and raised.type == _DENIED:
        return raised.message.partition("] ")[2]
    if refused:
        return f"{refused[-1].call} denied by pef, allowed with {refused[-1].option}"
    return _message(None, outcome)


def _exception(clause: dict[str, Any] | None, outcome: Outcome) -> dict[str, str] | None:
    """What a person sees who pastes the call; nobody checks assumptions then."""
    raised = outcome.exception
    if raised is None or raised.type == _DENIED or _is_about_callee(clause):
        return None
    return {"type": raised.type, "message": raised.message}


def _is_about_callee(clause: dict[str, Any] | None) -> bool:
    return clause is not None and clause["kind"] == "precondition"


def _message(clause: dict[str, Any] | None, outcome: Outcome) -> str:
    raised = outcome.exception
    if raised is not None and _is_about_callee(clause):
        return raised.message
    text = "" if raised is None else f"{raised.type}: {raised.message}".removesuffix(": ")
    if clause is None and outcome.threads is not None and not text:
        return f"still running after the call: {outcome.threads}"
    if clause is None:
        return text or outcome.detail or outcome.status
    if raised is not None:
        return text
    if (problem := clause.get("raised")) is not None:
        return f"returned {outcome.result}, and the condition raised {problem}"
    return f"returned {outcome.result}"


def _place(
    subject: Subject, clause: dict[str, Any] | None, frames: list[dict[str, Any]]
) -> dict[str, Any]:
    """Where it shows: the innermost line of the project, else the clause, else the function."""
    inside = [frame for frame in frames if frame["project"]] or frames
    if inside:
        described = _frame(inside[-1])
        return {name: described[name] for name in _PLACE}
    if clause is not None:
        return {**dict.fromkeys(_PLACE), "file": shown(clause["file"]), "line": clause["line"]}
    return {**dict.fromkeys(_PLACE), "file": subject.file, "line": subject.line}


_PLACE = ("file", "line", "column", "end_line", "end_column")


def _frame(frame: dict[str, Any]) -> dict[str, Any]:
    file, line = frame["file"], frame["line"]
    return {
        "file": shown(file),
        "line": line,
        "column": _character(file, line, frame["column"]),
        "end_line": frame["end_line"],
        "end_column": _character(file, frame["end_line"], frame["end_column"]),
        "function": frame["function"],
        "source": _line(file, line).strip(),
    }


@functools.lru_cache(maxsize=64)
def _line(file: str, number: int) -> str:
    return next(iter(lines_of(file)[max(number, 1) - 1 :]), "")


def _character(file: str, line: int | None, column: int | None) -> int | None:
    """A column as editors count: characters, from 1."""
    if line is None or column is None:
        return None
    text = _line(file, line)
    return len(text.encode()[:column].decode(errors="replace")) + 1


def _call(subject: Subject, suspicion: Suspicion, manner: Manner) -> str:
    before = [f"{name} = {value}; " for name, value in suspicion["variables"].items()]
    call = written(subject.qualname, suspicion["args"], suspicion["kwargs"], manner)
    return "".join([*before, call])


def _setup(subject: Subject, suspicion: Suspicion, manner: Manner) -> list[str]:
    """What to import before the call: the function, and every name of its module it mentions."""
    sources = [*suspicion["args"], *suspicion["kwargs"].values(), *suspicion["variables"].values()]
    names = {subject.qualname.split(".")[0], *_names(sources)}
    return [*imports(manner), *_imported(subject.module, sorted(names))]


def _imported(module: str, names: list[str]) -> list[str]:
    """Lines that import names, also from a module that no `import` statement can name."""
    if all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split(".")):
        return [f"from {module} import {', '.join(names)}"]
    if "." not in module:
        return [f"{name} = __import__({module!r}).{name}" for name in names]
    lines = [f"{name} = importlib.import_module({module!r}).{name}" for name in names]
    return ["import importlib", *lines]


def _names(sources: Iterable[str]) -> set[str]:
    """The names that arguments take from outside, not one from another: `(x := []), x`."""
    used: set[str] = set()
    bound = set(dir(builtins))
    for source in sources:
        nodes = list(ast.walk(ast.parse(source, mode="eval")))
        parameters = {each.arg for each in nodes if isinstance(each, ast.arg)}
        named = [each for each in nodes if isinstance(each, ast.Name)]
        bound |= {each.id for each in named if not isinstance(each.ctx, ast.Load)}
        used |= {each.id for each in named} - parameters
    return used - bound


def _fingerprint(found: Finding) -> str:
    """Stable when lines move: the function, the code, the text of the line, the contract."""
    contract = found["contract"]
    line = found["trace"][-1]["source"] if found["trace"] else ""
    parts = [found["function"], found["code"], line, contract["text"] if contract else ""]
    return hex_digest("\0".join(parts))[:16]
