"""Reads a function's contract: asks every reader, and lets the strongest word on a type win.

To read another notation, write one more reader file that yields a `Reading` and add it here.
"""

from __future__ import annotations

from collections.abc import Callable

from pef.contracts import (
    asserts,
    deal,
    docstring,
    hints,
    icontract,
    invariants,
    pep316,
    sections,
    sphinx,
    usage,
)
from pef.contracts.compiling import Transform
from pef.contracts.contract import Contract
from pef.contracts.fields import split_fields
from pef.contracts.form import RESULT, TypeSource
from pef.contracts.parameters import receiver_of, typed_parameters
from pef.contracts.subject import Reading, Subject, subject_of


def read(
    func: Callable[..., object], transform: Transform | None = None, guess_types: bool = False
) -> Contract:
    """The contract of a function or bound method.

    Without `transform` clauses run on plain values only, as replay needs; with it they are
    rewritten first, so that they can run on symbolic ones. Raises `ContractError` for whatever is
    wrong with the contract, and TypeError for what is not a Python function. With `guess_types`
    a parameter without a type is no error.
    """
    subject = subject_of(func, transform)
    _refuse_result_as_parameter(subject)
    text = subject.where.docstring
    fields = split_fields(text) if text else []
    written = docstring.read(subject, [each for each in fields if each.argument is None])
    declared = sphinx.read(subject, [each for each in fields if each.argument is not None])
    types = {
        TypeSource.CONTRACT: written,
        TypeSource.HINT: hints.read(subject),
        TypeSource.SPHINX: declared,
    }
    owner = receiver_of(subject)
    # An entry with a condition must not be hidden by one that merely lists the exception, and
    # asserts come last: the body evaluates them after everything else was decided.
    readings = [
        written,
        pep316.read(subject, text),
        icontract.read(subject, func),
        deal.read(subject, func),
        declared,
        sections.read(subject, text),
        invariants.read(subject, owner if isinstance(owner, type) else None, transform),
        asserts.read(subject),
    ]
    guesses = usage.read(subject) if guess_types else None
    return _joined(subject, readings, types, guesses)


def _joined(
    subject: Subject,
    readings: list[Reading],
    types: dict[TypeSource, Reading],
    guesses: Reading | None,
) -> Contract:
    code = subject.function.__code__
    raises = tuple(entry for each in readings for entry in each.raises)
    closed_at = next((each.closed_at for each in readings if each.closed_at), None)
    return Contract(
        qualname=subject.function.__qualname__,
        file=code.co_filename,
        line=code.co_firstlineno,
        parameters=typed_parameters(subject, types, guesses),
        assumes=tuple(clause for each in readings for clause in each.assumes),
        ensures=tuple(clause for each in readings for clause in each.ensures),
        raises=raises if raises or closed_at else None,
        closed_at=closed_at,
        globals=types[TypeSource.CONTRACT].globals,
        ambient=subject.scope.ambient,
    )


def _refuse_result_as_parameter(subject: Subject) -> None:
    if RESULT in subject.parameters:
        where = subject.where
        message = f"a parameter cannot be called '{RESULT}': contracts call the result so"
        raise where.source.error(message, where.place_of_parameter(RESULT))
