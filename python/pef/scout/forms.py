"""From the parameters of a contract to shapes.

Which types have inputs, and how they are made, is known in one place: `pef.inputs.forms`. Its
makers are translated here, so that whatever can be explored can be scouted, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pef.contracts.contract import Contract
from pef.inputs import Inputs, makers
from pef.inputs.defaults import OrDefault
from pef.inputs.forms import Forms, UnsupportedInputError
from pef.inputs.functions import FunctionOf
from pef.inputs.keywords import Keywords
from pef.inputs.makers import Maker
from pef.inputs.parts import Part
from pef.inputs.pydantic_models import Model, given_as
from pef.inputs.recipes import Blank, Leaf
from pef.scout.compound import Entries, OneOf, Product, Record, Several
from pef.scout.numbers import Given, Real, Whole
from pef.scout.objects import Constant, Instance, Limited
from pef.scout.samples import Shape
from pef.scout.text import Octets, Text

_SCALARS: dict[object, Shape] = {
    int: Whole(),
    float: Real(),
    str: Text(),
    bytes: Octets(),
    bool: Given([Leaf(False), Leaf(True)]),
    type(None): Given([Leaf(None)]),
}


class _Sampled(Maker):
    """Stands for a scalar type among makers."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape


class _SampledForms(Forms):
    """Finds makers as ever, but remembers which scalar each of them makes."""

    def one(self, form: object, place: str) -> Maker:
        """The maker of a type that is no union."""
        try:
            shape = _SCALARS.get(form)
        except TypeError:  # not hashable
            shape = None
        return super().one(form, place) if shape is None else _Sampled(shape)


class Parameters:
    """The shapes of a function's parameters, in their order."""

    def __init__(self, function: Callable[..., Any], contract: Contract) -> None:
        """Raises `UnsupportedInputError` for a type that has no inputs."""
        name = contract.qualname
        if contract.globals:
            names = ", ".join(contract.globals)
            raise UnsupportedInputError(f"{name} takes global variables as inputs: {names}")
        inputs = Inputs(function, name, contract, _SampledForms(name))
        self.all = list(contract.parameters)
        shapes = [_Translation(each.name).of(inputs.maker_of(each)) for each in self.all]
        self.shape = Product(shapes)


class _Translation:
    """From makers to shapes; a maker that contains itself becomes a shape that does."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._instances: dict[int, Instance] = {}
        of = self.of
        self._known: dict[type, Callable[[Any], Shape]] = {
            _Sampled: lambda each: each.shape,
            makers.Fixed: lambda each: Given([each.recipe]),
            makers.Unfinished: lambda each: Given([Blank(each.kind)]),
            makers.Choice: lambda each: self._choice(each.makers),
            makers.ListOf: lambda each: Several(list, of(each.item)),
            makers.SetOf: lambda each: Several(set, of(each.item)),
            makers.Sequenced: lambda each: Several(tuple, of(each.item)),
            makers.FrozenSetOf: lambda each: Several(frozenset, of(each.item)),
            makers.DictOf: lambda each: Entries(of(each.key), of(each.item)),
            makers.TupleOf: lambda each: Product([of(part) for part in each.parts]),
            makers.Record: lambda each: Record(
                self._named(each.required), self._named(each.optional)
            ),
            makers.Constrained: lambda each: Limited(of(each.inner), each.conditions),
            makers.Converted: lambda each: self._converted(each.convert, each.inner),
            makers.Object: self._instance,
            makers.Guessed: lambda each: of(each.inner),
            Part: lambda each: of(each.inner),  # objects are never shared
            OrDefault: lambda each: OneOf([of(each.inner), Given([each.recipe])]),
            Model: self._model,
            Keywords: self._keywords,
            FunctionOf: lambda each: Constant(of(each.result), each.parameters),
        }

    def of(self, maker: Maker) -> Shape:
        """The shape of what a maker makes."""
        translate = self._known.get(type(maker))
        if translate is None:
            kind = type(maker).__name__
            raise UnsupportedInputError(f"no samples of parameter '{self._place}' ({kind})")
        return translate(maker)

    def _choice(self, choices: Sequence[Maker]) -> Shape:
        given = [each for each in choices if isinstance(each, makers.Fixed)]
        if len(given) == len(choices):
            return Given([each.recipe for each in given])
        return OneOf([self.of(each) for each in choices])

    def _converted(self, convert: Callable[[Any], Any], inner: Maker) -> Shape:
        converted = Instance(convert)
        converted.positional.append(("of", self.of(inner)))
        return converted

    def _named(self, parts: dict[str, Maker]) -> dict[str, Shape]:
        return {name: self.of(part) for name, part in parts.items()}

    def _keywords(self, maker: Keywords) -> Shape:
        others = {} if maker.others is None else {"key1": maker.others, "key2": maker.others}
        free = {name: part for name, part in others.items() if name not in maker.taken}
        return Record({}, self._named({**free, **maker.known}))

    def _model(self, maker: Model) -> Shape:
        made = Instance(maker.kind)
        for name, part in maker.fields.items():
            field = maker.kind.model_fields[name]
            made.named.append((given_as(name, field) or name, self.of(part)))
        return made

    def _instance(self, maker: makers.Object) -> Instance:
        known = self._instances.get(id(maker))
        if known is not None:
            return known
        made = self._instances[id(maker)] = Instance(maker.maker, maker.contract)
        made.positional += [(name, self.of(part)) for name, part in maker.positional]
        made.named += [(name, self.of(part)) for name, part in maker.named]
        return made
