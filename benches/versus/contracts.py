"""The contracts of the cases, read and evaluated without any of the tools.

Whether a counterexample is true must not depend on the tools that are compared, so this is a
reader of its own: PEP 316 docstrings with one condition a line, leading asserts, class
invariants. It covers the notation of the cases and no more.
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from versus.conforms import OutsideTypesError, conforms, watched

_CLAUSE = re.compile(r"^(pre|post|inv|raises)(?:\[[^\]]*\])?:(.*)$")


class Verdict(Enum):
    """What plain Python says about one call."""

    HOLDS = "the contract holds"
    EXCLUDED = "the call is outside the contract"
    ELSEWHERE = "the call is of something without a contract"
    VIOLATED = "the contract is violated"


@dataclass(frozen=True)
class Outcome:
    """A verdict and its reason, in words."""

    verdict: Verdict
    why: str


@dataclass(frozen=True)
class Subject:
    """One function or method with a contract, as written in the source."""

    name: str  # qualified
    first_line: int
    last_line: int
    pre: tuple[str, ...]
    post: tuple[str, ...]
    raises: tuple[str, ...]
    invariants: tuple[str, ...]
    leading_asserts: tuple[range, ...]  # lines; a failure there is a precondition's


def subjects(source: str) -> list[Subject]:
    """Every function of the source that has a contract, in order."""
    found: list[Subject] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found += _subject(node, "", ())
        elif isinstance(node, ast.ClassDef):
            invariants = tuple(text for kind, text in _clauses(node) if kind == "inv")
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    found += _subject(method, f"{node.name}.", invariants)
    return found


def _subject(node: ast.FunctionDef, prefix: str, invariants: tuple[str, ...]) -> list[Subject]:
    clauses = list(_clauses(node))
    asserts = tuple(_leading_asserts(node))
    if node.name == "__init__":
        return []  # its contract says which objects exist; the methods are what is checked
    public = not node.name.startswith("_")
    if not clauses and not asserts and not (invariants and public):
        return []

    def of(wanted: str) -> tuple[str, ...]:
        return tuple(text for kind, text in clauses if kind == wanted)

    raises = tuple(name.strip() for text in of("raises") for name in text.split(","))
    last_line = node.end_lineno or node.lineno
    return [
        Subject(
            prefix + node.name,
            node.lineno,
            last_line,
            of("pre"),
            of("post"),
            raises,
            invariants,
            asserts,
        )
    ]


def _clauses(node: ast.FunctionDef | ast.ClassDef) -> Iterator[tuple[str, str]]:
    for line in (ast.get_docstring(node) or "").splitlines():
        if match := _CLAUSE.match(line.strip()):
            yield match[1], match[2].strip()


def _leading_asserts(node: ast.FunctionDef) -> Iterator[range]:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    for statement in body:
        if not isinstance(statement, ast.Assert):
            return
        yield range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


class Contract:
    """A subject in its imported module: calls can be put to it."""

    def __init__(self, subject: Subject, module: types.ModuleType) -> None:
        """Find the function and compile its conditions."""
        self.subject = subject
        self._globals = vars(module)
        owner: Any = module
        for part in subject.name.split("."):
            owner, self._owner = getattr(owner, part), owner
        self.function: Callable[..., Any] = owner
        self.signature = inspect.signature(self.function)
        self._pre = [_compiled(text) for text in subject.pre]
        self._post = [_compiled(text) for text in subject.post]
        self._invariants = [_compiled(text) for text in subject.invariants]
        self._hints = self.hints()
        self._keeps_old = any("__old__" in text for text in subject.post)

    def hints(self) -> dict[str, Any]:
        """The type of each parameter; `self` is its class."""
        hints = typing.get_type_hints(self.function)
        hints.pop("return", None)
        first = next(iter(self.signature.parameters), None)
        if inspect.isclass(self._owner) and first is not None and first not in hints:
            hints[first] = self._owner
        return hints

    def check(self, /, *args: Any, **kwargs: Any) -> Outcome:
        """Make the call and hold it against the contract."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            return Outcome(Verdict.EXCLUDED, f"not a call of {self.subject.name}: {error}")
        bound.apply_defaults()
        refused = self._refusal(bound.arguments)
        if refused is not None:
            return Outcome(Verdict.EXCLUDED, refused)
        for name, hint in self._hints.items():
            bound.arguments[name] = watched(bound.arguments[name], hint)
        try:
            return self._called(bound)
        except OutsideTypesError:
            return Outcome(Verdict.EXCLUDED, "a callback returns what is not of its type")

    def _called(self, bound: inspect.BoundArguments) -> Outcome:
        old = types.SimpleNamespace(**copy.deepcopy(bound.arguments)) if self._keeps_old else None
        try:
            result = self.function(*bound.args, **bound.kwargs)
        except Exception as error:
            return self._raised(error)
        return self._returned(bound.arguments, result, old)

    def _refusal(self, arguments: dict[str, Any]) -> str | None:
        for name, hint in self._hints.items():
            if name in arguments and not conforms(arguments[name], hint):
                return f"{name} is not of its type"
        for text, code in zip(self.subject.pre, self._pre, strict=True):
            try:
                if not self._value(code, arguments):
                    return f"pre: {text}"
            except Exception as error:
                return f"pre: {text} raises {error!r}"
        broken = self._broken_invariant(arguments)
        return None if broken is None else f"inv: {broken} before the call"

    def _raised(self, error: Exception) -> Outcome:
        declared = {kind.__name__ for kind in type(error).__mro__} & set(self.subject.raises)
        if declared:
            return Outcome(Verdict.HOLDS, f"{type(error).__name__} is declared")
        if isinstance(error, AssertionError) and self._is_precondition(error):
            return Outcome(Verdict.EXCLUDED, "a leading assert fails")
        return Outcome(Verdict.VIOLATED, f"raises {type(error).__name__}: {error}")

    def _is_precondition(self, error: AssertionError) -> bool:
        frames = error.__traceback__
        frames = frames.tb_next if frames is not None else None  # ours first, then the function's
        if frames is None or frames.tb_next is not None:
            return False
        return any(frames.tb_lineno in lines for lines in self.subject.leading_asserts)

    def _returned(self, arguments: dict[str, Any], result: Any, old: Any) -> Outcome:
        seen = {**arguments, "_": result, "__return__": result, "__old__": old}
        for text, code in zip(self.subject.post, self._post, strict=True):
            try:
                if not self._value(code, seen):
                    return Outcome(Verdict.VIOLATED, f"post: {text}")
            except Exception as error:
                return Outcome(Verdict.VIOLATED, f"post: {text} raises {error!r}")
        broken = self._broken_invariant(arguments)
        if broken is not None:
            return Outcome(Verdict.VIOLATED, f"inv: {broken}")
        return Outcome(Verdict.HOLDS, "returns as promised")

    def _broken_invariant(self, arguments: dict[str, Any]) -> str | None:
        receiver = next(iter(arguments.values()), None)
        for text, code in zip(self.subject.invariants, self._invariants, strict=True):
            if not self._value(code, {"self": receiver}):
                return text
        return None

    def _value(self, code: types.CodeType, names: dict[str, Any]) -> Any:
        # One dict: the body of a generator expression sees globals, never the locals of `eval`.
        return eval(code, {**self._globals, **names})


def _compiled(text: str) -> types.CodeType:
    return compile(text.strip(), "<contract>", "eval")
