"""Reads a function's contract: asks every reader, and lets the strongest word on a type win.

To read another notation, write one more reader file that yields a `Reading` and add it here.
"""

from __future__ import annotations

from collections.abc import Callable

from pef.contracts import docstring, hints, sphinx
from pef.contracts.compiling import Transform
from pef.contracts.contract import Contract
from pef.contracts.fields import split_fields
from pef.contracts.form import RESULT, TypeSource
from pef.contracts.parameters import typed_parameters
from pef.contracts.subject import Subject, subject_of


def read(func: Callable[..., object], transform: Transform | None = None) -> Contract:
    """The contract of a function or bound method.

    Without `transform` clauses run on plain values only, as replay needs; with it they are
    rewritten first, so that they can run on symbolic ones. Raises `ContractError` for whatever is
    wrong with the contract, and TypeError for what is not a Python function.
    """
    subject = subject_of(func, transform)
    _refuse_result_as_parameter(subject)
    text = subject.where.docstring
    fields = split_fields(text) if text else []
    written = docstring.read(subject, [each for each in fields if each.argument is None])
    declared = sphinx.read(subject, [each for each in fields if each.argument is not None])
    readings = {
        TypeSource.CONTRACT: written,
        TypeSource.HINT: hints.read(subject),
        TypeSource.SPHINX: declared,
    }
    # A condition someone wrote for PEF must not be hidden by Sphinx's unconditional entry.
    raises = (*written.raises, *declared.raises)
    return Contract(
        qualname=subject.function.__qualname__,
        file=subject.function.__code__.co_filename,
        line=subject.function.__code__.co_firstlineno,
        parameters=typed_parameters(subject, readings),
        assumes=tuple(written.assumes),
        ensures=tuple(written.ensures),
        raises=raises or None,
        globals=written.globals,
        ambient=subject.scope.ambient,
    )


def _refuse_result_as_parameter(subject: Subject) -> None:
    if RESULT in subject.parameters:
        where = subject.where
        message = f"a parameter cannot be called '{RESULT}': contracts call the result so"
        raise where.source.error(message, where.place_of_parameter(RESULT))
