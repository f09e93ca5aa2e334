"""Reads a function's contract: asks every reader, and lets the strongest word on a type win.

To read another notation, write one more reader file that yields a `Reading` and add it here.
Readers are loaded when there is something for them to read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from pef.contracts import asserts, hints, invariants
from pef.contracts.compiling import Transform
from pef.contracts.contract import Contract
from pef.contracts.form import RESULT, TypeSource
from pef.contracts.layers import DEAL, ICONTRACT
from pef.contracts.parameters import receiver_of, typed_parameters
from pef.contracts.placed import PlacedText
from pef.contracts.subject import Reading, Subject, subject_of
from pef.records import NamedTuple


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
    said = _in_docstring(subject, subject.where.docstring)
    types = {
        TypeSource.CONTRACT: said.fields,
        TypeSource.HINT: hints.read(subject),
        TypeSource.SPHINX: said.of_arguments,
    }
    owner = receiver_of(subject)
    # An entry with a condition must not be hidden by one that merely lists the exception, and
    # asserts come last: the body evaluates them after everything else was decided.
    readings = [
        said.fields,
        said.lines,
        *_by_libraries(subject, func),
        said.of_arguments,
        said.sections,
        invariants.read(subject, owner if isinstance(owner, type) else None, transform),
        asserts.read(subject),
    ]
    return _joined(subject, readings, types, _guessed(subject) if guess_types else None)


class _Said(NamedTuple):
    """What a docstring says, each notation for itself."""

    fields: Reading
    of_arguments: Reading
    """Fields about one argument, as Sphinx knows them."""
    lines: Reading
    """Those that start with a keyword of PEP 316."""
    sections: Reading


def _in_docstring(subject: Subject, text: PlacedText | None) -> _Said:
    if text is None:
        return _Said(Reading(), Reading(), Reading(), Reading())
    from pef.contracts import docstring, pep316, sections, sphinx
    from pef.contracts.fields import split_fields

    fields = split_fields(text)
    return _Said(
        docstring.read(subject, [each for each in fields if each.argument is None]),
        sphinx.read(subject, [each for each in fields if each.argument is not None]),
        pep316.read(subject, text),
        sections.read(subject, text),
    )


def _by_libraries(subject: Subject, func: Callable[..., object]) -> list[Reading]:
    readings = []
    if ICONTRACT in sys.modules:
        from pef.contracts import icontract

        readings.append(icontract.read(subject, func))
    if DEAL in sys.modules:
        from pef.contracts import deal

        readings.append(deal.read(subject, func))
    return readings


def _guessed(subject: Subject) -> Reading:
    from pef.contracts import usage

    return usage.read(subject)


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
