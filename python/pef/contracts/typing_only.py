"""Names that exist for type checkers only: what a module does under `if TYPE_CHECKING:`.

Hints may use them, although no run of the module ever defines them. The import or alias that would
define a name is carried out beside the module, when a hint first needs it; what fails there is
`Unknown`: it can be named, but nothing can be made of it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Union

from pef.contracts.source import FunctionSource, is_type_checking
from pef.records import record


@record(frozen=True)
class Unknown:
    """A type that cannot be had at run time."""

    name: str

    def __call__(self, *_: object) -> None:
        """Do nothing: `typing` takes what can be called for a type."""

    def __getitem__(self, _: object) -> Unknown:
        return self

    def __getattr__(self, name: str) -> Unknown:
        if name.startswith("__"):
            raise AttributeError(name)
        return Unknown(f"{self.name}.{name}")

    def __or__(self, other: Any) -> Any:
        return Union[self, other]  # noqa: UP007

    __ror__ = __or__

    def __str__(self) -> str:
        return self.name


def find(where: FunctionSource, namespace: dict[str, object], name: str) -> object | None:
    """What type checkers take the name for; None if the module says nothing of it."""
    beside = dict(namespace)
    for statement in _for_checkers(where.tree):
        if name in _defined(statement):
            with suppress(Exception):
                exec(compile(ast.Module([statement], []), where.source.file, "exec"), beside)
                return beside.get(name)
            return Unknown(name)
    return _of_package(namespace, name)


def _of_package(namespace: dict[str, object], name: str) -> object | None:
    """The class of that name in the package: an alias from another module may quote it."""
    package = str(namespace.get("__package__") or "").partition(".")[0]
    found = {
        value
        for module, content in list(sys.modules.items())
        if package and module.partition(".")[0] == package
        for value in [getattr(content, "__dict__", {}).get(name)]
        if isinstance(value, type)
    }
    return found.pop() if len(found) == 1 else None


def _for_checkers(tree: ast.Module | None) -> Iterator[ast.stmt]:
    for statement in tree.body if tree else ():
        if isinstance(statement, ast.If) and is_type_checking(statement.test):
            yield from statement.body


def _defined(statement: ast.stmt) -> set[str]:
    """The names an import or an alias defines."""
    match statement:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {each.asname or each.name.partition(".")[0] for each in names}
        case ast.Assign(targets=targets):
            return {each.id for each in targets if isinstance(each, ast.Name)}
        case ast.ClassDef(name=name):
            return {name}
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return {name}
    return set()
