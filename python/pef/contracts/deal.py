"""Reader of deal: `pre`, `post`, `ensure`, `raises`, `safe`, `reason`, and what `chain` joins.

Read from the wrapper that deal made; the package itself is not imported. `inv` and `has` are
checked by deal while the function runs, at every assignment and every side effect, and so is each
item of a generator: what they raise is an exception like any other.
"""

from __future__ import annotations

from typing import Any

from pef.contracts.compiling import written_at
from pef.contracts.conditions import Called, Written, clause_of, gathered, written_condition
from pef.contracts.form import RESULT, Clause, ClauseKind, ParameterKind, RaisesEntry
from pef.contracts.layers import DEAL, deal_contract, is_generator, is_made_by, layers
from pef.contracts.naming import live_name
from pef.contracts.notation import PEF
from pef.contracts.placed import Place
from pef.contracts.signature import parameters_of
from pef.contracts.subject import Reading, Subject


def read(subject: Subject, function: Any) -> Reading:
    """Reads the contract of a function that deal wrapped."""
    reading = Reading()
    for layer in layers(function):
        if is_made_by(layer, DEAL):
            _Reader(subject, reading).read(deal_contract(layer))
    return reading


class _Reader:
    """Turns the validators of one function into clauses."""

    def __init__(self, subject: Subject, reading: Reading) -> None:
        self._subject = subject
        self._reading = reading
        where = subject.where
        self._otherwise = Written(where.source, Place(where.first_line, 1), "")

    def read(self, contracts: Any) -> None:
        """Adds what one wrapper says."""
        reading = self._reading
        names = {name: name for name in self._subject.parameters}
        live = {name: live_name(name) for name in self._subject.parameters}
        reading.assumes += [
            self._clause(ClauseKind.ASSUME, "@deal.pre", each, names) for each in contracts.pres
        ]
        if is_generator(contracts.func):
            return
        reading.ensures += [self._post(each) for each in contracts.posts]
        reading.ensures += [
            self._clause(ClauseKind.ENSURE, "@deal.ensure", each, live, RESULT)
            for each in contracts.ensures
        ]
        self._exceptions(contracts, live)

    def _exceptions(self, contracts: Any, live: dict[str, str]) -> None:
        """Several `raises` allow what all of them list; a `reason` says when."""
        lists = [each.exceptions for each in contracts.raises]
        allowed = (
            [each for each in lists[0] if all(each in other for other in lists)] if lists else []
        )
        for each in contracts.reasons:
            if not lists or each.event in allowed:
                clause = self._clause(ClauseKind.RAISES, "@deal.reason", each, live)
                self._reading.raises.append(RaisesEntry(each.event, clause, exact=True))
        self._reading.raises += [
            RaisesEntry(each, self._always(each), exact=True) for each in allowed
        ]
        if lists:
            self._reading.closed_at = self._otherwise.place

    def _always(self, exception: type[BaseException]) -> Clause:
        source, place = self._otherwise.source, self._otherwise.place
        always = written_at("True", source, place)
        return self._subject.compiler.condition(
            ClauseKind.RAISES, PEF, always, exception.__name__, source, place
        )

    def _post(self, validator: Any) -> Clause:
        """A condition on the result alone."""
        called = Called(f"valid(condition({RESULT}))", (RESULT,), _objects(validator))
        where = self._where(validator)
        return clause_of(self._subject.compiler, ClauseKind.ENSURE, "@deal.post", called, where)

    def _clause(
        self,
        kind: ClauseKind,
        keyword: str,
        validator: Any,
        names: dict[str, str],
        result: str | None = None,
    ) -> Clause:
        """A condition that takes what the function takes, or all of it as `_`."""
        takes = [*names.values(), *([result] if result else [])]
        if _takes_all_in_one(validator):
            values = {**names, **({"result": result} if result else {})}
            parts = ", ".join(f"{name}={value}" for name, value in values.items())
            text = f"valid(condition(gathered({parts})))"
        else:
            parts = ", ".join([*self._passed(names), *([f"result={result}"] if result else [])])
            text = f"valid(condition({parts}))"
        called = Called(text, tuple(takes), _objects(validator))
        return clause_of(self._subject.compiler, kind, keyword, called, self._where(validator))

    def _passed(self, names: dict[str, str]) -> list[str]:
        """The arguments as a call passes them."""
        passed = []
        for name, parameter in self._subject.parameters.items():
            if parameter.kind is ParameterKind.KEYWORD_ONLY:
                passed.append(f"{name}={names[name]}")
            elif parameter.kind is ParameterKind.VAR_POSITIONAL:
                passed.append(f"*{names[name]}")
            elif parameter.kind is ParameterKind.VAR_KEYWORD:
                passed.append(f"**{names[name]}")
            else:
                passed.append(names[name])
        return passed

    def _where(self, validator: Any) -> Written:
        where = written_condition(validator.raw_validator, self._otherwise)
        if not validator.message:
            return where
        return Written(where.source, where.place, f"{validator.message}: {where.text}")


def valid(answer: object) -> object:
    """What deal takes for a yes: anything true but text, which says what is wrong."""
    return False if isinstance(answer, str) else answer


def _objects(validator: Any) -> dict[str, object]:
    return {"condition": validator.raw_validator, "gathered": gathered, "valid": valid}


def _takes_all_in_one(validator: Any) -> bool:
    try:
        return set(parameters_of(validator.raw_validator)) == {"_"}
    except (TypeError, ValueError):
        return False
