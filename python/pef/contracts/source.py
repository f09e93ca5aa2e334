"""Where a function or class stands in its file: its `def`, its docstring, its parameters.

Readers ask here for places; nothing here knows what a contract is. A function without readable
source (made by `exec`, edited since import) still works: its docstring is then the source.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import FunctionType

from pef.contracts.layers import layers
from pef.contracts.placed import Place, PlacedText, SourceText, place_literal, unplaced
from pef.records import record
from pef.sources import lines_of

_Definition = ast.FunctionDef | ast.AsyncFunctionDef


@record(frozen=True)
class FunctionSource:
    """What is known of a function's source; `node` and `tree` are None without a source file."""

    source: SourceText
    first_line: int
    node: _Definition | None
    tree: ast.Module | None
    docstring: PlacedText | None

    def place_of_parameter(self, name: str) -> Place:
        """Where the parameter is declared, else where the function starts."""
        argument = self._argument(name)
        return self._place(argument) if argument else Place(self.first_line, 1)

    def place_of_hint(self, name: str) -> Place:
        """Where the parameter's annotation stands, else where the function starts."""
        argument = self._argument(name)
        if argument is None or argument.annotation is None:
            return self.place_of_parameter(name)
        return self._place(argument.annotation)

    def imported_for_type_checkers_only(self, name: str) -> bool:
        """Whether the file imports the name under `if TYPE_CHECKING:`."""
        for statement in self.tree.body if self.tree else ():
            if isinstance(statement, ast.If) and is_type_checking(statement.test):
                imports = (
                    alias.asname or alias.name.partition(".")[0]
                    for node in statement.body
                    if isinstance(node, (ast.Import, ast.ImportFrom))
                    for alias in node.names
                )
                if name in imports:
                    return True
        return False

    def _argument(self, name: str) -> ast.arg | None:
        if self.node is None:
            return None
        args = self.node.args
        every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
        return next((arg for arg in every if arg is not None and arg.arg == name), None)

    def _place(self, node: ast.expr | ast.arg) -> Place:
        return self.source.place_of(node.lineno, node.col_offset)


def locate(function: FunctionType) -> FunctionSource:
    """Finds the function in its file.

    The docstring is the one the function has *now*: if a decorator changed it, the text in the
    file is not the contract.
    """
    code = function.__code__
    lines = lines_of(code.co_filename)
    tree = parse_source("\n".join(lines)) if lines else None
    node = _definitions(tree).get((code.co_name, code.co_firstlineno)) if tree else None
    source = SourceText(code.co_filename, lines)
    docstring = _docstring_in_file(function.__doc__, node, source)
    if docstring is None and function.__doc__:
        docstring = unplaced(function.__doc__, code.co_filename, code.co_firstlineno + 1)
    return FunctionSource(source, code.co_firstlineno, node, tree, docstring)


def class_docstring(kind: type) -> PlacedText | None:
    """The docstring a class itself has, placed in its file if that can be found."""
    now = vars(kind).get("__doc__")
    if not isinstance(now, str):
        return None
    for source, node in _statements(kind):
        docstring = _docstring_in_file(now, node, source)
        if docstring is not None:
            return docstring
    return unplaced(now, next(iter(_files_of(kind)), "<unknown>"), 1)


def class_statements(kind: type) -> list[ast.ClassDef]:
    """The statements that may have made a class: several, if its file has more of that name."""
    return [node for _, node in _statements(kind)]


def _statements(kind: type) -> Iterator[tuple[SourceText, ast.ClassDef]]:
    for file in _files_of(kind):
        lines = lines_of(file)
        tree = parse_source("\n".join(lines)) if lines else None
        for node in _classes(tree, kind.__qualname__) if tree else ():
            yield SourceText(file, lines), node


def _files_of(kind: type) -> list[str]:
    """Where a class may have been written: the file of its module, or of one of its methods."""
    module = getattr(sys.modules.get(kind.__module__), "__file__", None)
    methods = [each for each in vars(kind).values() if isinstance(each, FunctionType)]
    written = [tuple(layers(each))[-1] for each in methods]
    files = [each.__code__.co_filename for each in written if isinstance(each, FunctionType)]
    return list(dict.fromkeys([*([module] if isinstance(module, str) else []), *files]))


def _classes(tree: ast.Module, qualname: str) -> Iterator[ast.ClassDef]:
    """The class statements of that name, whatever they stand in."""
    name = qualname.rpartition(".")[2]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            yield node


def _docstring_in_file(
    now: str | None, node: _Definition | ast.ClassDef | None, source: SourceText
) -> PlacedText | None:
    """The literal in the file, if it still is the docstring."""
    written = ast.get_docstring(node, clean=False) if node else None
    if node is None or written is None:
        return None
    if now is None:
        # -OO throws docstrings away; contracts hold all the same.
        unchanged = sys.flags.optimize >= 2
    else:
        # CPython 3.13 stores docstrings without their indentation.
        unchanged = now == written or _cleaned(now) == _cleaned(written)
    if not unchanged:
        return None
    statement = node.body[0]
    if not isinstance(statement, ast.Expr):
        return None
    literal = statement.value
    end = literal.end_lineno or literal.lineno, literal.end_col_offset or 0
    return place_literal(source, written, (literal.lineno, literal.col_offset), end)


def _cleaned(docstring: str) -> str:
    """As `inspect.cleandoc`, which takes longer to load than a file takes to be read."""
    first, *others = docstring.expandtabs().split("\n")
    margins = (len(each) - len(each.lstrip(" ")) for each in others if each.strip(" "))
    margin = min(margins, default=0)
    return "\n".join([first.lstrip(" "), *(each[margin:] for each in others)]).strip("\n")


@lru_cache(maxsize=16)
def parse_source(text: str) -> ast.Module | None:
    """The tree of a file, remembered; None if it does not parse."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None  # the file changed since it was imported


def remember(file: str) -> None:
    """Go through a file now: once, for all processes that will be forked."""
    lines = lines_of(file)
    tree = parse_source("\n".join(lines)) if lines else None
    if tree is not None:
        _definitions(tree)


@lru_cache(maxsize=16)
def _definitions(tree: ast.Module) -> dict[tuple[str, int], _Definition]:
    """Every function of a file by its name and the line where its code starts."""
    found: dict[tuple[str, int], _Definition] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            # A code object starts at the first decorator, a `def` node after the last.
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found.setdefault((node.name, first), node)
    return found


def is_type_checking(test: ast.expr) -> bool:
    """Whether an `if` asks for `TYPE_CHECKING`."""
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", None)
    return name == "TYPE_CHECKING"
