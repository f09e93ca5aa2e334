"""Dataclasses and named tuples that cost nothing until they are used.

`dataclasses` writes and compiles half a dozen methods when a class is defined: half a millisecond
each; `typing.NamedTuple` takes a fifth of one. PEF has over two hundred such classes, and a run
uses a few. Here the same code makes, compares, hashes and shows the instances of all classes; a
class gets a constructor of its own when it turns out to be used a lot.

To the type checker these are dataclasses and named tuples, and that is who holds `frozen`. What
`pef.check()` returns is made of real dataclasses. Not supported, because nobody here needs it:
`order`, `slots`, `kw_only`, generic named tuples.
"""

# ruff: noqa: ANN001, ANN002, ANN003, ANN201, ANN202, ANN204, A002, N807 (the types are dataclasses')

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple", "field", "record", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
    from dataclasses import field, replace
    from typing import NamedTuple
else:
    from _collections import _tuplegetter

    # A program that breaks the builtins must not break what is made while it runs.
    dict, len, set, zip = dict, len, set, zip  # noqa: A001
    hasattr, setattr, tuple = hasattr, setattr, tuple  # noqa: A001

    _ABSENT = object()
    """No default; or, in a call, no argument."""
    _BEFORE_WRITING = 16
    """So many instances are made before it is worth while to write a constructor."""

    class field:  # noqa: N801, called like a function, as in dataclasses
        """What there is to say of one field beyond its type."""

        def __init__(
            self, *, default=_ABSENT, default_factory=None, init=True, repr=True, compare=True
        ):
            self.default = default
            self.factory = default_factory
            self.in_init = init
            self.in_repr = repr
            self.in_comparison = compare

    def record(cls=None, *, frozen=False, eq=True):
        """A class decorator with the meaning of `dataclasses.dataclass`."""
        if cls is None:
            return lambda other: _make(other, frozen, eq)
        return _make(cls, frozen, eq)

    def replace(old, /, **changes):
        """A copy with some fields changed."""
        given = {name: getattr(old, name) for name, each in _fields(old).items() if each.in_init}
        return type(old)(**{**given, **changes})

    def _make(cls, frozen, eq):
        own = vars(cls)
        fields = {}
        for base in reversed(cls.__mro__[1:]):
            fields.update(vars(base).get("__record__", {}))
        for name in own.get("__annotations__", {}):
            given = own.get(name, _ABSENT)
            fields[name] = given if isinstance(given, field) else field(default=given)
            if isinstance(given, field):
                if given.default is _ABSENT:
                    delattr(cls, name)
                else:
                    setattr(cls, name, given.default)
        cls.__record__ = fields
        cls.__match_args__ = tuple(name for name, each in fields.items() if each.in_init)
        if "__init__" not in own:
            cls.__init__ = _first_use(cls)
        if "__repr__" not in own:
            cls.__repr__ = _repr
        if eq and "__eq__" not in own:
            cls.__eq__ = _eq
            if "__hash__" not in own or own["__hash__"] is None:
                cls.__hash__ = _hash if frozen else None
        return cls

    def _first_use(cls):
        fields = cls.__record__
        names = cls.__match_args__
        is_plain = len(names) == len(fields)
        left = _BEFORE_WRITING

        def __init__(self, *args, **kwargs):
            nonlocal left
            left -= 1
            given = _bound(names, args, kwargs) if left > 0 and is_plain else None
            for name in names if given is not None else ():
                if name not in given:
                    each = fields[name]
                    if each.factory is not None:
                        given[name] = each.factory()
                    elif each.default is not _ABSENT:
                        given[name] = each.default
                    else:
                        given = None
                        break
            if given is None:
                cls.__init__ = _written_init(cls)
                cls.__init__(self, *args, **kwargs)
                return
            for name in names:
                setattr(self, name, given[name])
            if hasattr(cls, "__post_init__"):
                self.__post_init__()

        return __init__

    def _bound(names, args, kwargs):
        """The arguments by name; None if they do not fit."""
        given = dict(zip(names, args, strict=False))
        given.update(kwargs)
        fits = len(given) == len(args) + len(kwargs) and kwargs.keys() <= set(names)
        return given if fits else None

    def _written_init(cls):
        space = {"_ABSENT": _ABSENT}
        parameters, body = ["self"], []
        for name, each in cls.__record__.items():
            value = name
            if each.factory is not None:
                space[f"_make_{name}"] = each.factory
                value = f"_make_{name}() if {name} is _ABSENT else {name}"
                parameters.append(f"{name}=_ABSENT")
            elif each.default is not _ABSENT:
                space[f"_default_{name}"] = each.default
                parameters.append(f"{name}=_default_{name}")
            else:
                parameters.append(name)
            if not each.in_init:
                parameters.pop()
                if each.factory is None:
                    continue
                value = f"_make_{name}()"
            body.append(f"    self.{name} = {value}")
        if hasattr(cls, "__post_init__"):
            body.append("    self.__post_init__()")
        head = f"def __init__({', '.join(parameters)}):"
        exec("\n".join((head, *(body or ["    pass"]))), space)
        return space["__init__"]

    def _fields(instance) -> dict[str, field]:
        return type(instance).__record__

    def _compared(instance) -> tuple[Any, ...]:
        fields = _fields(instance).items()
        return tuple([getattr(instance, name) for name, each in fields if each.in_comparison])

    def _eq(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return _compared(self) == _compared(other)

    def _hash(self):
        return hash(_compared(self))

    def _repr(self):
        shown = (
            f"{name}={getattr(self, name)!r}"
            for name, each in _fields(self).items()
            if each.in_repr
        )
        return f"{type(self).__qualname__}({', '.join(shown)})"

    class _NamedTupleType(type):
        """Makes subclasses of tuple from classes whose body lists fields."""

        def __new__(cls, name, bases, body):
            names = tuple(body.get("__annotations__", {}))
            kept = {key: value for key, value in body.items() if key not in names}
            getters = {each: _tuplegetter(n, "") for n, each in enumerate(names)}
            own = {
                "__slots__": (),
                "__match_args__": names,
                "_fields": names,
                "_field_defaults": {each: body[each] for each in names if each in body},
                "_replace": _tuple_replace,
                "_asdict": _tuple_asdict,
                "__repr__": _tuple_repr,
                "__getnewargs__": _tuple_itself,
            }
            made = type(name, (tuple,), {**own, **getters, **kept})
            made.__new__ = _first_tuple(made)
            return made

    def _first_tuple(made):
        names, defaults = made._fields, made._field_defaults
        left = _BEFORE_WRITING

        def __new__(cls, *args, **kwargs):
            nonlocal left
            left -= 1
            given = _bound(names, args, kwargs) if left > 0 else None
            values = () if given is None else {**defaults, **given}
            if len(values) == len(names):
                return tuple.__new__(cls, [values[name] for name in names])
            made.__new__ = _written_new(made)
            return made.__new__(cls, *args, **kwargs)

        return __new__

    def _written_new(made):
        defaults = made._field_defaults
        space = {f"_default_{name}": value for name, value in defaults.items()}
        space["_tuple_new"] = tuple.__new__
        shown = (f"{name}=_default_{name}" if name in defaults else name for name in made._fields)
        values = "".join(f"{name}, " for name in made._fields)
        head = f"def __new__({', '.join(('_cls', *shown))}):"
        exec(f"{head}\n    return _tuple_new(_cls, ({values}))", space)
        return space["__new__"]

    def _tuple_replace(self, /, **changes):
        return type(self)(**{**self._asdict(), **changes})

    def _tuple_asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _tuple_itself(self):
        return tuple(self)

    def _tuple_repr(self):
        shown = (f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({', '.join(shown)})"

    NamedTuple = type.__new__(_NamedTupleType, "NamedTuple", (), {})
    """The base that turns a class into a named tuple."""
