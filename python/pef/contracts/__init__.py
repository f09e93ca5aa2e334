"""What a function expects and promises, read from what its author already wrote.

Contracts come in many notations and leave here in one form (`Contract`), compiled and ready to be
asked about one execution. This room does not run the function, build inputs or search.
"""

from pef.contracts.contract import Contract, Entry
from pef.contracts.errors import ContractError, ContractEvaluationError
from pef.contracts.form import (
    Clause,
    ClauseKind,
    Parameter,
    ParameterKind,
    RaisesEntry,
    TypeForm,
    TypeSource,
    UndeclaredException,
)
from pef.contracts.reader import read

__all__ = [
    "Clause",
    "ClauseKind",
    "Contract",
    "ContractError",
    "ContractEvaluationError",
    "Entry",
    "Parameter",
    "ParameterKind",
    "RaisesEntry",
    "TypeForm",
    "TypeSource",
    "UndeclaredException",
    "read",
]
