"""The names a contract of a function can see.

The same ones its body can: parameters, captured variables, module globals, builtins. Values are
looked up when a clause runs, not when it is read, so a contract follows its module.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import CellType, FunctionType

from pef.records import record


@record(frozen=True, eq=False)
class Scope:
    """What surrounds a clause.

    `namespace` is the live one of the module in `file`. `ambient` holds captured variables, and the
    receiver of a bound method. `class_name` is the class whose body holds the function: it mangles
    private names.
    """

    namespace: dict[str, object]
    file: str
    parameters: tuple[str, ...]
    ambient: Mapping[str, CellType]
    class_name: str | None

    def is_local(self, name: str) -> bool:
        """Whether the name's value belongs to this call or closure, not to the module."""
        return name in self.parameters or name in self.ambient

    def find_static(self, name: str) -> object:
        """The value of a name that means the same in every call; KeyError if there is none."""
        if name in self.ambient:
            try:
                return self.ambient[name].cell_contents
            except ValueError:
                raise KeyError(name) from None
        for namespace in (self.namespace, builtins.__dict__):
            if name in namespace:
                return namespace[name]
        raise KeyError(name)

    def knows(self, name: str) -> bool:
        """Whether an expression may use the name."""
        return self.is_local(name) or name in self.namespace or name in builtins.__dict__

    def names(self) -> list[str]:
        """Every visible name, nearest first, for suggestions."""
        return [*self.parameters, *self.ambient, *self.namespace, *dir(builtins)]

    def mangle(self, name: str) -> str:
        """The name as the compiler stores it inside the class body."""
        owner = (self.class_name or "").lstrip("_")
        if not owner or not name.startswith("__") or name.endswith("__") or "." in name:
            return name
        return f"_{owner}{name}"


def scope_of(
    function: FunctionType, parameters: tuple[str, ...], receiver: tuple[str, object] | None
) -> Scope:
    """The scope of a function; `receiver` is the name and value of a bound first parameter."""
    ambient = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if receiver is not None:
        ambient[receiver[0]] = CellType(receiver[1])
    return Scope(
        function.__globals__,
        function.__code__.co_filename,
        parameters,
        ambient,
        _class_around(function.__qualname__),
    )


def _class_around(qualname: str) -> str | None:
    """The class in whose body the function stands, directly or inside one of its methods."""
    parts = qualname.split(".")
    at = len(parts) - 1
    while at > 0 and parts[at - 1] == "<locals>":
        at -= 2
    return parts[at - 1] if at > 0 else None
