"""From the parameters of a contract to the inputs of a run.

`forms` finds a maker for each type, `makers` make the values, `recipes` remember what was made,
`aliases` lets two parameters be one object. What stays out: which types a parameter has
(`pef.contracts`) and which inputs are tried (the native search).
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pef import _native
from pef.contracts.contract import Contract
from pef.contracts.form import Parameter, ParameterKind, TypeSource
from pef.contracts.signature import Empty, parameters_of
from pef.inputs.aliases import Aliases, is_left_out
from pef.inputs.forms import Forms, UnsupportedInputError
from pef.inputs.keywords import Keywords, uses
from pef.inputs.makers import Fixed, Maker, Scalar
from pef.inputs.parts import Pool
from pef.inputs.recipes import Items, Leaf, Names, Omitted, Pairs, Recipe
from pef.inputs.states import outgrows_constructor
from pef.records import field, record

__all__ = ["Inputs", "UnsupportedInputError"]


def innermost(function: Any) -> Any:
    """The function inside wrappers and bound methods."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return getattr(function, "__func__", function)


_PASSING: dict[ParameterKind, _native.Passing] = {
    ParameterKind.KEYWORD_ONLY: "named",
    ParameterKind.VAR_POSITIONAL: "spread",
    ParameterKind.VAR_KEYWORD: "spread-named",
}


@record
class Arguments:
    """The arguments of a call, as they were then."""

    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)
    args_source: list[str] = field(default_factory=list)
    kwargs_source: dict[str, str] = field(default_factory=dict)
    globals_source: dict[str, str] = field(default_factory=dict)


class Inputs:
    """The parameters of one function, and what was last made for them."""

    def __init__(
        self, function: Any, name: str, contract: Contract, forms: Forms | None = None
    ) -> None:
        self._forms = Forms(name) if forms is None else forms
        first = contract.parameters[0] if contract.parameters else None
        if first is not None and first.source_of_type is TypeSource.RECEIVER:
            self._forms.receiver = typing.cast(type, first.alternatives[0])
        self._globals = contract.globals
        self._namespace = getattr(innermost(function), "__globals__", {})
        self._made: dict[str, Recipe] = {}
        self._function = innermost(function)
        self._parameters = list(contract.parameters)
        self._defaults = {each.name: each.default for each in parameters_of(function).values()}
        self._aliases = Aliases(function, self._parameters)
        self._forms.parts = self._parts = Pool() if self._aliases.identity else None
        self._first_made: str | None = None
        self.defaults: dict[str, Any] = {}
        """The defaults that are alternatives to what the types of their parameters say."""

    @property
    def doubts(self) -> list[str]:
        """What the inputs leave out from the start."""
        return list(dict.fromkeys(self._forms.doubts))

    def native(self) -> list[tuple[str, _native.Passing, _native.Input]]:
        """`(name, passing, input)` for each parameter."""
        passed: list[tuple[str, _native.Passing, _native.Input]] = [
            (each.name, _PASSING.get(each.kind, "positional"), self._input(each))
            for each in self._parameters
        ]
        aside: list[tuple[str, _native.Passing, _native.Input]] = [
            (path, "aside", self._global(path)) for path in self._globals
        ]
        for cls in filter(outgrows_constructor, self._forms.classes):
            self._forms.doubts.append(
                f"objects of {cls.__name__} only as its constructor makes them"
            )
        return [*passed, *aside]

    def maker_of(self, parameter: Parameter) -> Maker:
        """Makes what is passed for one of the parameters."""
        if parameter.kind is ParameterKind.VAR_POSITIONAL:
            return self._forms.spread(parameter.alternatives, parameter.name)
        if parameter.kind is ParameterKind.VAR_KEYWORD:
            return self._keywords(parameter)
        return self._given_or_left(parameter)

    def _input(self, parameter: Parameter) -> _native.Input:
        maker = self._aliases.around(parameter, self.maker_of(parameter))
        if isinstance(maker, Scalar):
            return maker.spec

        self._first_made = self._first_made or parameter.name

        def make(name: str, maker: Maker = maker) -> Any:
            if self._parts is not None and name == self._first_made:
                self._parts.begin()
            value, self._made[name] = maker.make(name)
            return value

        return _native.input_made(make)

    def _given_or_left(self, parameter: Parameter) -> Maker:
        """An argument; one whose type cannot be built is left at its default, if it has one."""
        name = parameter.name
        if parameter.source_of_type is TypeSource.DEFAULT:
            self._forms.doubt_default(parameter.alternatives, name)
        default = self._defaults.get(name, Empty)
        try:
            maker = self._forms.argument(parameter)
        except UnsupportedInputError as problem:
            if default is Empty or not self._may_be_left(parameter):
                raise
            self._forms.doubt_left(name, problem)
            return Fixed(default, Omitted(default))
        if default is Empty:
            return maker
        either = self._forms.or_default(
            maker, parameter.alternatives, name, default, self._may_be_left(parameter), 0
        )
        if either is not maker:
            self.defaults[name] = default
        return either

    def _may_be_left(self, parameter: Parameter) -> bool:
        """Whether the arguments after it can be given by name."""
        if parameter.kind is ParameterKind.KEYWORD_ONLY:
            return True
        spread = any(each.kind is ParameterKind.VAR_POSITIONAL for each in self._parameters)
        return parameter.kind is not ParameterKind.POSITIONAL_ONLY and not spread

    def _keywords(self, parameter: Parameter) -> Maker:
        """`**kwargs`: typed by a hint or a contract, else by the defaults of its lookups."""
        name = parameter.name
        used = uses(self._function, name)
        if typing.is_typeddict(parameter.alternatives[0]):
            return self._forms.one(parameter.alternatives[0], name)
        hinted = parameter.source_of_type is not TypeSource.VARIADIC
        every = self._forms.spread_named(parameter.alternatives, name) if hinted else None
        known: dict[str, Maker] = {}
        for key, kind in used.names.items():
            if every is not None:
                known[key] = every
            elif kind is not None:
                known[key] = self._forms.one(kind, f"{name}[{key!r}]")
        untyped = sorted(used.names.keys() - known.keys())
        if untyped:
            self._forms.doubts.append(f"no type for {', '.join(untyped)} in **{name}")
        if used.looks_at_all or used.forwards:
            self._forms.doubts.append(f"other names in **{name}")
        others = every if used.looks_at_all else None
        return Keywords(known, others, frozenset(each.name for each in self._parameters))

    def _global(self, path: str) -> _native.Input:
        """The value of a global variable: made anew and stored before every run."""
        maker = self._forms.choice(self._globals[path], path, 0)
        owner, attribute = self._place(path)

        def make(name: str) -> Any:
            value, self._made[name] = maker.make(name)
            if owner is None:
                self._namespace[attribute] = value
            else:
                setattr(owner, attribute, value)
            return value

        return _native.input_made(make)

    def _place(self, path: str) -> tuple[Any, str]:
        """Whose attribute a dotted path names; None for the module's own variables."""
        first, *middle = path.split(".")
        if not middle:
            return None, first
        owner = self._namespace[first]
        for part in middle[:-1]:
            owner = getattr(owner, part)
        return owner, middle[-1]

    def call(self, values: Sequence[tuple[str, Any]], names: Names) -> Arguments:
        """The arguments as they were at the call: the function may have changed them since."""
        passed = list(self._passed(values))
        found = self._written(passed, names)
        for name, recipe in passed:
            if name is None:
                found.args.append(recipe.value())
            else:
                found.kwargs[name] = recipe.value()
        return found

    def written(self, values: Sequence[tuple[str, Any]], names: Names) -> Arguments:
        """The arguments as source only, which is all that a replay needs."""
        return self._written(self._passed(values), names)

    def _written(self, passed: Iterable[tuple[str | None, Recipe]], names: Names) -> Arguments:
        found = Arguments()
        names.begin()
        for name, recipe in passed:
            if name is None:
                found.args_source.append(recipe.source(names))
            else:
                found.kwargs_source[name] = recipe.source(names)
        for path in self._globals:
            found.globals_source[path] = self._made[path].source(names)
        return found

    def _passed(self, values: Sequence[tuple[str, Any]]) -> Iterator[tuple[str | None, Recipe]]:
        """What is passed for each argument, and under which name, if under one."""
        by_name = False
        for parameter, (name, value) in zip(self._parameters, values, strict=False):
            recipe = self._made.get(name) or Leaf(value)
            if is_left_out(recipe):
                by_name = True
            elif parameter.kind is ParameterKind.KEYWORD_ONLY or (
                by_name and not parameter.is_variadic
            ):
                yield name, recipe
            elif parameter.kind is ParameterKind.VAR_KEYWORD and isinstance(recipe, Pairs):
                yield from ((key.value(), part) for key, part in recipe.parts)
            elif parameter.kind is ParameterKind.VAR_POSITIONAL and isinstance(recipe, Items):
                yield from ((None, part) for part in recipe.parts)
            else:
                yield None, recipe
