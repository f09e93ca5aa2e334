"""Reader of icontract: `require`, `ensure`, `snapshot` and `invariant`.

Read from the wrapper that icontract made, where inherited contracts are already joined; the package
itself is not imported. A condition names what it wants: parameters, as they are at that moment,
`result`, `OLD`, `_ARGS` and `_KWARGS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pef.contracts.compiling import ClauseCompiler, Transform
from pef.contracts.conditions import (
    Called,
    Written,
    clause_of,
    expression_of,
    gathered,
    written_condition,
)
from pef.contracts.form import RESULT, Clause, ClauseKind, Old, ParameterKind
from pef.contracts.layers import ICONTRACT, is_made_by, layers
from pef.contracts.naming import live_name
from pef.contracts.placed import Place, SourceText
from pef.contracts.scope import Scope
from pef.contracts.subject import Reading, Subject

_OLD = "__pef_snapshot_{}__"


def read(subject: Subject, function: Any) -> Reading:
    """Reads the conditions of a function that icontract wrapped."""
    checker = next((each for each in layers(function) if _is_checker(each)), None)
    if checker is None:
        return Reading()
    reader = _Reader(subject)
    reading = Reading()
    groups = checker.__preconditions__
    if len(groups) == 1:
        reading.assumes += [reader.require([[each]]) for each in groups[0]]
    elif groups:
        reading.assumes.append(reader.require(groups))
    olds = [reader.snapshot(each) for each in checker.__postcondition_snapshots__]
    names = [each.name for each in checker.__postcondition_snapshots__]
    snapshots = dict(zip(names, olds, strict=True))
    reading.ensures += [reader.ensure(each, snapshots) for each in checker.__postconditions__]
    return reading


def invariants(kind: type, transform: Transform | None) -> Iterator[Clause]:
    """The invariants of a class that icontract knows; each takes `self` alone."""
    for contract in getattr(kind, "__invariants_on_call__", ()):
        otherwise = Written(SourceText("<unknown>", ()), Place(1, 1), "")
        where = _described(contract, written_condition(contract.condition, otherwise))
        takes = ("self",) if contract.condition_args else ()
        text = "condition(self=self)" if takes else "condition()"
        called = Called(text, takes, {"condition": contract.condition})
        compiler = ClauseCompiler(Scope({}, where.source.file, takes, {}, None), transform)
        yield clause_of(compiler, ClauseKind.INVARIANT, "@icontract.invariant", called, where)


def _is_checker(layer: object) -> bool:
    return is_made_by(layer, ICONTRACT) and hasattr(layer, "__preconditions__")


def _described(contract: Any, where: Written) -> Written:
    if not contract.description:
        return where
    return Written(where.source, where.place, f"{contract.description}: {where.text}")


class _Reader:
    """Turns the conditions of one function into clauses."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        where = subject.where
        self._otherwise = Written(where.source, Place(where.first_line, 1), "")

    def require(self, groups: list[list[Any]]) -> Clause:
        """That all conditions of one of the groups hold: a subclass may ask for less."""
        calls = [
            [self._call(each, f"c{i}_{j}", {}) for j, each in enumerate(group)]
            for i, group in enumerate(groups)
        ]
        flat = [each for group in calls for each in group]
        alternatives = [" and ".join(f"({each.text})" for each in group) for group in calls]
        called = Called(
            " or ".join(f"({each})" for each in alternatives),
            tuple(dict.fromkeys(name for each in flat for name in each.takes)),
            {name: value for each in flat for name, value in each.objects.items()},
        )
        where = self._where(groups[0][0])
        text = " or ".join(
            " and ".join(self._where(each).text for each in group) for group in groups
        )
        where = Written(where.source, where.place, text)
        return clause_of(
            self._subject.compiler, ClauseKind.ASSUME, "@icontract.require", called, where
        )

    def ensure(self, contract: Any, snapshots: dict[str, Old]) -> Clause:
        """A promise about the moment of return."""
        known = {name: live_name(name) for name in self._subject.parameters}
        known["result"] = RESULT
        olds = tuple(snapshots.values()) if "OLD" in contract.condition_args else ()
        if olds:
            parts = ", ".join(f"{name}={old.name}" for name, old in snapshots.items())
            known["OLD"] = f"gathered({parts})"
        called = self._call(contract, "condition", known)
        takes = dict.fromkeys((*called.takes, *(old.name for old in olds)))
        called = Called(called.text, tuple(takes), {**called.objects, "gathered": gathered})
        return clause_of(
            self._subject.compiler,
            ClauseKind.ENSURE,
            "@icontract.ensure",
            called,
            self._where(contract),
            olds,
        )

    def snapshot(self, snapshot: Any) -> Old:
        """What `OLD` remembers of the entry, copied or not as its author wanted."""
        where = written_condition(snapshot.capture, self._otherwise)
        arguments = {name: self._value(name, where, {}) for name in snapshot.args}
        called = _call("capture", snapshot.capture, arguments)
        expression = expression_of(self._subject.compiler, called, where)
        return Old(_OLD.format(snapshot.name), expression, as_is=True)

    def _where(self, contract: Any) -> Written:
        return _described(contract, written_condition(contract.condition, self._otherwise))

    def _call(self, contract: Any, alias: str, known: dict[str, str]) -> Called:
        where = self._where(contract)
        arguments = {
            name: self._value(name, where, known)
            for name in contract.condition_args
            if name in contract.mandatory_args or self._is_known(name, known)
        }
        return _call(alias, contract.condition, arguments)

    def _is_known(self, name: str, known: dict[str, str]) -> bool:
        return name in known or name in ("_ARGS", "_KWARGS") or self._subject.scope.is_local(name)

    def _value(self, name: str, where: Written, known: dict[str, str]) -> tuple[str, list[str]]:
        """The source of what a condition's parameter gets, and the names that source takes."""
        if name in known:
            text = known[name]
            return text, [] if name == "OLD" else [text]
        if name in ("_ARGS", "_KWARGS"):
            return self._whole(name, known)
        if self._subject.scope.is_local(name):
            return name, [name]
        function = self._subject.function.__name__
        hint = "capture it with @icontract.snapshot" if name == "OLD" else None
        message = f"the condition takes '{name}', which '{function}' does not have"
        raise where.source.error(message, where.place, hint)

    def _whole(self, name: str, known: dict[str, str]) -> tuple[str, list[str]]:
        positional, named, takes = [], [], []
        for parameter in self._subject.parameters.values():
            value = known.get(parameter.name, parameter.name)
            takes.append(value)
            if parameter.kind is ParameterKind.KEYWORD_ONLY:
                named.append(f"{parameter.name!r}: {value}")
            elif parameter.kind is ParameterKind.VAR_KEYWORD:
                named.append(f"**{value}")
            elif parameter.kind is ParameterKind.VAR_POSITIONAL:
                positional.append(f"*{value}")
            else:
                positional.append(value)
        if name == "_ARGS":
            return f"({''.join(f'{each}, ' for each in positional)})", takes
        return f"{{{', '.join(named)}}}", takes


def _call(alias: str, function: Any, arguments: dict[str, tuple[str, list[str]]]) -> Called:
    parts = ", ".join(f"{name}={value}" for name, (value, _) in arguments.items())
    takes = dict.fromkeys(each for _, names in arguments.values() for each in names)
    return Called(f"{alias}({parts})", tuple(takes), {alias: function})
