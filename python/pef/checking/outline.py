"""One file as a set of definitions: their text, what they mention, where they are.

The cache must know when a function's behaviour can have changed without running anything. It sees
a file as pieces: each function and method, each class without its methods, and the module's own
statements. A piece has a text, without comments, and the names it mentions; `pef.checking.digest`
follows the names.

Names within functions are read from compiled code, which is fast and knows which names are local.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from types import CodeType

from pef.checking.mentions import (
    called_in,
    last_name,
    looks_up_any_name,
    names_in,
    names_of_code,
    names_of_contract,
    names_of_signature,
)
from pef.records import field, record

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_STRING_OR_COMMENT = (
    r'(?ms)"""(?:\\.|[^\\])*?"""'
    r"|'''(?:\\.|[^\\])*?'''"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])*'"
    r"""|[ \t]*\#[^\n"']*$"""
)
"""A comment with a quote in it is kept: it might be the inside of a string after all."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DYNAMIC = _words("globals vars eval exec __import__ import_module __subclasses__ __dict__")
_DYNAMIC |= _words("attrgetter methodcaller")
"""Whoever mentions one of these may reach definitions that it does not name."""
_IMPORTING = _words("__import__ import_module")
_TOLD_OF_SUBCLASSES = _words("__init_subclass__ __set_name__")
"""A class with one of these may know its subclasses, and reach them."""
_CALLED_UNNAMED = _words(
    "keys write writelines flush read readline readinto close fileno send throw"
)
"""Methods that C code calls on any object that has them, as it does special methods."""
PLAIN_BASES = _words(
    "object Exception BaseException ValueError TypeError KeyError IndexError LookupError "
    "RuntimeError ArithmeticError AttributeError Protocol Generic ABC NamedTuple TypedDict Enum "
    "IntEnum StrEnum Flag IntFlag int str float bytes list dict set tuple frozenset"
)
"""Bases that call no method of a class but special ones."""
_PLAIN_METACLASSES = _words("ABCMeta EnumMeta type")
_PLAIN_DECORATORS = _words(
    "property staticmethod classmethod cached_property dataclass wraps lru_cache cache overload "
    "abstractmethod contextmanager asynccontextmanager final override total_ordering setter "
    "deleter getter unique no_type_check runtime_checkable"
)
"""Decorators that keep no account of what they decorate."""


@record
class Piece:
    """A definition, or the module's own statements (whose name is empty)."""

    name: str
    """Qualified within the module."""
    text: str
    """Of a variable, nothing: the statements of the module have it."""
    mentions: set[str]
    calls: set[str] = field(default_factory=set)
    """Functions that are called when the module is imported, whoever needs the result."""
    decorators: set[str] = field(default_factory=set)
    """Names in decorators that may remember what they decorate."""
    keepers: set[str] = field(default_factory=set)
    """Those of them that surely are asked to: `app` in `@app.route`."""
    is_class: bool = False
    is_variable: bool = False
    is_open: bool = False
    """Whether it may reach definitions it does not mention."""
    implied: list[str] = field(default_factory=list)
    """Qualified names of what Python calls unasked: the special methods of a class."""
    methods: list[str] = field(default_factory=list)
    bases: set[str] = field(default_factory=set)
    """Last names of the bases of a class."""


@record(frozen=True)
class Anchor:
    """A stretch of lines that stays together: a function, or a statement outside of all."""

    name: str
    first: int
    last: int


@record(frozen=True)
class Import:
    """An import statement: `level` dots, a module, and the names taken from it."""

    level: int
    module: str
    names: tuple[str, ...]


@record(frozen=True)
class Outline:
    """A file in pieces."""

    path: str
    module_name: str
    pieces: dict[str, Piece]
    imports: list[Import]
    imports_by_name: bool
    """Whether modules are imported that no statement names."""
    anchors: list[Anchor]


def outline(path: str, module_name: str, source: str, tree: ast.Module) -> Outline:
    """Take a file apart."""
    return _Cutter(path, module_name, source, tree).outline()


def without_comments(source: str) -> str:
    """Return the text with comments cut off and lines where they were.

    >>> without_comments("x = '#'  # one\\n")
    "x = '#'\\n"
    """
    return re.sub(_STRING_OR_COMMENT, _without_comment, source) if "#" in source else source


def _without_comment(found: re.Match[str]) -> str:
    return "" if found[0].lstrip(" \t").startswith("#") else found[0]


class _Cutter:
    def __init__(self, path: str, module_name: str, source: str, tree: ast.Module) -> None:
        self._path = path
        self._module_name = module_name
        self._tree = tree
        self._lines = without_comments(source).split("\n")
        self._codes = _codes(tree, str(path))
        self._pieces: dict[str, Piece] = {}
        self._imports: list[Import] = []
        self._anchors: list[Anchor] = []
        self._taken: dict[str, int] = {}

    def outline(self) -> Outline:
        module = self._pieces[""] = Piece("", "", set(), is_open=self._codes is None)
        module.text = self._in_body(self._tree.body, module, "", (1, len(self._lines)))
        by_name = False
        for piece in self._pieces.values():
            piece.is_open = piece.is_open or not piece.mentions.isdisjoint(_DYNAMIC)
            by_name = by_name or not piece.mentions.isdisjoint(_IMPORTING)
        return Outline(
            self._path, self._module_name, self._pieces, self._imports, by_name, self._anchors
        )

    def _in_body(
        self, body: Iterable[ast.stmt], owner: Piece, prefix: str, lines: tuple[int, int]
    ) -> str:
        """Cut the definitions out of a body; return what is left of its lines.

        Blank lines count only within a statement: there they may be part of a text.
        """
        left = {line: bool(self._lines[line - 1].strip()) for line in range(lines[0], lines[1] + 1)}
        count = 0
        for node, runs in _statements(body):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first, last = self._function(node, owner, prefix)
            elif isinstance(node, ast.ClassDef):
                first, last = self._class(node, prefix)
            else:
                count += 1
                first, last = self._statement(node, runs, owner, f"{prefix}${count}")
                if not any(_blocks(node)):
                    left.update(dict.fromkeys(range(first, last + 1), True))
                continue
            left.update(dict.fromkeys(range(first, last + 1), False))
        return "\n".join(self._lines[line - 1] for line, kept in left.items() if kept)

    def _function(self, node: _Function, owner: Piece, prefix: str) -> tuple[int, int]:
        name = prefix + node.name
        first, last = _span(node)
        text = "\n".join(self._lines[first - 1 : last])
        mentions = set(names_of_signature(node))
        codes = (self._codes or {}).get((node.name, first), [])
        for code in codes:
            mentions.update(names_of_code(code))
        is_open = not codes
        if "getattr" in mentions:
            is_open = is_open or any(map(looks_up_any_name, ast.walk(node)))
        mentions |= names_of_contract(ast.get_docstring(node, clean=False))
        piece = self._add(Piece(name, text, mentions, is_open=is_open))
        self._decorated(node, piece)
        if not owner.is_class and _is_special(node.name):
            owner.implied.append(name)
        elif owner.is_class:
            owner.methods.append(name)
            if _is_special(node.name) or node.name in _CALLED_UNNAMED:
                owner.implied.append(name)
            owner.is_open = owner.is_open or node.name in _TOLD_OF_SUBCLASSES
        self._collect_imports(_all_statements(node.body))
        self._anchors.append(Anchor(self._unused_name(name), first, last))
        return first, last

    def _class(self, node: ast.ClassDef, prefix: str) -> tuple[int, int]:
        name = prefix + node.name
        first, last = _span(node)
        piece = Piece(name, "", set(), is_class=True)
        for part in (*node.bases, *node.keywords, *node.decorator_list):
            piece.mentions.update(names_in(part))
        piece.mentions |= names_of_contract(ast.get_docstring(node, clean=False))
        piece.is_open = any(
            each.arg == "metaclass" and last_name(each.value) not in _PLAIN_METACLASSES
            for each in node.keywords
        )
        # Added before its methods, which add to it; a second class of this name adds to the first.
        piece = self._add(piece)
        self._anchors.append(Anchor(self._unused_name(name), first, last))
        piece.bases.update(map(last_name, node.bases))
        piece.text += self._in_body(node.body, piece, f"{name}.", (first, last))
        self._decorated(node, piece)
        return first, last

    def _statement(self, node: ast.stmt, runs: bool, owner: Piece, anchor: str) -> tuple[int, int]:
        span = node.lineno, node.end_lineno or node.lineno
        self._anchors.append(Anchor(anchor, *span))
        self._collect_imports([node])
        if not runs or _says_nothing(node):
            return span
        # What a statement gives a name matters to those who mention the name; other statements
        # run for their effect, which can be on anything.
        named = [] if owner.is_class else _assigned(node)
        pieces = [self._add(Piece(name, "", set(), is_variable=True)) for name in named] or [owner]
        for part in _own_expressions(node):
            mentions = set(names_in(part))
            is_open = any(map(looks_up_any_name, ast.walk(part)))
            self._pieces[""].calls.update(called_in(part))
            for piece in pieces:
                piece.mentions |= mentions
                piece.is_open = piece.is_open or is_open
        return span

    def _decorated(self, node: _Definition, piece: Piece) -> None:
        """Note who may remember a definition, and what its defaults call at import."""
        for decorator in node.decorator_list:
            if last_name(decorator) not in _PLAIN_DECORATORS:
                piece.decorators.update(names_in(decorator))
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(called, ast.Attribute):
                    piece.keepers.update(names_in(called.value))
        if not isinstance(node, ast.ClassDef):
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                self._pieces[""].calls.update(called_in(default))

    def _add(self, piece: Piece) -> Piece:
        """Add a piece; several definitions of one name are one piece, in their order."""
        known = self._pieces.setdefault(piece.name, piece)
        if known is not piece:
            known.text += "\n" + piece.text if piece.text else ""
            known.mentions |= piece.mentions
            known.is_variable = known.is_variable and piece.is_variable
            known.is_open = known.is_open or piece.is_open
            known.is_class = known.is_class or piece.is_class
        return known

    def _unused_name(self, name: str) -> str:
        taken = self._taken.get(name, 0)
        self._taken[name] = taken + 1
        return f"{name}#{taken}" if taken else name

    def _collect_imports(self, statements: Iterable[ast.stmt]) -> None:
        for node in statements:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._imports.append(Import(0, alias.name, ()))
                    self._alias(alias)
            elif isinstance(node, ast.ImportFrom):
                names = tuple(alias.name for alias in node.names)
                self._imports.append(Import(node.level, node.module or "", names))
                for alias in node.names:
                    self._alias(alias)

    def _alias(self, alias: ast.alias) -> None:
        """Take an imported name that is called otherwise here for a variable: others may use it."""
        if alias.asname and alias.asname != alias.name:
            original = {alias.name.rpartition(".")[2]}
            self._add(Piece(alias.asname, "", original, is_variable=True))


def _codes(tree: ast.Module, path: str) -> dict[tuple[str, int], list[CodeType]] | None:
    """Return the compiled functions by name and line; None if the file does not compile."""
    import warnings

    found: dict[tuple[str, int], list[CodeType]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            waiting = [compile(tree, path, "exec", dont_inherit=True)]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    while waiting:
        code = waiting.pop()
        found.setdefault((code.co_name, code.co_firstlineno), []).append(code)
        waiting.extend(each for each in code.co_consts if isinstance(each, CodeType))
    return found


def _assigned(node: ast.stmt) -> list[str]:
    """Return the names an assignment gives a value, if that is all it does."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    else:
        return []
    names = [each.id for each in targets if isinstance(each, ast.Name)]
    return names if len(names) == len(targets) else []


def _is_special(name: str) -> bool:
    """Whether Python itself may call a function of that name; `_missing_` and the like, too."""
    return len(name) > 2 and name.startswith("_") and name.endswith("_")


def _says_nothing(node: ast.stmt) -> bool:
    """Whether a statement only brings names in, lists them, or is a comment in quotes."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets)


def _span(node: _Definition) -> tuple[int, int]:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return first, node.end_lineno or node.lineno


def _statements(body: Iterable[ast.stmt], runs: bool = True) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield the statements of a namespace, those in blocks too, and whether an import runs them."""
    for node in body:
        yield node, runs
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _statements(_blocks(node), runs and not _is_script(node))


def _is_script(node: ast.stmt) -> bool:
    """Whether the statement is `if __name__ == "__main__"`, and has no other branch."""
    return (
        isinstance(node, ast.If)
        and not node.orelse
        and ast.unparse(node.test) in ("__name__ == '__main__'", "'__main__' == __name__")
    )


def _all_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        yield from _all_statements(_blocks(node))


def _blocks(node: ast.stmt) -> Iterator[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(node, name, ())
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from part.body


def _own_expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """Yield the expressions of a statement, not those of the statements in its blocks."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield from (
                each for each in ast.iter_child_nodes(child) if not isinstance(each, ast.stmt)
            )
        elif not isinstance(child, ast.stmt):
            yield child
