"""Names that exist for type checkers only: what a module does under `if TYPE_CHECKING:`.

Hints may use them, although no run of the module ever defines them. The import or alias that would
define a name is carried out beside the module, when a hint first needs it; what fails there stays
unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from pef.contracts.source import FunctionSource, is_type_checking


def find(where: FunctionSource, namespace: dict[str, object], name: str) -> object | None:
    """What type checkers take the name for; None if that cannot be told."""
    beside = dict(namespace)
    for statement in _for_checkers(where.tree):
        if name in _defined(statement):
            with suppress(Exception):
                exec(compile(ast.Module([statement], []), where.source.file, "exec"), beside)
                return beside.get(name)
    return None


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
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return {name}
    return set()
