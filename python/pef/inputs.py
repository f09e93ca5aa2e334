"""From the types of a contract to native inputs.

One entry per type: a type that has none yet is refused by name, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType

from pef import _native
from pef.contracts.form import Parameter, ParameterKind
from pef.targets import TargetError

_BUILDERS: dict[object, Callable[[], _native.Input]] = {
    int: _native.input_int,
    bool: _native.input_bool,
    str: _native.input_str,
    bytes: _native.input_bytes,
    float: _native.input_float,
    NoneType: _native.input_none,
}


class UnsupportedInputError(TargetError):
    """A parameter whose type PEF cannot build."""


def native_parameters(
    function: str, parameters: tuple[Parameter, ...]
) -> list[tuple[str, bool, _native.Input]]:
    """`(name, keyword_only, input)` for each parameter."""
    return [
        (
            parameter.name,
            parameter.kind is ParameterKind.KEYWORD_ONLY,
            _native_input(function, parameter),
        )
        for parameter in parameters
        if not _is_variadic(parameter)
    ]


def _is_variadic(parameter: Parameter) -> bool:
    """`*args` and `**kwargs` are left empty, which is a call like any other."""
    return parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def _native_input(function: str, parameter: Parameter) -> _native.Input:
    choices = [_one(function, parameter, form) for form in parameter.alternatives]
    if len(choices) == 1:
        return choices[0]
    return _native.input_alternatives(choices, 0)


def _one(function: str, parameter: Parameter, form: object) -> _native.Input:
    builder = _BUILDERS.get(form) if isinstance(form, type) else None
    if builder is None:
        known = ", ".join(getattr(kind, "__name__", str(kind)) for kind in _BUILDERS)
        name = getattr(form, "__name__", None) if isinstance(form, type) else None
        raise UnsupportedInputError(
            f"cannot build parameter '{parameter.name}' of {function}: "
            f"type {name or form} is not supported yet (supported: {known})"
        )
    return builder()
