"""From the types of contracts and hints to makers.

One entry per type; a type that has none is refused by name, never guessed.
"""

from __future__ import annotations

import collections
import collections.abc
import enum
import typing
from collections.abc import Callable, Iterable, Mapping
from types import NoneType
from typing import Any

from pef import _native
from pef.contracts.errors import ContractError
from pef.contracts.form import Parameter, ParameterKind, TypeSource
from pef.contracts.invariants import invariants_of, is_private, violated_invariant
from pef.contracts.layers import bare_constructor
from pef.contracts.signature import Empty
from pef.contracts.typeforms import flatten
from pef.contracts.typing_only import Unknown
from pef.inputs import makers, pydantic_models, standard
from pef.inputs.classes import Constructor, can_be_made, constructor, is_abstract, subclasses
from pef.inputs.constraints import conditions
from pef.inputs.makers import Maker
from pef.inputs.parts import Part, Pool
from pef.inputs.recipes import Leaf, Member, Name, Omitted
from pef.inputs.standard import ANYTHING, DICTS, LISTS, SETS
from pef.targets import TargetError

_SCALARS: dict[object, Callable[[], _native.Input]] = {
    int: _native.input_int,
    bool: _native.input_bool,
    str: _native.input_str,
    bytes: _native.input_bytes,
    float: _native.input_float,
    NoneType: _native.input_none,
}


class UnsupportedInputError(TargetError):
    """A parameter whose type PEF cannot build."""

    def __init__(self, text: str, form: str = "its type") -> None:
        super().__init__(text)
        self.form = form
        """The type, as it is written."""


class Forms:
    """Finds the makers of the types that one function mentions."""

    def __init__(self, owner: str, small_first: bool = False) -> None:
        self._owner = owner
        self._small_first = small_first
        """Whether nothing but the order of alternatives ends objects inside objects."""
        self._objects: dict[type, Maker] = {}
        self.parts: Pool | None = None
        """The objects of a run, if it matters who they are."""
        self.receiver: type | None = None
        """What `Self` means."""
        self.doubts: list[str] = []
        """What the inputs leave out from the start."""

    @property
    def classes(self) -> list[type]:
        """The classes whose constructor makes some of the inputs."""
        return list(self._objects)

    def argument(self, parameter: Parameter) -> Maker:
        """The maker of what is passed for a parameter."""
        kind: Any = parameter.alternatives[0]
        received = parameter.source_of_type is TypeSource.RECEIVER
        method = self._owner.rpartition(".")[2]
        if received and method == "__init__" and _is_made_blank(kind):
            return makers.Unfinished(kind)
        maker = self.choice(parameter.alternatives, parameter.name, 0)
        if received and maker is self._objects.get(kind) and not is_private(method):
            # The contract of the method assumes the invariants, and says if one is wrong.
            return maker.inner if isinstance(maker, makers.Constrained) else maker
        return maker

    def choice(self, alternatives: tuple[object, ...], place: str, cost: int) -> Maker:
        """The maker of one of several types; those that cannot be built are left out."""
        found: list[Maker] = []
        refused: list[UnsupportedInputError] = []
        for form in alternatives:
            try:
                found.append(self.one(form, place))
            except UnsupportedInputError as problem:
                refused.append(problem)
        if not found or (
            any(form is not NoneType for form in alternatives)
            and all(isinstance(each, makers.Scalar) and each.is_none for each in found)
        ):
            raise refused[0] if refused else self._refusal(None, place)
        for each in refused:
            self.doubts.append(f"{place} as {each.form}, which cannot be built")
        return found[0] if len(found) == 1 else makers.Choice(found, cost, self._small_first)

    def spread(self, alternatives: tuple[object, ...], place: str) -> Maker:
        """The maker of `*args`, whose types are those of the whole."""
        parts = typing.get_args(alternatives[0])
        return makers.Sequenced(self.any_of(parts[0], place) if parts else self._guessed(place))

    def spread_named(self, alternatives: tuple[object, ...], place: str) -> Maker:
        """The maker of one value in `**kwargs`, whose types are those of the whole."""
        forms = [typing.get_args(form)[1:] or ANYTHING for form in alternatives]
        return self.any_of(forms[0][0], place)

    def any_of(self, form: object, place: str) -> Maker:
        """The maker of a type that stands inside another: a union costs depth."""
        return self.choice(flatten(form), place, 1)

    def one(self, form: object, place: str) -> Maker:
        """The maker of a type that is no union."""
        try:
            scalar = _SCALARS.get(form)
        except TypeError:  # not hashable
            scalar = None
        if scalar is not None:
            return makers.Scalar(scalar(), form is NoneType)
        special = self._special(form, place)
        if special is not None:
            return special
        origin = typing.get_origin(form) or form
        arguments = typing.get_args(form)
        if origin is typing.Literal:
            return makers.Choice([makers.Fixed(value, _written(value)) for value in arguments])
        if origin is typing.Annotated:
            return self._annotated(arguments, place)
        container = self._container(origin, arguments, place)
        if container is not None:
            return container
        if isinstance(origin, type):
            return self._class(origin, place)
        raise self._refusal(form, place)

    def _special(self, form: object, place: str) -> Maker | None:
        """Forms that stand for other types."""
        if form is typing.Any or form is object or form is Empty:
            self.doubts.append(f"{place} as anything but int, str and None")
            return self.choice(ANYTHING, place, 1)
        if isinstance(form, Unknown) and form.name in standard.TYPESHED:
            return self.any_of(standard.TYPESHED[form.name], place)
        if isinstance(form, typing.TypeVar):
            return self._variable(form, place)
        if str(form) in ("typing.Self", "typing_extensions.Self") and self.receiver is not None:
            return self.one(self.receiver, place)
        return None

    def _guessed(self, place: str) -> Maker:
        """An item of a container that does not say what it holds."""
        return makers.Guessed(self.one(int, place), f"items of {place} other than int", self.doubts)

    def _variable(self, form: typing.TypeVar, place: str) -> Maker:
        """A type variable: what it is bound to, or a type that stands for all."""
        forms = tuple(form.__constraints__) or (form.__bound__ and flatten(form.__bound__))
        if forms:
            return self.choice(forms, place, 1)
        return makers.Guessed(self.one(int, place), f"{place} as anything but int", self.doubts)

    def _container(self, origin: Any, arguments: tuple[Any, ...], place: str) -> Maker | None:
        part = [self._part(arguments, position, place) for position in range(2)]
        self._doubt_abstract(origin, place)
        if origin in LISTS:
            return makers.ListOf(part[0](), self.doubts)
        if origin in DICTS:
            return makers.DictOf(part[0](), part[1](), self.doubts)
        if origin in SETS:
            return makers.SetOf(part[0](), self.doubts)
        if origin is frozenset:
            return makers.FrozenSetOf(part[0]())
        if origin is tuple:
            return self._tuple(arguments, place)
        if origin is collections.abc.Callable:
            return self._function(arguments, place)
        if origin is collections.defaultdict:
            return self._default_dict(arguments, place)
        if origin is type and arguments and isinstance(arguments[0], type):
            known = [arguments[0], *subclasses(arguments[0])]
            return makers.Choice([makers.Fixed(each, Name(each)) for each in known])
        return self._made_from(origin, arguments, place)

    def _doubt_abstract(self, origin: Any, place: str) -> None:
        """Of an abstract container only the built-in one is made."""
        for made, kinds in ((list, LISTS), (dict, DICTS), (set, SETS)):
            if origin in kinds and origin is not made:
                self.doubts.append(f"{place} as anything but {made.__name__}")

    def _made_from(self, origin: Any, arguments: tuple[Any, ...], place: str) -> Maker | None:
        """A type of the standard library that is made from simpler ones."""
        name = standard.full_name(origin)
        if name in standard.PARTIAL:
            self.doubts.append(f"{place}: {standard.PARTIAL[name]}")
        if name == "collections.abc.Generator":
            self.doubts.append(f"{place} as anything but a generator of the items of a list")
            item = self.any_of(arguments[0] if arguments else int, place)
            return makers.Generated(item, self.doubts)
        if name in standard.STANDS_FOR:
            self.doubts.append(f"{place} as any other {origin.__name__}")
            return self.choice(standard.STANDS_FOR[name], place, 1)
        if name in standard.CONVERTED:
            return self._converted(name, arguments, place)
        if name in standard.CONSTRUCTED:
            forms = enumerate(standard.CONSTRUCTED[name])
            parts = [(str(i), self.any_of(form, place)) for i, form in forms]
            return makers.Object(origin, parts, [])
        if name in standard.EXAMPLES:
            self.doubts.append(f"{place} as any other {origin.__name__}")
            return makers.Choice([makers.Example(text) for text in standard.EXAMPLES[name]])
        if name == "typing.IO":
            kind = "BinaryIO" if arguments == (bytes,) else "TextIO"
            return self._converted(f"typing.{kind}", (), place)
        if name == "uuid.UUID":
            return makers.Object(origin, [], [("int", self.one(int, place))])
        return None

    def _converted(self, name: str, arguments: tuple[Any, ...], place: str) -> Maker:
        inner, by = standard.CONVERTED[name]
        if arguments and inner in (list, dict):
            values = (arguments[0], int) if name.endswith("Counter") else arguments
            parts = values if inner is dict else values[0]
            inner = inner.__class_getitem__(parts)
        convert = standard.found(by)
        if convert is not standard.found(name):
            shown = "iter(list)" if convert is iter else convert.__name__
            self.doubts.append(f"{place} as anything but {shown}")
        return makers.Converted(self.one(inner, place), convert)

    def _function(self, arguments: tuple[Any, ...], place: str) -> Maker:
        from pef.inputs.functions import FunctionOf

        taken, result = arguments if len(arguments) == 2 else (Ellipsis, int)
        count = len(taken) if isinstance(taken, (list, tuple)) else None
        return FunctionOf(self.any_of(result, place), count)

    def _default_dict(self, arguments: tuple[Any, ...], place: str) -> Maker:
        key, item = arguments if len(arguments) == 2 else (int, int)
        factory = typing.get_origin(item) or item
        factory = factory if callable(factory) else int
        parts = [("default_factory", makers.Fixed(factory, Name(factory)))]
        inner = makers.DictOf(self.any_of(key, place), self.any_of(item, place), self.doubts)
        return makers.Object(collections.defaultdict, [*parts, ("items", inner)], [])

    def _part(self, arguments: tuple[Any, ...], position: int, place: str) -> Callable[[], Maker]:
        if position >= len(arguments):
            return lambda: self._guessed(place)
        return lambda: self.any_of(arguments[position], place)

    def _tuple(self, arguments: tuple[Any, ...], place: str) -> Maker:
        if not arguments or (len(arguments) == 2 and arguments[1] is Ellipsis):
            item = self.any_of(arguments[0], place) if arguments else self._guessed(place)
            return makers.Sequenced(item)
        if arguments == ((),):
            return makers.TupleOf([])
        return makers.TupleOf([self.any_of(part, place) for part in arguments])

    def _annotated(self, arguments: tuple[Any, ...], place: str) -> Maker:
        inner = self.any_of(arguments[0], place)
        found = conditions(arguments[1:])
        return makers.Constrained(inner, found) if found else inner

    def _class(self, kind: type, place: str) -> Maker:
        if issubclass(kind, enum.Enum):
            members = self._members(kind, place)
            return makers.Choice([makers.Fixed(member, Member(member)) for member in members])
        if typing.is_typeddict(kind):
            return self._typed_dict(kind, place)
        if is_abstract(kind) or getattr(kind, "_is_protocol", False):
            known = [each for each in subclasses(kind) if not is_abstract(each)]
            if not known:
                raise self._refusal(kind, place)
            return self._one_of(known, place)
        if kind.__module__ == "builtins" or not can_be_made(kind):
            return self._from_builtin(kind, place)
        known = [each for each in subclasses(kind) if each.__module__ == kind.__module__]
        if not known:
            return self._object(kind, place)
        return self._one_of([kind, *known], place)

    def _members(self, kind: type[enum.Enum], place: str) -> Iterable[enum.Enum]:
        if not issubclass(kind, enum.Flag):
            return kind
        from pef.inputs.flags import flags_of

        return flags_of(kind, place, self.doubts)

    def _one_of(self, kinds: list[type], place: str) -> Maker:
        found = [self._object(each, place) for each in kinds]
        return makers.Choice(found, small_first=self._small_first)

    def _from_builtin(self, kind: type, place: str) -> Maker:
        """A class that takes what its built-in base takes: an exception, a kind of dict."""
        if issubclass(kind, BaseException) and not issubclass(kind, UnicodeError):
            self.doubts.append(f"{place} as anything but {kind.__name__} with a message")
            return makers.Object(kind, [("args", self.one(str, place))], [])
        for base in (dict, list, set):
            if issubclass(kind, base) and kind is not base:
                return makers.Converted(self.one(base, place), kind)
        raise self._refusal(kind, place)

    def _typed_dict(self, kind: Any, place: str) -> Maker:
        try:
            hints = typing.get_type_hints(kind)
            extras = typing.get_type_hints(kind, include_extras=True)
        except NameError:  # names that only a type checker knows
            raise self._refusal(kind, place) from None
        made = {key: self.any_of(form, f"{place}[{key!r}]") for key, form in hints.items()}
        # A quoted `NotRequired` is not among the optional keys.
        optional = {
            key: made[key]
            for key in hints
            if key in kind.__optional_keys__ or "NotRequired" in str(typing.get_origin(extras[key]))
        }
        required = {key: made[key] for key in hints if key not in optional}
        return makers.Record(required, optional)

    def _object(self, kind: type, place: str) -> Maker:
        """The maker of objects of exactly this class; it may occur in its own parts."""
        if kind in self._objects:
            return self._objects[kind]
        try:
            return self._constructed(kind, place)
        except BaseException:
            self._objects.pop(kind, None)  # half of it is none
            raise

    def _constructed(self, kind: type, place: str) -> Maker:
        if pydantic_models.is_model(kind):
            return self._model(kind, place)
        made = makers.Object(
            kind,
            [],
            [],
            unchecked=bare_constructor(kind, _native.__pef_sel__),
            doubts=self.doubts,
        )
        by_name = False
        part = made if self.parts is None else Part(made, kind, self.parts, self.doubts)
        whole = self._objects[kind] = _satisfying_invariants(part, kind)
        needed = self._constructor(kind, place)
        made.contract = needed.contract
        for name in needed.variadic:
            self.doubts.append(f"objects of {kind.__name__} only without {name}")
        for parameter in needed.parameters:
            maker = self._argument(parameter, f"{place}.{parameter.name}", needed.defaults)
            by_name |= maker is None or isinstance(getattr(maker, "recipe", None), Omitted)
            if maker is None:
                continue
            if by_name or parameter.kind is ParameterKind.KEYWORD_ONLY:
                made.named.append((parameter.name, maker))
            else:
                made.positional.append((parameter.name, maker))
        return whole

    def _argument(
        self, parameter: Parameter, place: str, defaults: Mapping[str, Any]
    ) -> Maker | None:
        """The maker of an argument; None for one that is better left at its default."""
        if parameter.alternatives == (Empty,):
            raise self._refusal(None, place)
        if parameter.source_of_type is TypeSource.DEFAULT:
            self.doubt_default(parameter.alternatives, place)
        try:
            maker = self.choice(parameter.alternatives, place, 1)
        except UnsupportedInputError as problem:
            if parameter.name not in defaults:
                raise
            self.doubt_left(place, problem)
            return None
        default = defaults.get(parameter.name, Empty)
        if default is Empty:
            return maker
        from pef.inputs.defaults import is_literal

        left = parameter.kind is not ParameterKind.POSITIONAL_ONLY and not is_literal(default)
        return self.or_default(maker, parameter.alternatives, place, default, left, 1)

    def or_default(
        self,
        maker: Maker,
        alternatives: tuple[object, ...],
        place: str,
        default: Any,
        may_be_left: bool,
        cost: int,
    ) -> Maker:
        """The maker of an argument, or of the default if that is none of what the types tell."""
        from pef.inputs.defaults import OrDefault, is_told, recipe_of

        if is_told(alternatives, default):
            return maker
        recipe = recipe_of(default, may_be_left)
        if recipe is None:
            self.doubts.append(f"{place} left out, for its default has no name")
            return maker
        return OrDefault(maker, default, recipe, cost)

    def _constructor(self, kind: type, place: str) -> Constructor:
        try:
            return constructor(kind)
        except ContractError as problem:
            if not problem.is_missing_type:
                raise
            raise UnsupportedInputError(
                f"cannot build parameter '{place}' of {self._owner}: to make a {kind.__name__}, "
                f"{problem.file}:{problem.line}: {problem.message}",
                kind.__name__,
            ) from None

    def doubt_left(self, place: str, problem: UnsupportedInputError) -> None:
        """A parameter whose type cannot be built has a default."""
        self.doubts.append(f"{place} left at its default: {problem.form} cannot be built")

    def doubt_default(self, alternatives: tuple[object, ...], place: str) -> None:
        """A default says what a parameter may be, but None says nothing of what else."""
        if alternatives == (NoneType,):
            self.doubts.append(f"{place} has no type: only None was tried")

    def _model(self, kind: Any, place: str) -> Maker:
        """A model of pydantic: put together if that is sound, else through its constructor."""
        fields: dict[str, Maker] = {}
        real = makers.Object(kind, [], [], doubts=self.doubts)
        simple = pydantic_models.is_simple(kind)
        whole = self._objects[kind] = pydantic_models.Model(kind, fields) if simple else real
        for name, field in kind.model_fields.items():
            inner = self.any_of(field.annotation, f"{place}.{name}")
            found = conditions(field.metadata)
            made = makers.Constrained(inner, found) if found else inner
            default = pydantic_models.default_of(field)
            if default is not Empty:
                made = self.or_default(
                    made, flatten(field.annotation), f"{place}.{name}", default, True, 1
                )
            fields[name] = made
            real.named.append((pydantic_models.given_as(name, field) or name, fields[name]))
        return whole

    def _refusal(self, form: object, place: str) -> UnsupportedInputError:
        if form is None:
            return UnsupportedInputError(
                f"cannot build parameter '{place}' of {self._owner}: it has no type; "
                "annotate it or declare it with :type:"
            )
        shown = _shown(form)
        return UnsupportedInputError(
            f"cannot build parameter '{place}' of {self._owner}: "
            f"type {shown} is not supported; a parameter with a default is left at it",
            shown,
        )


def _shown(form: object) -> str:
    return form.__name__ if isinstance(form, type) else str(form)


def _written(value: object) -> Leaf | Member:
    return Member(value) if isinstance(value, enum.Enum) else Leaf(value)


def _is_made_blank(kind: Any) -> bool:
    """Whether calling the class makes an empty object and gives it to `__init__`."""
    return getattr(kind, "__new__", None) is object.__new__


def _satisfying_invariants(made: Maker, kind: type) -> Maker:
    """An object whose constructor breaks an invariant is for the constructor's own analysis."""
    from pef.rewrite.transform import transform_expression

    invariants = invariants_of(kind, transform_expression)
    if not invariants:
        return made
    return makers.Constrained(made, [lambda value: violated_invariant(invariants, value) is None])
