"""From the parameters of a contract to the inputs of a run.

`forms` finds a maker for each type, `makers` make the values, `recipes` remember what was made. What stays
out: which types a parameter has (`pef.contracts`) and which inputs are tried (the native search).
"""

from __future__ import annotations

from typing import Any

from pef import _native
from pef.contracts.form import Parameter, ParameterKind
from pef.inputs.forms import Forms, UnsupportedInputError
from pef.inputs.makers import Maker, Scalar
from pef.inputs.recipes import Recipe

__all__ = ["Inputs", "UnsupportedInputError"]


class Inputs:
    """The parameters of one function, and what was last made for them."""

    def __init__(self, function: str, parameters: tuple[Parameter, ...]) -> None:
        self._forms = Forms(function)
        self._made: dict[str, Recipe] = {}
        # `*args` and `**kwargs` are left empty, which is a call like any other.
        self._parameters = [each for each in parameters if not each.is_variadic]

    def native(self) -> list[tuple[str, bool, _native.Input]]:
        """`(name, keyword_only, input)` for each parameter."""
        return [
            (each.name, each.kind is ParameterKind.KEYWORD_ONLY, self._input(each))
            for each in self._parameters
        ]

    def _input(self, parameter: Parameter) -> _native.Input:
        maker = self._forms.choice(parameter.alternatives, parameter.name, 0)
        if isinstance(maker, Scalar):
            return maker.spec

        def make(name: str, maker: Maker = maker) -> Any:
            value, self._made[name] = maker.make(name)
            return value

        return _native.input_made(make)

    def recipe(self, name: str) -> Recipe | None:
        """How the last run's argument was made; None for one that is its own recipe."""
        return self._made.get(name)
