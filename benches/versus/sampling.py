"""Runs Hypothesis on every contract of a file: the third tool, as most people would use it.

One test per function: strategies from its type hints, preconditions as `assume`, no deadline, no
database, no shrinking, as many examples as the budget allows. Prints a JSON line per falsified
function. Runs as a script in the environment of the peers.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import hypothesis
from hypothesis import strategies as st

from versus.contracts import Contract, Verdict, subjects
from versus.judge import load

_FALSIFYING = re.compile(r"(?:Falsifying example|Failing test case): (.*)", re.DOTALL)

_SETTINGS = hypothesis.settings(
    max_examples=10**9,
    deadline=None,
    database=None,
    phases=[hypothesis.Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=list(hypothesis.HealthCheck),
)


class _Spent(BaseException):
    """The budget is used up; no `Exception`, so that Hypothesis does not call it a failure."""


class _ViolatedError(Exception):
    """The contract does not hold for this example."""


def main(file: str, budget: str) -> int:
    """Test every contract of the file; 1 if any was falsified."""
    path = Path(file)
    module = load(path)
    falsified = 0
    for subject in subjects(path.read_text("utf-8")):
        call = falsify(Contract(subject, module), float(budget))
        if call is not None:
            falsified += 1
            print(json.dumps({"falsified": call}), flush=True)
    return min(falsified, 1)


def falsify(contract: Contract, budget: float) -> str | None:
    """The call of the first failing example, as Hypothesis writes it.

    Where few examples satisfy the preconditions Hypothesis gives up long before the budget is
    spent, with an exception or without; it gets another seed then.
    """
    deadline = time.process_time() + budget
    for seed in itertools.count():
        if time.process_time() > deadline:
            break
        try:
            call = _attempt(contract, deadline, seed)
        except hypothesis.errors.Unsatisfiable:
            continue
        except _Spent:
            break
        if call is not None:
            return call
    return None


def _attempt(contract: Contract, deadline: float, seed: int) -> str | None:
    reported: list[object] = []

    def example(**arguments: Any) -> None:
        if time.process_time() > deadline and not reported:
            raise _Spent
        outcome = contract.check(**arguments)
        hypothesis.assume(outcome.verdict is not Verdict.EXCLUDED)
        if outcome.verdict is Verdict.VIOLATED:
            raise _ViolatedError(outcome.why)

    strategies = {name: st.from_type(hint) for name, hint in contract.hints().items()}
    test = hypothesis.seed(seed)(_SETTINGS(hypothesis.given(**strategies)(example)))
    try:
        with hypothesis.reporting.with_reporter(reported.append):
            test()
    except _ViolatedError as failure:
        texts = [*getattr(failure, "__notes__", []), *map(str, reported)]
        return _call(texts, contract.subject.name)
    return None


def _call(texts: list[str], name: str) -> str | None:
    """The example that Hypothesis prints as a call of the function, on one line."""
    for text in texts:
        if match := _FALSIFYING.search(text):
            try:
                call = ast.parse(match[1].strip(), mode="eval").body
            except SyntaxError:
                return match[1].strip()  # not Python: the judge will refuse it
            if isinstance(call, ast.Call):
                call.func = ast.parse(name, mode="eval").body
            return ast.unparse(call)
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
