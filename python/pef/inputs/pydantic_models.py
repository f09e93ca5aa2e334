"""Models of pydantic: their validation is compiled code, which would pin every field.

A value that has the type of its field and keeps its constraints passes validation as it is; so the
model is put together without it, and validators that its author wrote run as the code they are.
What is not as simple as that goes through the real constructor, pins and all. On paper it is the
real constructor in any case, and the replay decides.

pydantic is not imported here: a model is known by the attributes it has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pef import _native
from pef.contracts.signature import Empty
from pef.inputs.makers import Made, Maker
from pef.inputs.recipes import Construction, Omitted
from pef.records import record

_HARMLESS_SETTINGS = frozenset(
    {
        *("arbitrary_types_allowed", "defer_build", "extra", "from_attributes", "frozen"),
        *("json_encoders", "json_schema_extra", "populate_by_name", "protected_namespaces"),
        *(
            "serialize_by_alias",
            "strict",
            "title",
            "use_attribute_docstrings",
            "validate_assignment",
        ),
        *("validate_by_alias", "validate_by_name", "validate_default"),
    }
)
"""Settings of a model that leave a valid value as it is."""


def is_model(kind: type) -> bool:
    """Whether the class is a model of pydantic 2."""
    return hasattr(kind, "__pydantic_decorators__") and hasattr(kind, "model_construct")


def is_simple(kind: Any) -> bool:
    """Whether a model with valid fields is what its constructor would have made of them."""
    decorators = kind.__pydantic_decorators__
    validators = [*decorators.field_validators.values(), *decorators.model_validators.values()]
    return (
        all(each.info.mode == "after" and _takes_one(each.func) for each in validators)
        and not decorators.root_validators
        and not decorators.validators
        and not getattr(kind, "__pydantic_root_model__", False)
        and not getattr(kind, "__pydantic_custom_init__", False)
        and set(kind.model_config) <= _HARMLESS_SETTINGS
        and all(given_as(name, field) for name, field in kind.model_fields.items())
    )


def _takes_one(validator: Any) -> bool:
    """Whether a validator wants the value only, and not the other fields."""
    count = getattr(getattr(validator, "__code__", None), "co_argcount", 0)
    return count - hasattr(validator, "__self__") == 1


def given_as(name: str, field: Any) -> str | None:
    """What the constructor calls the field; None if that is not one name."""
    alias = name if field.validation_alias is None else field.validation_alias
    return alias if isinstance(alias, str) else None


def default_of(field: Any) -> Any:
    """What a field has that is not given; `Empty` if a function makes that, or there is none."""
    if field.is_required() or field.default_factory is not None:
        return Empty
    return field.default


@record(frozen=True)
class Model(Maker):
    """A model, put together from its fields."""

    kind: Any
    fields: dict[str, Maker]

    def make(self, name: str, level: int = 0) -> Made:
        made = {
            field: maker.make(f"{name}.{field}", level + 1) for field, maker in self.fields.items()
        }
        values = {
            field: value for field, (value, part) in made.items() if not isinstance(part, Omitted)
        }
        _native.__pef_sel__(self.kind)  # its methods are rewritten from here on
        try:
            value = self._validated(values)
        except Exception:
            raise _native.exclude() from None
        known = self.kind.model_fields
        recipes = {
            given_as(field, known[field]) or field: part for field, (_, part) in made.items()
        }
        return value, Construction(self.kind, [], recipes)

    def _validated(self, values: dict[str, Any]) -> Any:
        decorators = self.kind.__pydantic_decorators__
        for name, each in decorators.field_validators.items():
            for field in each.info.fields:
                for known in self.fields if field == "*" else [field]:
                    if known in values:  # a default is what it is
                        values[known] = _called(getattr(self.kind, name), values[known])
        value = self.kind.model_construct(**values)
        for name in decorators.model_validators:
            value = _called(getattr(self.kind, name), value)
        return value


def _called(validator: Callable[..., Any], value: Any) -> Any:
    return _native.__pef_sel__(validator)(value)
