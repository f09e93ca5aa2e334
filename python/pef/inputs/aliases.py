"""Two parameters that are one object.

A function that changes an argument, or asks whether two things are the same, behaves differently
when it is given one object twice. So a later parameter whose type an earlier one has too may be
that very object, where the code could notice. On paper it is bound once: `f((xs := [1]), xs)`.
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from pef import _native
from pef.contracts.form import Parameter
from pef.inputs.makers import Made, Maker
from pef.inputs.recipes import Again, Bound, Omitted, Recipe
from pef.records import record

_IMMUTABLE = frozenset({int, bool, str, bytes, float, type(None)})

_CHANGES = frozenset({"STORE_ATTR", "STORE_SUBSCR", "DELETE_ATTR", "DELETE_SUBSCR", "STORE_SLICE"})

_HARMLESS_METHODS = frozenset(
    {
        *("copy", "count", "get", "index", "isdisjoint", "issubset", "issuperset", "items"),
        *("keys", "union", "values", "difference", "intersection", "symmetric_difference"),
        *("as_integer_ratio", "bit_length", "capitalize", "casefold", "center", "decode", "encode"),
        *("endswith", "expandtabs", "find", "format", "hex", "isalnum", "isalpha", "isascii"),
        *("isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isspace", "istitle"),
        *("isupper", "join", "ljust", "lower", "lstrip", "partition", "removeprefix"),
        *("removesuffix", "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip"),
        *("split", "splitlines", "startswith", "strip", "swapcase", "title", "translate", "upper"),
        *("zfill", "is_integer", "to_bytes", "from_bytes", "args"),
    }
)
"""Methods of built-in types that change nothing."""

_HARMLESS = frozenset(
    {
        *("abs", "all", "any", "bin", "bool", "bytes", "chr", "complex", "dict", "divmod"),
        *("enumerate", "filter", "float", "format", "frozenset", "hash", "hex", "int"),
        *("isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "oct", "ord"),
        *("pow", "print", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str"),
        *("sum", "tuple", "type", "zip", "True", "False", "None"),
    }
)
"""Built-in functions that neither change their arguments nor tell who they are."""


_NAMED = frozenset(opcode.hasname)

_MOST_CODES = 300
"""Code that calls more than this is not read to the end: it may do anything."""


class Aliases:
    """Which parameters of a function may be one object, and what was made in this run."""

    def __init__(self, function: Any, parameters: list[Parameter]) -> None:
        self._parameters = parameters
        known = _Known(function, parameters)
        self.identity = known.asks_identity_itself()
        """Whether the function compares two things with `is`."""
        self._changes = known.may_notice()
        self._made: dict[str, Made] = {}

    def around(self, parameter: Parameter, maker: Maker) -> Maker:
        """The maker, which may also give an object made for an earlier parameter."""
        if parameter.is_variadic:
            return maker
        position = self._parameters.index(parameter)
        earlier = [each for each in self._parameters[:position] if self._may_be(each, parameter)]
        later = [each for each in self._parameters[position + 1 :] if self._may_be(parameter, each)]
        if not earlier and not later:
            return maker
        return _Shared(maker, [each.name for each in earlier], self._made)

    def _may_be(self, one: Parameter, other: Parameter) -> bool:
        if one.is_variadic or other.is_variadic:
            return False
        common = [form for form in one.alternatives if form in other.alternatives]
        if self.identity and any(form is not type(None) for form in common):
            return True
        return self._changes and any(form not in _IMMUTABLE for form in common)


@record(frozen=True)
class _Shared(Maker):
    inner: Maker
    earlier: list[str]
    made: dict[str, Made]

    def make(self, name: str, level: int = 0) -> Made:
        taken = 0
        if self.earlier:
            taken = _native.choose_shape(f"is {name}", len(self.earlier) + 1, 1)
        if taken:
            value, recipe = self.made[self.earlier[taken - 1]]
            if is_left_out(recipe):
                raise _native.exclude()  # who gives it is another matter
            assert isinstance(recipe, Bound)
            recipe.shared = True
            return value, Again(recipe)
        value, recipe = self.inner.make(name, level)
        bound = Bound(name, recipe)
        self.made[name] = value, bound
        return value, bound


def is_left_out(recipe: Recipe) -> bool:
    """Whether an argument is not given at all."""
    return isinstance(recipe.inner if isinstance(recipe, Bound) else recipe, Omitted)


class _Known:
    """The code of a function and of all it can be seen to call."""

    def __init__(self, function: Any, parameters: list[Parameter]) -> None:
        self._codes: set[CodeType] = set()
        self._methods: set[str] = set()
        self._fields: set[str] = set()
        self._opaque = False
        self._root: CodeType | None = None
        self._unread: list[tuple[CodeType, dict[str, Any]]] = []
        self._classes: set[type] = set()
        self._collect(function, parameters)
        while self._unread and not self._opaque:
            self._read(*self._unread.pop())
            self._opaque |= len(self._codes) > _MOST_CODES

    def _collect(self, function: Any, parameters: list[Parameter]) -> None:
        for parameter in parameters:
            for form in parameter.alternatives:
                self._add_class(form)
        while not isinstance(function, FunctionType):
            inner = getattr(function, "__wrapped__", None) or getattr(function, "__func__", None)
            if inner is None:
                self._opaque = True
                return
            function = inner
        self._root = function.__code__
        self._add(function.__code__, function.__globals__)

    def _add_class(self, form: Any) -> None:
        if isinstance(form, type) and form.__module__ != "builtins" and form not in self._classes:
            self._classes.add(form)
            for base in form.__mro__[:-1]:
                written = vars(base).get("__annotations__")
                self._fields.update(written if isinstance(written, dict) else ())
                for name, method in vars(base).items():
                    method = getattr(method, "fget", None) or getattr(method, "__func__", method)
                    if isinstance(method, FunctionType):
                        self._methods.add(name)
                        self._add(method.__code__, method.__globals__)

    def _add(self, code: CodeType, namespace: dict[str, Any]) -> None:
        if code not in self._codes:
            self._codes.add(code)
            self._unread.append((code, namespace))

    def _read(self, code: CodeType, namespace: dict[str, Any]) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._add(constant, namespace)
        for operation, name in _instructions(code):
            if operation == "STORE_ATTR":
                self._fields.add(name)
            elif operation in ("LOAD_GLOBAL", "LOAD_NAME"):
                self._add_global(name, namespace)

    def _add_global(self, name: str, namespace: dict[str, Any]) -> None:
        value = namespace.get(name)
        if isinstance(value, FunctionType):
            self._add(value.__code__, value.__globals__)
        elif isinstance(value, type):
            self._add_class(value)
        elif name not in _HARMLESS and not name.startswith("__pef_"):
            self._opaque |= callable(value) or value is None

    def asks_identity_itself(self) -> bool:
        """As `asks_identity`, of the function alone: who numbers are matters to nobody else."""
        own = [self._root] if self._root is not None else []
        while own:
            code = own.pop()
            if _asks_identity(code):
                return True
            own += [each for each in code.co_consts if isinstance(each, CodeType)]
        return False

    def asks_identity(self) -> bool:
        """Whether two things neither of which is a constant are compared with `is`."""
        return any(_asks_identity(code) for code in self._codes)

    def may_notice(self) -> bool:
        """Whether the code might change an object, or ask who it is: all but the plainest."""
        if self._opaque or self.asks_identity():
            return True
        return any(self._changes(code) for code in self._codes if code.co_name != "__init__")

    def _changes(self, code: CodeType) -> bool:
        if "__pef_at__" in code.co_names:
            return True
        for operation, name in _instructions(code):
            if operation in _CHANGES:
                return True
            is_attribute = operation in ("LOAD_METHOD", "LOAD_ATTR")
            if is_attribute and name not in _HARMLESS_METHODS and not self._is_field(name):
                return True
        return False

    def _is_field(self, name: str) -> bool:
        """Whether an attribute is data of a class we know, or a method whose code we know."""
        return name in self._methods or name in self._fields


def _asks_identity(code: CodeType) -> bool:
    if {"__pef_is__", "__pef_is_not__", "id"} & {*code.co_names}:
        return True
    before = ""
    for operation, _ in _instructions(code):
        if operation == "IS_OP" and before not in ("LOAD_CONST", "RETURN_CONST"):
            return True
        before = operation
    return False


_SHIFTED = {
    **dict.fromkeys(["LOAD_GLOBAL"] if sys.version_info >= (3, 11) else [], 1),
    **dict.fromkeys(["LOAD_ATTR"] if sys.version_info >= (3, 12) else [], 1),
}
"""Operations whose argument has flags below the number of the name."""


def _instructions(code: CodeType) -> Iterator[tuple[str, str]]:
    """The operations of some code, each with its name, if it has one; as `dis` would show them."""
    argument = 0
    content = code.co_code
    for at in range(0, len(content), 2):
        operation = opcode.opname[content[at]]
        argument = argument << 8 | content[at + 1]
        if operation == "EXTENDED_ARG":
            continue
        if operation != "CACHE":
            number = argument >> _SHIFTED.get(operation, 0)
            has_name = content[at] in _NAMED and number < len(code.co_names)
            yield operation, code.co_names[number] if has_name else ""
        argument = 0
